/**
 * Answers whose clients have gone and that are read on for a while, because only their end tells what they cost. They still count as
 * under way: for the process, and for the limits of their accounts.
 */
import type { Live } from './stream.ts'
import type { StreamStep } from './stream-mode.ts'

/** At the same time; beyond it the provider is let go at once, as without any draining. */
export const DRAINS_MAX = 64

export class Drains {
  readonly #stops = new Set<() => void>()
  #closed = false

  /** Counts one in, which `stop` ends; the returned function counts it out. Undefined when there may be no more. */
  enter(stop: () => void): (() => void) | undefined {
    if (this.#closed || this.#stops.size >= DRAINS_MAX) return undefined
    this.#stops.add(stop)
    return () => void this.#stops.delete(stop)
  }

  /** Ends all, and none begins any more. */
  close(): void {
    this.#closed = true
    for (const stop of this.#stops) stop()
  }
}

/** Reads to the end, or to whatever ends it. `reading`: the read that is under way. True when the answer came to its own end. */
export async function readOn(live: Live, reading: Promise<StreamStep> | undefined): Promise<boolean> {
  let step = await (reading ?? live.step())
  while (!step.ended && step.failure === undefined) step = await live.step()
  return step.ended
}
