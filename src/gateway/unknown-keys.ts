/** Slows guessing of gateway keys down. Only credentials that open nothing count, so a right key always gets through. */
import { failure, type Failure } from '../core/failure.ts'

/** Wrong keys that one source may present in a minute before it has to wait for the next. */
export const UNKNOWN_KEYS_PER_MINUTE = 60
/** Sources that are remembered; the one seen longest ago goes first. */
const SOURCES_MAX = 10_000
const WINDOW_MS = 60_000

interface Source {
  readonly windowStartMs: number
  count: number
}

export class UnknownKeys {
  readonly #sources = new Map<string, Source>()

  /** What to answer to a credential that opens nothing: its own refusal, or `limited` when the source has sent too many. */
  refuse(refusal: Failure, address: string | null, nowMs: number): Failure {
    const name = address ?? 'unknown'
    const known = this.#sources.get(name)
    const isCurrent = known !== undefined && nowMs - known.windowStartMs < WINDOW_MS && nowMs >= known.windowStartMs
    const source = isCurrent ? known : { windowStartMs: nowMs, count: 0 }
    source.count++
    this.#remember(name, source)
    if (source.count <= UNKNOWN_KEYS_PER_MINUTE) return refusal
    const retryAfterMs = source.windowStartMs + WINDOW_MS - nowMs
    return failure('limited', 'Too many wrong gateway keys came from this address.', { retryAfterMs })
  }

  #remember(name: string, source: Source): void {
    this.#sources.delete(name)
    this.#sources.set(name, source)
    if (this.#sources.size <= SOURCES_MAX) return
    for (const oldest of this.#sources.keys()) {
      this.#sources.delete(oldest)
      return
    }
  }
}
