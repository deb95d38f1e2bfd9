/** Media as a URL that may hold the bytes themselves, with the type that the bytes show instead of the one that was claimed. */
import { essenceOf, sniffedType, SNIFFED_BYTES } from '../../core/media-type.ts'
import type { Media } from '../neutral.ts'

const SCHEME = /^data:/i
/** A type and its parameters are short; a comma further on belongs to something else. */
const HEAD_LENGTH_MAX = 256
const DEFAULT_MIME = 'application/octet-stream'
/** What a `data:` URL holds when it does not say. https://www.rfc-editor.org/rfc/rfc2397 (read 2026-11-21) */
const UNNAMED_MIME = 'text/plain'
/** Base64 of a file's first bytes; the rest is never decoded to learn its type. */
const SNIFFED_CHARACTERS = Math.ceil(SNIFFED_BYTES / 3) * 4

/** A URL as neutral media: `data:` becomes base64, whatever its parameters and its coding; anything else stays a URL. */
export function mediaFromUrl(url: string): Media {
  const comma = SCHEME.test(url) ? url.slice(0, HEAD_LENGTH_MAX).indexOf(',') : -1
  if (comma < 0) return { kind: 'url', url }
  const [claimed = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  const payload = url.slice(comma + 1)
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  const data = isBase64 ? plainBase64(payload) : percentDecoded(payload).toString('base64')
  return { kind: 'base64', mime: mimeOf(claimed.trim() === '' ? UNNAMED_MIME : claimed, data), data }
}

/** The type of base64 `data`: what its first bytes say, else what was claimed. */
export function mimeOf(claimed: string, data: string): string {
  const seen = sniffedType(Buffer.from(data.slice(0, SNIFFED_CHARACTERS), 'base64'))
  const said = essenceOf(claimed)
  // A zip is the shell of many formats, which only the sender can tell apart.
  if (seen !== undefined && seen !== 'application/zip') return seen
  return said === '' ? (seen ?? DEFAULT_MIME) : said
}

export function dataUrl(mime: string, data: string): string {
  return `data:${mime};base64,${data}`
}

/** As providers read it: the usual alphabet, nothing escaped, no spaces. Nearly always it is that already. */
function plainBase64(payload: string): string {
  if (!/[%\s_-]/.test(payload)) return payload
  const text = payload.includes('%') ? percentDecoded(payload).toString('latin1') : payload
  return text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
}

const PERCENT = 0x25

/** Each `%hh` as its byte, everything else as UTF-8; a `%` that begins no escape stands for itself. */
function percentDecoded(text: string): Buffer {
  const encoded = Buffer.from(text, 'utf8')
  if (!encoded.includes(PERCENT)) return encoded
  const decoded = Buffer.allocUnsafe(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] === PERCENT ? escapedByte(encoded, at) : undefined
    decoded[length++] = byte ?? encoded[at] ?? 0
    if (byte !== undefined) at += 2
  }
  return decoded.subarray(0, length)
}

function escapedByte(bytes: Buffer, at: number): number | undefined {
  const digits = bytes.toString('latin1', at + 1, at + 3)
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}
