/**
 * One item of a provider's answer → events. Deltas come first, or not at all; every `done` and the terminal snapshot repeat the
 * whole, of which only what is missing is taken. Items arrive interleaved, events may not: each item keeps its events until its
 * turn has come.
 */
import { type Json, type JsonObject } from '../../core/json.ts'
import type { ChatEvent } from '../neutral.ts'

export abstract class ItemDecoder {
  readonly type: string
  readonly ids: readonly string[]
  isDone = false
  /** It asks the client to run a tool. */
  isCall = false
  /** It does so without saying which. */
  isNameless = false
  /** It holds a refusal in words. */
  isRefusal = false
  #events: ChatEvent[] = []

  constructor(type: string, item: JsonObject) {
    this.type = type
    this.ids = idsOf(item)
  }

  /** The events since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** An event of the stream that belongs to this item; `event` is its type without `response.`. */
  abstract push(event: string, data: JsonObject): void

  /** The item is complete, as `item` shows it; or the stream went on without saying so. */
  done(item: JsonObject, isCut: boolean): void {
    if (this.isDone) return
    this.isDone = true
    this.close(item, isCut)
  }

  protected abstract close(item: JsonObject, isCut: boolean): void

  protected emit(event: ChatEvent): void {
    this.#events.push(event)
  }
}

/** What two descriptions of one item have in common, if anything. */
export function idsOf(item: JsonObject): readonly string[] {
  return [item['call_id'], item['id']].filter((id) => typeof id === 'string' && id !== '') as string[]
}

/** What `whole` has beyond what was already given out; nothing when the two disagree. */
export function missing(whole: string | undefined, given: string): string {
  return whole !== undefined && whole.startsWith(given) ? whole.slice(given.length) : ''
}

/** More parts than any answer has; a larger index is nonsense and would only make arrays sparse. */
const PARTS_MAX = 10_000

/** Where a part stands in its item. */
export function indexOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < PARTS_MAX ? value : 0
}
