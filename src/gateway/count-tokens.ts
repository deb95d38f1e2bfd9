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

/** Tokens of a whole request, from its bytes alone: media are recognised as long strings without a space. */
export function estimateTokens(body: ScannedObject): number {
  const bytes = bufferOf(body.bytes)
  const media = bytes.includes('base64') ? findMedia(bytes) : { bytes: 0, count: 0 }
  return Math.ceil((bytes.length - media.bytes) / CHARACTERS_PER_TOKEN) + media.count * TOKENS_PER_IMAGE
}

function findMedia(bytes: Buffer): { readonly bytes: number; readonly count: number } {
  let found = 0
  let count = 0
  for (let quote = bytes.indexOf(QUOTE); quote >= 0;) {
    const next = bytes.indexOf(QUOTE, quote + 1)
    if (next < 0) break
    if (next - quote > MEDIA_CHARACTERS_MIN && !bytes.subarray(quote, next).includes(SPACE)) {
      found += next - quote
      count++
    }
    quote = next
  }
  return { bytes: found, count }
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
