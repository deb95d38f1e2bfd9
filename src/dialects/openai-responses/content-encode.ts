/** Neutral parts → content of items for a provider. What it cannot take is refused by name rather than left out. */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { dataUrl, mimeOf } from '../media/data-url.ts'
import type { TargetContext } from '../dialect.ts'
import { breakpoint, takesBreakpoints } from '../cache-breakpoints.ts'
import type {
  AudioPart,
  Cacheable,
  CacheTtl,
  DocumentPart,
  ForeignPart,
  ImagePart,
  Media,
  TextPart,
} from '../neutral.ts'
import { ID, optional } from './wire.ts'

/** One request on its way to a provider: where it goes, what had to be left out, and the first thing that is in its way. */
export interface Encoding {
  readonly target: TargetContext
  readonly sentNames: ReadonlyMap<string, string>
  readonly dropped: Set<string>
  failure: Failure | undefined
}

/** Notes that the request cannot be carried. `path` is the neutral field. */
export function refuse(encoding: Encoding, path: string, claim: string): undefined {
  encoding.failure ??= failure('unsupported', `${path}: ${claim}.`, { param: path })
  return undefined
}

type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | ForeignPart

/** An hour and more become twelve, all else the usual half hour. */
const LONG: ReadonlySet<CacheTtl> = new Set(['1h', '12h'])

/** A part's mark of the prompt cache, where the host takes any. */
export function markOf(part: Cacheable, target: TargetContext): JsonObject {
  return takesBreakpoints(target) ? breakpoint(part, LONG) : {}
}

export function encodeContent(encoding: Encoding, parts: readonly ContentPart[], path: string): readonly JsonObject[] {
  return parts.flatMap((part) => {
    const encoded = encodePart(encoding, part, path)
    return encoded === undefined ? [] : [{ ...encoded, ...('cache' in part ? markOf(part, encoding.target) : {}) }]
  })
}

function encodePart(encoding: Encoding, part: ContentPart, path: string): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return part.text === '' ? undefined : { type: 'input_text', text: part.text }
    case 'image':
      return encodeImage(encoding, part, path)
    case 'document':
      return encodeDocument(encoding, part, path)
    case 'audio':
      return encodeAudio(encoding, part, path)
    case 'foreign':
      encoding.dropped.add(part.kind)
      return undefined
  }
}

function encodeImage(encoding: Encoding, { source, detail }: ImagePart, path: string): JsonObject | undefined {
  if (!encoding.target.capabilities.images) return refuse(encoding, path, 'this model takes no images')
  const wire = { type: 'input_image', detail: detail ?? 'auto' }
  switch (source.kind) {
    case 'base64':
      return { ...wire, image_url: dataUrl(mimeOf(source.mime, source.data), source.data) }
    case 'url':
      return { ...wire, image_url: source.url }
    case 'file':
      return source.origin === ID ? { ...wire, file_id: source.id } : foreignFile(encoding, path)
    case 'text':
      return refuse(encoding, path, 'text is not an image')
  }
}

const FILENAME_DEFAULT = 'document'

function encodeDocument(encoding: Encoding, part: DocumentPart, path: string): JsonObject | undefined {
  if (part.citations === true) encoding.dropped.add('citations')
  if (part.context !== undefined && part.source.kind !== 'text') encoding.dropped.add('context')
  const { source } = part
  switch (source.kind) {
    case 'base64': {
      const mime = mimeOf(source.mime, source.data)
      return { type: 'input_file', filename: filenameOf(part, mime), file_data: dataUrl(mime, source.data) }
    }
    case 'url':
      return { type: 'input_file', file_url: source.url }
    case 'file':
      return source.origin === ID ? { type: 'input_file', file_id: source.id } : foreignFile(encoding, path)
    case 'text':
      return { type: 'input_text', text: documentText(part, source) }
  }
}

/** A name is required, and its ending says the type. */
function filenameOf({ title, source }: DocumentPart, mime: string): string {
  const name = source.filename ?? title ?? FILENAME_DEFAULT
  const ending = mime.split('/')[1] ?? ''
  return name.includes('.') || !/^[a-z0-9]+$/.test(ending) ? name : `${name}.${ending}`
}

function documentText({ title, context }: DocumentPart, { text }: Extract<Media, { kind: 'text' }>): string {
  return [title, context, text].filter((piece) => piece !== undefined && piece !== '').join('\n\n')
}

function encodeAudio(encoding: Encoding, { source, format }: AudioPart, path: string): JsonObject | undefined {
  if (!encoding.target.capabilities.audio) return refuse(encoding, path, 'this model takes no audio')
  if (source.kind !== 'base64') return refuse(encoding, path, 'audio must be sent with the request')
  const audio = { data: source.data, ...optional('format', format ?? source.mime.split('/')[1]) }
  return { type: 'input_audio', input_audio: audio }
}

function foreignFile(encoding: Encoding, path: string): undefined {
  return refuse(encoding, path, 'the file is stored at another provider')
}
