/** Whether an answer that has begun comes fast enough, judged over half a minute at a time. */
import { SECOND_MS } from '../../core/duration.ts'

const WINDOW_MS = 30_000

export class Pace {
  readonly #minTokensPerS: number | null
  #fromMs: number | undefined
  #fromTokens = 0

  /** Null: however slow. */
  constructor(minTokensPerS: number | null) {
    this.#minTokensPerS = minTokensPerS
  }

  start(nowMs: number, tokens: number): void {
    this.#fromMs = nowMs
    this.#fromTokens = tokens
  }

  /** `tokens`: of the whole answer so far. True once a whole window has brought too few; a window that was fine begins anew. */
  isTooSlow(nowMs: number, tokens: number): boolean {
    if (this.#minTokensPerS === null || this.#fromMs === undefined) return false
    const passedMs = nowMs - this.#fromMs
    if (passedMs < WINDOW_MS) return false
    const isSlow = tokens - this.#fromTokens < (this.#minTokensPerS * passedMs) / SECOND_MS
    this.start(nowMs, tokens)
    return isSlow
  }
}
