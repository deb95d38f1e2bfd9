/** Pictures, sounds and documents as parts of a request. What cannot be sent is refused by name rather than left out. */
import type { JsonObject } from '../../core/json.ts'
import { mimeOf } from '../media/data-url.ts'
import type { MediaKind, TargetContext } from '../dialect.ts'
import { documentText } from '../media/document-text.ts'
import type { AudioPart, DocumentPart, ImagePart, Media } from '../neutral.ts'
import type { Encoding } from './encoding.ts'
import { ID, thinksByLevel, type WirePart } from './wire.ts'

type MediaPart = ImagePart | AudioPart | DocumentPart

/** Undefined when it was refused. */
export function encodeMedia(encoding: Encoding, part: MediaPart, path: string): WirePart | undefined {
  const { target, losses } = encoding
  if (part.type === 'image' && !target.capabilities.images) return refuse(encoding, path, 'this model takes no images')
  if (part.type === 'audio' && !target.capabilities.audio) return refuse(encoding, path, 'this model takes no audio')
  const text = part.type === 'document' ? documentText(part) : undefined
  if (text !== undefined) return { text }
  const source = encodeSource(encoding, part, path)
  if (part.type !== 'image' || part.detail === undefined || source === undefined) return source
  const level = LEVELS[part.detail]
  if (level !== undefined && thinksByLevel(target)) return { ...source, mediaResolution: { level } }
  if (part.detail !== 'auto') losses.drop('detail')
  return source
}

const LEVELS: Partial<Record<NonNullable<ImagePart['detail']>, string>> = {
  low: 'MEDIA_RESOLUTION_LOW',
  high: 'MEDIA_RESOLUTION_HIGH',
}

function encodeSource(encoding: Encoding, part: MediaPart, path: string): WirePart | undefined {
  const { source } = part
  switch (source.kind) {
    case 'base64':
      return { inlineData: { mimeType: typeOf(part, source), data: source.data } }
    case 'url':
      if (takesUrl(part.type, source.url, encoding.target)) return fileData(source.url, source.mime)
      return refuse(encoding, path, 'this model reads no media from such addresses')
    case 'file':
      if (source.origin === ID) return fileData(source.id)
      return refuse(encoding, path, 'a file stored at another vendor cannot be sent to this model')
    case 'text':
      return { text: source.text }
  }
}

function typeOf(part: MediaPart, { mime, data }: Media & { kind: 'base64' }): string {
  const claimed = part.type === 'audio' && part.format !== undefined && mime === '' ? `audio/${part.format}` : mime
  return mimeOf(claimed, data)
}

function fileData(fileUri: string, mimeType?: string): JsonObject {
  return { fileData: { ...(mimeType === undefined ? {} : { mimeType }), fileUri } }
}

/** Addresses that mean something to the vendor itself: its stores and its films. */
const VENDOR_URLS: readonly RegExp[] = [
  /^gs:\/\//,
  /^https:\/\/generativelanguage\.googleapis\.com\/v[^/]+\/files\//,
  /^https:\/\/(?:www\.)?youtube\.com\/(?:watch|shorts|live)/,
  /^https:\/\/youtu\.be\//,
]

/** Other addresses are for hosts that fetch them by themselves. */
export function takesUrl(_kind: MediaKind, url: string, { quirks }: TargetContext): boolean {
  return VENDOR_URLS.some((pattern) => pattern.test(url)) || (quirks.fetchesUrls === true && url.startsWith('https://'))
}

function refuse({ losses }: Encoding, path: string, claim: string): undefined {
  losses.refuse(path, claim)
  return undefined
}
