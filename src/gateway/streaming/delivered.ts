/**
 * What went through of a stream that nobody decodes, in tokens: by the bytes of its content, less what each event has around them.
 * How much that is shows in the first one, since all of a stream are alike. For when the provider's own count never comes.
 */
import type { Frame } from '../../core/framing/frame.ts'
import { isObject, type Json, parseJson } from '../../core/json.ts'

const BYTES_PER_TOKEN = 4
/** A longer event is not looked into; it has about so much around its content. */
const LOOKED_AT_MAX = 64 * 1024
const AROUND_BYTES = 256
/** The names under which formats have what a model says, thinks or calls with. */
const CONTENT: ReadonlySet<string> = new Set([
  'content',
  'text',
  'delta',
  'thinking',
  'reasoning',
  'reasoning_content',
  'refusal',
  'arguments',
  'partial_json',
  'response',
])

export class Delivered {
  #frames = 0
  #bytes = 0
  /** Of an event without its content; no event is shorter. */
  #aroundBytes = Infinity

  /** An event with content. */
  push({ bytes, data }: Frame): void {
    if (this.#frames === 0) this.#aroundBytes = bytes.length - contentIn(bytes, data)
    this.#frames++
    this.#bytes += bytes.length
    this.#aroundBytes = Math.min(this.#aroundBytes, bytes.length)
  }

  /** At least one for each event. */
  get tokens(): number {
    if (this.#frames === 0) return 0
    return Math.max(this.#frames, Math.ceil((this.#bytes - this.#frames * this.#aroundBytes) / BYTES_PER_TOKEN))
  }
}

function contentIn(bytes: Uint8Array, data: string): number {
  return data.length > LOOKED_AT_MAX ? bytes.length - AROUND_BYTES : contentBytes(parseJson(data))
}

function contentBytes(value: Json | undefined, isContent = false): number {
  if (typeof value === 'string') return isContent ? Buffer.byteLength(JSON.stringify(value)) - QUOTES : 0
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + contentBytes(item, isContent), 0)
  if (!isObject(value)) return 0
  return Object.entries(value).reduce((sum, [name, inner]) => sum + contentBytes(inner, CONTENT.has(name)), 0)
}

const QUOTES = 2
