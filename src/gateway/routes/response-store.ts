/**
 * Answers that clients may go on from by their id. Those that were translated are kept here, in memory alone, with the
 * conversation that led to them; of those that a provider keeps itself, only the account that issued them. A gateway key sees
 * its own and no other.
 */
import { BoundedMap, type Bounds } from '../../core/bounded-map.ts'
import { DAY_MS } from '../../core/duration.ts'
import type { JsonObject } from '../../core/json.ts'

const MIB = 1024 * 1024

/** 1,000 answers for each key, 64 MiB for all of them, a day after their last use. */
export const KEPT_BOUNDS: Bounds = { entriesPerOwnerMax: 1_000, bytesMax: 64 * MIB, ttlMs: DAY_MS }
/** As long as the vendor keeps them. https://platform.openai.com/docs/guides/your-data (read 2026-11-21) */
export const ISSUED_BOUNDS: Bounds = { entriesPerOwnerMax: 50_000, bytesMax: 32 * MIB, ttlMs: 30 * DAY_MS }
/** Where an item is found: twenty or so for each answer. */
const ITEM_BOUNDS: Bounds = { entriesPerOwnerMax: 50_000, bytesMax: 16 * MIB, ttlMs: DAY_MS }

export interface KeptAnswer {
  /** As the client got it. */
  readonly answer: JsonObject
  /** The conversation before it, as items of the client's dialect. */
  readonly input: readonly JsonObject[]
  /** What it added to the conversation. */
  readonly output: readonly JsonObject[]
  /** About what all of it takes. */
  readonly bytes: number
  /** Of the conversation with what it added: an estimate of what a model reads. */
  readonly tokens: number
}

export class ResponseStore {
  readonly #answers: BoundedMap<KeptAnswer>
  readonly #items = new BoundedMap<string>(ITEM_BOUNDS)

  constructor(bounds: Bounds = KEPT_BOUNDS) {
    this.#answers = new BoundedMap(bounds)
  }

  get size(): number {
    return this.#answers.size
  }

  get bytes(): number {
    return this.#answers.bytes
  }

  get(keyId: string, id: string, nowMs: number): KeptAnswer | undefined {
    return this.#answers.get(keyId, id, nowMs)
  }

  /** An item of a kept conversation. */
  item(keyId: string, itemId: string, nowMs: number): JsonObject | undefined {
    const id = this.#items.get(keyId, itemId, nowMs)
    const kept = id === undefined ? undefined : this.get(keyId, id, nowMs)
    return kept && [...kept.output, ...kept.input].find((item) => item['id'] === itemId)
  }

  put(keyId: string, id: string, kept: KeptAnswer, nowMs: number): void {
    this.#answers.set(keyId, id, kept, kept.bytes, nowMs)
    for (const { id: itemId } of [...kept.input, ...kept.output]) {
      if (typeof itemId === 'string') this.#items.set(keyId, itemId, id, id.length, nowMs)
    }
  }

  /** Whether there was one. */
  remove(keyId: string, id: string): boolean {
    return this.#answers.delete(keyId, id)
  }

  clear(): void {
    this.#answers.clear()
    this.#items.clear()
  }
}

export interface Issuer {
  readonly providerId: string
  readonly accountId: string
  readonly model: string
}

/** Which account issued an answer that its provider keeps. */
export class IssuedAnswers {
  readonly #issuers = new BoundedMap<Issuer>(ISSUED_BOUNDS)

  note(keyId: string, id: string, issuer: Issuer, nowMs: number): void {
    this.#issuers.set(keyId, id, issuer, issuer.model.length, nowMs)
  }

  find(keyId: string, id: string, nowMs: number): Issuer | undefined {
    return this.#issuers.get(keyId, id, nowMs)
  }

  remove(keyId: string, id: string): boolean {
    return this.#issuers.delete(keyId, id)
  }
}
