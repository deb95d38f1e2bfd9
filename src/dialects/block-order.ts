/** Lets the blocks of an answer speak one after another, in the order of their beginnings, however their events are mixed. */
import type { JsonObject } from '../core/json.ts'

export type BlockEvent =
  | { readonly type: 'start'; readonly start: JsonObject }
  | { readonly type: 'delta'; readonly delta: JsonObject }
  | { readonly type: 'stop' }

interface Slot {
  readonly index: number
  /** What the block has said while an earlier one was open. */
  waiting: BlockEvent[]
  closed: boolean
}

export class BlockOrder {
  #slots: Slot[] = []

  /** The events that may be told now. A block begins with its first event, of whatever kind. */
  push(index: number, event: BlockEvent): readonly BlockEvent[] {
    const slot = this.#slots.find((one) => one.index === index && !one.closed) ?? this.#open(index)
    slot.waiting.push(event)
    slot.closed = event.type === 'stop'
    return this.#advance()
  }

  /** The answer ended: what blocks are still waiting with. */
  finish(): readonly BlockEvent[] {
    for (const slot of this.#slots.filter(({ closed }) => !closed)) {
      slot.waiting.push({ type: 'stop' })
      slot.closed = true
    }
    return this.#advance()
  }

  #open(index: number): Slot {
    const slot: Slot = { index, waiting: [], closed: false }
    this.#slots.push(slot)
    return slot
  }

  #advance(): readonly BlockEvent[] {
    const events: BlockEvent[] = []
    for (let first = this.#slots[0]; first !== undefined; first = this.#slots[0]) {
      events.push(...first.waiting)
      first.waiting = []
      if (!first.closed) break
      this.#slots.shift()
    }
    return events
  }
}
