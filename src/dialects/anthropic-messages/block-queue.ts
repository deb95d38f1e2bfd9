/** Lets the blocks of an answer speak one after another, in the order of their starts, however the host mixed them. */
import type { JsonObject } from '../../core/json.ts'
import { WAITING_BLOCKS_MAX, WAITING_EVENTS_MAX } from '../answer/block-order.ts'
import type { ReplyContext } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { openBlock, type OpenBlock } from './block-decode.ts'

interface Slot {
  readonly index: number
  readonly block: OpenBlock
  /** What the block has said while an earlier one was open. */
  readonly waiting: ChatEvent[]
  isClosed: boolean
}

export class BlockQueue {
  readonly #context: ReplyContext
  #slots: Slot[] = []
  #waitingEvents = 0

  constructor(context: ReplyContext) {
    this.#context = context
  }

  /** More waits than may; what opens from then on is lost, so the answer has to fail. */
  get overflowed(): boolean {
    return this.#slots.length > WAITING_BLOCKS_MAX || this.#waitingEvents > WAITING_EVENTS_MAX
  }

  /** A block that has the same index and was never closed ends here. */
  open(index: number, skeleton: JsonObject): readonly ChatEvent[] {
    if (this.overflowed) return []
    const before = this.close(index)
    const slot: Slot = { index, block: openBlock(skeleton, this.#context), waiting: [], isClosed: false }
    this.#slots.push(slot)
    return [...before, ...this.#say(slot, slot.block.open())]
  }

  /** A delta without a block, or of a kind that its block cannot hold, opens a block of its own kind. */
  delta(index: number, delta: JsonObject): readonly ChatEvent[] {
    const slot = this.#openSlot(index)
    if (slot?.block.takes(delta) === true) return this.#say(slot, slot.block.delta(delta))
    const type = KIND_OF_DELTA.get(delta['type'])
    if (type === undefined) return []
    const opened = this.open(index, { type })
    const fresh = this.#openSlot(index)
    return fresh === undefined ? opened : [...opened, ...this.#say(fresh, fresh.block.delta(delta))]
  }

  close(index: number): readonly ChatEvent[] {
    const slot = this.#openSlot(index)
    if (slot === undefined) return []
    const events = this.#say(slot, slot.block.close())
    slot.isClosed = true
    return [...events, ...this.#advance()]
  }

  closeAll(): readonly ChatEvent[] {
    return this.#slots.filter(({ isClosed }) => !isClosed).flatMap(({ index }) => this.close(index))
  }

  #openSlot(index: number): Slot | undefined {
    return this.#slots.findLast((slot) => slot.index === index && !slot.isClosed)
  }

  #say(slot: Slot, events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (this.#slots[0] === slot) return events
    for (const event of events) slot.waiting.push(event)
    this.#waitingEvents += events.length
    return []
  }

  /** The first block is closed: those behind it speak, up to and including one that is still open. */
  #advance(): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    while (this.#slots[0]?.isClosed === true) {
      this.#slots.shift()
      const told = this.#slots[0]?.waiting.splice(0) ?? []
      for (const event of told) events.push(event)
      this.#waitingEvents -= told.length
    }
    return events
  }
}

const KIND_OF_DELTA: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
])
