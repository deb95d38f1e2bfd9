/** Media as a URL that may hold the bytes themselves, with the type that the bytes show instead of the one that was claimed. */
import type { Media } from './neutral.ts'

const DATA_URL = /^data:([^,]*),/i
const DEFAULT_MIME = 'application/octet-stream'
/** Enough base64 to hold every signature below; the rest is never looked at. */
const SNIFFED_CHARACTERS = 24

/** Base64 of a file's first bytes → its type. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^JVBERi0/, 'application/pdf'],
]

/** A URL as neutral media: `data:` becomes base64, anything else stays a URL. */
export function mediaFromUrl(url: string): Media {
  const head = DATA_URL.exec(url)
  if (head === null) return { kind: 'url', url }
  const [claimed = '', ...parameters] = (head[1] ?? '').split(';')
  const payload = url.slice(head[0].length)
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  const data = isBase64 ? payload : Buffer.from(percentDecoded(payload)).toString('base64')
  return { kind: 'base64', mime: mimeOf(claimed, data), data }
}

/** The type of base64 `data`: what its first bytes say, else what was claimed. */
export function mimeOf(claimed: string, data: string): string {
  const start = data.slice(0, SNIFFED_CHARACTERS)
  const seen = SIGNATURES.find(([signature]) => signature.test(start))?.[1]
  const said = claimed.trim().toLowerCase()
  return seen ?? (said === 'image/jpg' ? 'image/jpeg' : said === '' ? DEFAULT_MIME : said)
}

export function dataUrl(mime: string, data: string): string {
  return `data:${mime};base64,${data}`
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // not percent-encoded after all: the text is the payload
  }
}
