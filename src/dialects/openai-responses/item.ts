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
