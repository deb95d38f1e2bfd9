/**
 * `reasoning_details`: the list in which a host, or we ourselves, hand a client the opaque state of reasoning.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11-21)
 *
 * A host's list comes back to it as one whole, so it travels as the blob of one Opaque. Our own list has one entry for each
 * reasoning part of an answer, with the part's state sealed in an envelope.
 */
import { asArray, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Opaque, ReasoningPart } from '../neutral.ts'
import { openOpaque, sealOpaque } from '../opaque.ts'

/** Members that arrive in fragments; the others are repeated or come once. */
const GROWING = ['text', 'summary', 'data'] as const
const DETAILS_MAX = 256

/** Puts the fragments of a host's list together again. */
export class ReasoningDetails {
  #entries: Record<string, Json | undefined>[] = []
  #places = new Map<string, Record<string, Json | undefined>>()

  /** Takes a delta's list and returns the text in it. */
  push(list: Json | undefined): string {
    let text = ''
    for (const fragment of asArray(list) ?? []) {
      if (!isObject(fragment)) continue
      this.#merge(fragment)
      text += asString(fragment['text']) ?? asString(fragment['summary']) ?? ''
    }
    return text
  }

  /** What has to come back to the host unchanged, if anything; afterwards the list is empty. */
  take(vendor: string): Opaque | undefined {
    const entries = this.#entries
    this.#entries = []
    this.#places = new Map()
    const encrypted = entries.some((entry) => typeof entry['data'] === 'string')
    const signed = entries.some((entry) => typeof entry['signature'] === 'string')
    if (!encrypted && !signed) return undefined
    return { vendor, kind: encrypted ? 'encrypted' : 'signature', blob: JSON.stringify(entries) }
  }

  get hasState(): boolean {
    return this.#entries.some((entry) => typeof entry['data'] === 'string' || typeof entry['signature'] === 'string')
  }

  #merge(fragment: JsonObject): void {
    const place = `${asString(fragment['type']) ?? ''}:${String(fragment['index'] ?? '')}`
    const known = this.#places.get(place)
    if (known === undefined || (fragment['index'] === undefined && known['data'] !== undefined)) {
      if (this.#entries.length >= DETAILS_MAX) return
      const entry = { ...fragment }
      this.#entries.push(entry)
      this.#places.set(place, entry)
      return
    }
    for (const [name, value] of Object.entries(fragment)) {
      const before = known[name]
      const grows = (GROWING as readonly string[]).includes(name) && typeof before === 'string'
      if (grows && typeof value === 'string') known[name] = before + value
      else if (value !== null && value !== undefined) known[name] = value
    }
  }
}

/** The host's own list out of a blob that `ReasoningDetails` made; undefined for state of another form. */
export function detailsOf(opaque: Opaque): readonly JsonObject[] | undefined {
  if (!opaque.blob.startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(opaque.blob)
    return Array.isArray(list) && list.every(isObject) ? list : undefined
  } catch {
    return undefined // a blob that only looks like a list belongs to another form
  }
}

/** Our entry for one part of an answer; undefined when the part has no state. */
export function sealedDetail(part: Omit<ReasoningPart, 'type'>, index: number): JsonObject | undefined {
  if (part.opaque === undefined || part.opaque.blob === '') return undefined
  const sealed = sealOpaque(part.opaque)
  if (part.text === '') return { type: 'reasoning.encrypted', data: sealed, index }
  return { type: 'reasoning.text', text: part.text, signature: sealed, index }
}

/** The reasoning of an assistant turn as a client replays it. A host's own state, of unknown origin by now, is left behind. */
export function replayedReasoning(details: readonly JsonObject[], text: string): readonly ReasoningPart[] {
  const parts = details.flatMap((detail) => openedDetail(detail) ?? [])
  if (parts.length > 0) return parts
  return text === '' ? [] : [{ type: 'reasoning', text, redacted: false }]
}

function openedDetail(detail: JsonObject): ReasoningPart | undefined {
  const sealed = asString(detail['signature']) ?? asString(detail['data'])
  const opaque = sealed === undefined ? undefined : openOpaque(sealed)
  if (opaque === undefined) return undefined
  const text = asString(detail['text']) ?? ''
  return { type: 'reasoning', text, opaque, redacted: text === '' && opaque.kind !== 'signature' }
}
