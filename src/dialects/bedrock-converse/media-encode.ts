/** Pictures, documents and sound as the provider takes them: as bytes, never from an address. */
import { essenceOf, sniffedType, SNIFFED_BYTES } from '../../core/media-type.ts'
import type { JsonObject } from '../../core/json.ts'
import type { AudioPart, DocumentPart, ImagePart, Media } from '../neutral.ts'
import type { Encoding } from './encoding.ts'
import type { WireBlock } from './wire.ts'

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html (read 2026-11-21)
const IMAGE_FORMATS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html (read 2026-11-21)
const DOCUMENT_FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/json', 'txt'],
])

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_AudioBlock.html (read 2026-11-21)
const AUDIO_FORMATS: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/aac', 'aac'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/mp4', 'm4a'],
  ['audio/webm', 'webm'],
])

/** Undefined when it was refused. */
export function encodeImage(encoding: Encoding, part: ImagePart, path: string): WireBlock | undefined {
  const { losses, target } = encoding
  if (!target.capabilities.images) return void losses.refuse(path, 'this model takes no images')
  if (part.detail !== undefined && part.detail !== 'auto') losses.drop('detail')
  const source = base64Of(encoding, part.source, path)
  const format = source && IMAGE_FORMATS.get(source.mime)
  if (source === undefined) return undefined
  if (format === undefined)
    return void losses.refuse(path, `images of type ${source.mime} cannot be sent to this model`)
  return { image: { format, source: { bytes: source.data } } }
}

/** Undefined when it was refused. */
export function encodeDocument(encoding: Encoding, part: DocumentPart, path: string): WireBlock | undefined {
  const { losses, traits, documentNames } = encoding
  const source = base64Of(encoding, part.source, path)
  if (source === undefined) return undefined
  const format = DOCUMENT_FORMATS.get(source.mime) ?? (source.mime.startsWith('text/') ? 'txt' : undefined)
  if (format === undefined)
    return void losses.refuse(path, `documents of type ${source.mime} cannot be sent to this model`)
  const cites = part.citations === true && traits.extras === 'claude'
  if (part.citations === true && !cites) losses.drop('citations')
  const name = documentNames.next(part.title ?? part.source.filename)
  const context = part.context === undefined || part.context === '' ? {} : { context: part.context }
  const citations: JsonObject = cites ? { citations: { enabled: true } } : {}
  return { document: { format, name, source: { bytes: source.data }, ...context, ...citations } }
}

/** Undefined when it was refused. */
export function encodeAudio(encoding: Encoding, part: AudioPart, path: string): WireBlock | undefined {
  const { losses, target } = encoding
  if (!target.capabilities.audio) return void losses.refuse(path, 'this model takes no audio')
  const source = base64Of(encoding, part.source, path)
  if (source === undefined) return undefined
  const format = AUDIO_FORMATS.get(source.mime) ?? part.format
  if (format === undefined) return void losses.refuse(path, `audio of type ${source.mime} cannot be sent to this model`)
  return { audio: { format, source: { bytes: source.data } } }
}

interface Bytes {
  readonly mime: string
  /** In base 64. */
  readonly data: string
}

function base64Of({ losses }: Encoding, source: Media, path: string): Bytes | undefined {
  switch (source.kind) {
    case 'base64':
      return { mime: typeOf(source), data: source.data }
    case 'text':
      return { mime: essenceOf(source.mime), data: Buffer.from(source.text).toString('base64') }
    case 'url':
      return void losses.refuse(path, 'this model takes files as bytes, not from an address')
    case 'file':
      return void losses.refuse(path, 'a file stored at another vendor cannot be sent to this model')
  }
}

/** An archive is what its sender says it is: office documents are archives. */
function typeOf({ mime, data }: Media & { kind: 'base64' }): string {
  const start = Buffer.from(data.slice(0, SNIFFED_BYTES * 2), 'base64')
  const found = sniffedType(start)
  return found === undefined || found === 'application/zip' ? essenceOf(mime) : found
}
