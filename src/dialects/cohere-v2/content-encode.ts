/** Parts of a turn as the parts of a message's content, and documents that the answer is to cite. */
import type { Json, JsonObject } from '../../core/json.ts'
import { dataUrl } from '../media/data-url.ts'
import type { TargetContext } from '../dialect.ts'
import { documentText } from '../media/document-text.ts'
import type { Losses } from '../losses.ts'
import type { ChatRequest, DocumentPart, ImagePart, Part } from '../neutral.ts'

export interface Content {
  readonly target: TargetContext
  readonly losses: Losses
  /** Documents that go beside the messages, by their part. */
  readonly documents: ReadonlyMap<Part, JsonObject>
}

/**
 * Documents whose words the client wants cited: the provider cites only what stands in a list of its own. It takes no such list
 * together with a format for the answer, and then they are told as text. https://docs.cohere.com/v2/docs/structured-outputs
 * (read 2026-11-21)
 */
export function citedDocuments({ messages, output }: ChatRequest): ReadonlyMap<Part, JsonObject> {
  const documents = new Map<Part, JsonObject>()
  if (output !== undefined && output.kind !== 'text') return documents
  for (const part of messages.flatMap(({ parts }) => parts)) {
    const text = part.type === 'document' && part.citations === true ? bareText(part) : undefined
    if (part.type !== 'document' || text === undefined) continue
    const title = part.title ?? part.source.filename
    const data = { ...(title === undefined ? {} : { title }), text }
    documents.set(part, { id: `doc_${documents.size}`, data })
  }
  return documents
}

function bareText({ context, ...part }: DocumentPart): string | undefined {
  const { filename: _, ...source } = part.source
  return documentText({ type: 'document', source, ...(context === undefined ? {} : { context }) })
}

/** One string where all is text. */
export function encodeContent(parts: readonly Part[], path: string, content: Content): string | readonly Json[] {
  const wire = parts.flatMap((part) => encodePart(part, path, content))
  const texts = wire.map((part) => part['text'])
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : wire
}

function encodePart(part: Part, path: string, content: Content): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return encodeImage(part, path, content)
    case 'document':
      return content.documents.has(part) ? [] : encodeDocument(part, path, content)
    case 'audio':
      content.losses.refuse(path, 'this provider takes no audio')
      return []
    case 'foreign':
      content.losses.drop(part.kind)
      return []
    default:
      return []
  }
}

function encodeImage({ source, detail }: ImagePart, path: string, { target, losses }: Content): readonly JsonObject[] {
  if (!target.capabilities.images) losses.refuse(path, 'the model takes no images')
  const level = detail === 'original' ? 'high' : detail
  const more = level === undefined ? {} : { detail: level }
  if (source.kind === 'base64')
    return [{ type: 'image_url', image_url: { url: dataUrl(source.mime, source.data), ...more } }]
  if (source.kind === 'url') return [{ type: 'image_url', image_url: { url: source.url, ...more } }]
  losses.refuse(path, 'the image is stored at a vendor that this provider cannot reach')
  return []
}

function encodeDocument(part: DocumentPart, path: string, { losses }: Content): readonly JsonObject[] {
  const text = documentText(part)
  if (text === undefined) losses.refuse(path, 'this provider takes documents of text alone')
  return text === undefined || text === '' ? [] : [{ type: 'text', text }]
}
