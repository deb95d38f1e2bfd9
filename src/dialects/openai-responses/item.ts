/** One item of a streamed response. An item that turns out to hold nothing is never announced. */
import type { JsonObject } from '../../core/json.ts'
import type { ChatEvent } from '../neutral.ts'
import type { WireEvent } from './wire.ts'

/** Writes an event under the item's output index. */
export type Announce = (event: WireEvent) => void

export interface Item {
  push(event: ChatEvent): void
  /** The finished item, announced as done; undefined when it never came to be. `isCut`: the answer was ended inside it. */
  close(isCut: boolean): JsonObject | undefined
  /** The item as far as it came, for an answer that failed. */
  abandon(): JsonObject | undefined
}

/** Holds back half a character at the end of a delta: clients in some languages cannot put the halves together. */
export class Halves {
  #held = ''

  join(text: string): string {
    const whole = this.#held + text
    const last = whole.charCodeAt(whole.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    this.#held = isHalf ? whole.slice(-1) : ''
    return isHalf ? whole.slice(0, -1) : whole
  }

  rest(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}
