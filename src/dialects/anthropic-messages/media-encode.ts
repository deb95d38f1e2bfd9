/** Pictures and documents as the provider takes them. What it cannot take is refused by name rather than left out. */
import type { JsonObject } from '../../core/json.ts'
import { mimeOf } from '../media/data-url.ts'
import type { DocumentPart, ImagePart, Media } from '../neutral.ts'
import { cacheControl } from './cache-marks.ts'
import { refuse, type Encoding } from './encoding.ts'
import { ID, type WireBlock } from './wire.ts'

/** https://platform.claude.com/docs/en/build-with-claude/vision (read 2026-11-21) */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

export function encodeImage(encoding: Encoding, part: ImagePart, path: string): WireBlock | undefined {
  if (!encoding.target.capabilities.images) return refuse(encoding, path, 'this model takes no images')
  if (part.detail !== undefined && part.detail !== 'auto') encoding.dropped.add('detail')
  const source = imageSource(encoding, part.source, path)
  return source && { type: 'image', source, ...cacheControl(part) }
}

function imageSource(encoding: Encoding, source: Media, path: string): JsonObject | undefined {
  switch (source.kind) {
    case 'base64': {
      const mime = mimeOf(source.mime, source.data)
      if (!IMAGE_TYPES.has(mime)) return refuse(encoding, path, `images of type ${mime} cannot be sent to this model`)
      return { type: 'base64', media_type: mime, data: source.data }
    }
    case 'url':
      return { type: 'url', url: source.url }
    case 'file':
      return fileSource(encoding, source, path)
    case 'text':
      return refuse(encoding, path, 'text is not an image')
  }
}

export function encodeDocument(encoding: Encoding, part: DocumentPart, path: string): WireBlock | undefined {
  const source = documentSource(encoding, part.source, path)
  const title = part.title ?? part.source.filename
  return (
    source && {
      type: 'document',
      source,
      ...(title === undefined ? {} : { title }),
      ...(part.context === undefined ? {} : { context: part.context }),
      ...(part.citations === true ? { citations: { enabled: true } } : {}),
      ...cacheControl(part),
    }
  )
}

function documentSource(encoding: Encoding, source: Media, path: string): JsonObject | undefined {
  switch (source.kind) {
    case 'base64': {
      const mime = mimeOf(source.mime, source.data)
      if (mime === 'application/pdf') return { type: 'base64', media_type: mime, data: source.data }
      if (mime.startsWith('text/')) return textSource(Buffer.from(source.data, 'base64').toString('utf8'))
      return refuse(encoding, path, `documents of type ${mime} cannot be sent to this model`)
    }
    case 'url':
      return { type: 'url', url: source.url }
    case 'file':
      return fileSource(encoding, source, path)
    case 'text':
      return textSource(source.text)
  }
}

function textSource(text: string): JsonObject {
  return { type: 'text', media_type: 'text/plain', data: text }
}

function fileSource(
  encoding: Encoding,
  { id, origin }: Media & { kind: 'file' },
  path: string,
): JsonObject | undefined {
  if (origin === ID) return { type: 'file', file_id: id }
  return refuse(encoding, path, 'a file stored at another vendor cannot be sent to this model')
}
