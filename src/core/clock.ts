/** The only source of time. Wall time stamps rows and windows; monotonic time drives timers, cooldowns and latencies. */
export interface Clock {
  /** Milliseconds since 1970, UTC; may jump. */
  nowMs(): number
  /** Milliseconds from an arbitrary start, with fractions; never goes back. */
  monotonicMs(): number
  /** Calls `due` once after `delayMs`; the returned function cancels it. Does not keep the process alive. */
  after(delayMs: number, due: () => void): () => void
  /** Calls `due` every `periodMs` until cancelled. Does not keep the process alive. */
  every(periodMs: number, due: () => void): () => void
}
