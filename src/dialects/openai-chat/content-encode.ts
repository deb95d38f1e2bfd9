/** Parts of a turn as the parts of a message's content. */
import type { ModelCapabilities } from '../../catalog/provider.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { breakpoint, takesBreakpoints } from '../cache-breakpoints.ts'
import type { TargetContext } from '../dialect.ts'
import type { AudioPart, Cacheable, CacheTtl, DocumentPart, ImagePart, Part } from '../neutral.ts'
import { dataUrl } from '../media/data-url.ts'
import { documentText } from '../media/document-text.ts'
import type { Losses } from '../losses.ts'

/** A client that asks for hours gets them; one of another format that asks for one hour is well served by half of it. */
const LONG: ReadonlySet<CacheTtl> = new Set(['12h'])

/** A part's mark of the prompt cache, where the host takes any. */
export function markOf(part: Cacheable, target: TargetContext): JsonObject {
  return takesBreakpoints(target) ? breakpoint(part, LONG) : {}
}

/** A user's parts: one string where all is unmarked text, since hosts of text models know nothing else. */
export function encodeUserContent(
  parts: readonly Part[],
  path: string,
  target: TargetContext,
  losses: Losses,
): string | readonly Json[] {
  const wire = parts.flatMap((part) => {
    const encoded = encodePart(part, path, target.capabilities, losses)
    return encoded === undefined ? [] : [{ ...encoded, ...('cache' in part ? markOf(part, target) : {}) }]
  })
  return plainText(wire) ?? wire
}

/** The text of parts that are nothing but text. */
function plainText(wire: readonly JsonObject[]): string | undefined {
  const texts = wire.map(({ type, text, prompt_cache_breakpoint: mark }) =>
    type === 'text' && mark === undefined ? text : 0,
  )
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : undefined
}

function encodePart(part: Part, path: string, capabilities: ModelCapabilities, losses: Losses): JsonObject | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? undefined : { type: 'text', text: part.text }
    case 'image':
      if (!capabilities.images) losses.refuse(path, 'the model takes no images')
      return encodeImage(part, path, losses)
    case 'audio':
      if (!capabilities.audio) losses.refuse(path, 'the model takes no audio')
      return encodeAudio(part, path, losses)
    case 'document':
      return encodeDocument(part, path, losses)
    case 'foreign':
      if (part.origin === 'openai-chat') return part.raw
      losses.drop(part.kind)
      return undefined
    default:
      return undefined
  }
}

function encodeImage({ source, detail }: ImagePart, path: string, losses: Losses): JsonObject | undefined {
  if (source.kind === 'base64') {
    return { type: 'image_url', image_url: { url: dataUrl(source.mime, source.data), detail } }
  }
  if (source.kind === 'url') return { type: 'image_url', image_url: { url: source.url, detail } }
  losses.refuse(path, 'the image is stored at a vendor that this provider cannot reach')
  return undefined
}

function encodeAudio({ source, format }: AudioPart, path: string, losses: Losses): JsonObject | undefined {
  const kind = format ?? (source.kind === 'base64' ? AUDIO_FORMATS.get(source.mime) : undefined)
  if (source.kind === 'base64' && kind !== undefined) {
    return { type: 'input_audio', input_audio: { data: source.data, format: kind } }
  }
  losses.refuse(path, 'the audio is in a form that the provider does not take')
  return undefined
}

const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
  }),
)

function encodeDocument(part: DocumentPart, path: string, losses: Losses): JsonObject | undefined {
  if (part.citations === true) losses.drop('citations')
  const text = documentText(part)
  if (text !== undefined) return { type: 'text', text }
  if (part.context !== undefined) losses.drop('context')
  const { source } = part
  const filename = source.filename ?? part.title
  if (source.kind === 'base64') {
    return {
      type: 'file',
      file: { filename: filename ?? 'document.pdf', file_data: dataUrl(source.mime, source.data) },
    }
  }
  if (source.kind === 'file' && source.origin === 'openai-chat') return { type: 'file', file: { file_id: source.id } }
  losses.refuse(path, 'the document is neither text nor part of the request')
  return undefined
}
