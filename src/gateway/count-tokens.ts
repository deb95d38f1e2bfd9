/**
 * The local estimate of prompt tokens: about four characters for a token. It asks no provider and is not for billing; it tells
 * whether a request fits and stands in where a provider reports nothing.
 */
import { isObject, type JsonObject } from '../core/json.ts'
import { bufferOf, parseRange, type ScannedObject } from '../core/json-scan.ts'

export const CHARACTERS_PER_TOKEN = 4
const TOKENS_PER_IMAGE = 1_600
const MEDIA_CHARACTERS_MIN = 2_048
const QUOTE = 0x22
const SPACE = 0x20
/** A document's text is about a fifth of its base64 characters. */
const BASE64_CHARACTERS_PER_TOKEN = 20

/** Members that are no part of the prompt. */
const NOT_PROMPT: ReadonlySet<string> = new Set(['model', 'stream', 'metadata', 'max_tokens', 'stream_options'])

/** Where formats say that bytes follow. Without any of them, nobody looks for strings that are such. */
const MEDIA_MARKS = ['base64', '"inlineData"', '"inline_data"', '"input_audio"', '"images"'].map((mark) =>
  Buffer.from(mark),
)
/** How the base64 of a PDF begins, and how far from the beginning of its string that may be. */
const PDF_MARK = Buffer.from('JVBERi')
const PDF_WITHIN = 64
/** So much of a long string shows what it is. */
const SAMPLE_BYTES = 256
const BASE64 = /^[A-Za-z0-9+/=_-]+$/

/** Tokens of a whole request, from its bytes alone: media are recognised as long strings of base64. */
export function estimateTokens(body: ScannedObject): number {
  const bytes = bufferOf(body.bytes)
  const media = MEDIA_MARKS.some((mark) => bytes.includes(mark)) ? findMedia(bytes) : NO_MEDIA
  return Math.ceil((bytes.length - media.bytes) / CHARACTERS_PER_TOKEN) + media.tokens
}

interface Media {
  readonly bytes: number
  readonly tokens: number
}

const NO_MEDIA: Media = { bytes: 0, tokens: 0 }

function findMedia(bytes: Buffer): Media {
  let found = 0
  let tokens = 0
  for (let quote = bytes.indexOf(QUOTE); quote >= 0;) {
    const next = bytes.indexOf(QUOTE, quote + 1)
    if (next < 0) break
    const text = next - quote > MEDIA_CHARACTERS_MIN ? bytes.subarray(quote + 1, next) : undefined
    if (text !== undefined && isBase64(text)) {
      found += text.length
      tokens += mediaTokensIn(text)
    }
    quote = next
  }
  return { bytes: found, tokens }
}

function isBase64(text: Buffer): boolean {
  const middle = (text.length - SAMPLE_BYTES) >> 1
  return BASE64.test(text.toString('latin1', middle, middle + SAMPLE_BYTES)) && !text.includes(SPACE)
}

function mediaTokensIn(text: Buffer): number {
  const isPdf = text.subarray(0, PDF_WITHIN).includes(PDF_MARK)
  return isPdf ? Math.ceil(text.length / BASE64_CHARACTERS_PER_TOKEN) : TOKENS_PER_IMAGE
}

/** Text alone counted for `count_tokens`: what the model reads, not the JSON around it. */
export function countTokens(body: ScannedObject): number {
  let tokens = 0
  for (const member of body.members) {
    if (NOT_PROMPT.has(member.name)) continue
    tokens += tokensOf(parseRange(body.bytes, { start: member.valueStart, end: member.valueEnd }))
  }
  return Math.max(1, Math.ceil(tokens))
}

/** The same of messages, or whatever a format calls the items of a conversation. */
export function countItems(items: readonly JsonObject[]): number {
  return Math.ceil(tokensOf(items))
}

function tokensOf(value: unknown): number {
  if (typeof value === 'string') return textTokens(value)
  if (typeof value === 'number' || typeof value === 'boolean') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + tokensOf(item), 0)
  if (!isObject(value)) return 0
  const media = mediaTokens(value)
  if (media !== undefined) return media
  let tokens = 0
  for (const [name, inner] of Object.entries(value)) {
    if (name !== 'type' && name !== 'cache_control') tokens += tokensOf(inner)
  }
  return tokens
}

function mediaTokens(block: Readonly<Record<string, unknown>>): number | undefined {
  const inline = block['inlineData'] ?? block['inline_data']
  if (isObject(inline) && typeof inline['data'] === 'string') return inlineTokens(inline, inline['data'])
  const type = block['type']
  if (type === 'image' || type === 'image_url' || type === 'input_image') return TOKENS_PER_IMAGE
  const source = block['source']
  if (type !== 'document' || !isObject(source) || typeof source['data'] !== 'string') return undefined
  const perToken = source['type'] === 'base64' ? BASE64_CHARACTERS_PER_TOKEN : CHARACTERS_PER_TOKEN
  return source['data'].length / perToken
}

function inlineTokens({ mimeType, mime_type }: Readonly<Record<string, unknown>>, data: string): number {
  const mime = mimeType ?? mime_type
  const isImage = typeof mime === 'string' && mime.startsWith('image/')
  return isImage ? TOKENS_PER_IMAGE : data.length / BASE64_CHARACTERS_PER_TOKEN
}

function textTokens(text: string): number {
  return text.startsWith('data:') ? text.length / BASE64_CHARACTERS_PER_TOKEN : text.length / CHARACTERS_PER_TOKEN
}
