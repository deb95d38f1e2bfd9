/** What the gateway keeps of conversations between their requests: in this process alone, bounded, never on disk. */
import { RefusedState } from './prefix-change.ts'

export interface Memory {
  readonly refused: RefusedState
}

export function newMemory(): Memory {
  return { refused: new RefusedState() }
}
