/** Lets the blocks of an answer speak one after another, in the order of their beginnings, however their events are mixed. */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'

/** Blocks that may wait for the one that speaks, and events of all of them together. */
export const WAITING_BLOCKS_MAX = 128
export const WAITING_EVENTS_MAX = 65_536

export const TOO_MUCH_WAITS: Failure = failure(
  'server',
  'The provider mixed more parts of its answer than the gateway can hold back.',
)

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
  #waitingEvents = 0

  /** More waits than may; what is pushed from then on is lost, so the answer has to fail. */
  get overflowed(): boolean {
    return this.#slots.length > WAITING_BLOCKS_MAX || this.#waitingEvents > WAITING_EVENTS_MAX
  }

  /** The events that may be told now. A block begins with its first event, of whatever kind. */
  push(index: number, event: BlockEvent): readonly BlockEvent[] {
    if (this.overflowed) return []
    const slot = this.#slots.find((one) => one.index === index && !one.closed) ?? this.#open(index)
    slot.waiting.push(event)
    this.#waitingEvents++
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
      for (const event of first.waiting) events.push(event)
      this.#waitingEvents -= first.waiting.length
      first.waiting = []
      if (!first.closed) break
      this.#slots.shift()
    }
    return events
  }
}
