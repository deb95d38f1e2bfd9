/**
 * What a key has used on the present day of its zone. It is counted here from the first request on that a limit per day concerns;
 * what came before on that day, from this process or earlier ones, is read from the ledger once.
 */
import { err, ok, type Result } from '../../core/result.ts'
import type { KeyUse } from '../../ledger/day-use.ts'
import type { SpendWindow } from '../../ledger/spending/spending.ts'
import type { Period, Windows } from '../../ledger/spending/windows.ts'
import type { Limits } from '../../resources/plans/limits.ts'

export interface DayDeps {
  /** Wall clock, UTC. */
  readonly nowMs: () => number
  readonly windows: Windows
  /** What requests of a key that are over have used since `fromMs`. The error says why nobody knows. */
  readonly keyUse: (keyId: string, fromMs: number) => Promise<Result<KeyUse, { readonly message: string }>>
}

export class KeyDay {
  readonly #deps: DayDeps
  readonly timezone: string
  readonly #window: SpendWindow
  #period: Period
  #requests = 0
  #tokens = 0
  #recall: Promise<Result<undefined, string>> | undefined
  #isRecalled = false

  constructor(deps: DayDeps, timezone: string) {
    this.#deps = deps
    this.timezone = timezone
    this.#window = { kind: 'calendar', unit: 'day', timezone, anchorDay: 1 }
    this.#period = deps.windows.at(this.#window, deps.nowMs())
  }

  get isRecalled(): boolean {
    return this.#isRecalled
  }

  /**
   * Reads what came before; once, however many ask. `underWay`: how many are that came before, too; of those who ask, none is until it
   * knows. The error says why it cannot be read; the next one who asks tries again.
   */
  recall(keyId: string, { cacheReadWeight }: Limits, underWay: () => number): Promise<Result<undefined, string>> {
    this.#recall ??= this.#read(keyId, cacheReadWeight, underWay)
    return this.#recall
  }

  /** What counts now, and which day it counts in. A clock that goes back changes nothing: a day that is over stays over. */
  get now(): { readonly requests: number; readonly tokens: number; readonly startMs: number; readonly leftMs: number } {
    const nowMs = this.#deps.nowMs()
    const period = this.#deps.windows.at(this.#window, nowMs)
    if (period.startMs > this.#period.startMs) {
      this.#period = period
      this.#requests = 0
      this.#tokens = 0
    }
    const { startMs, endMs } = this.#period
    return { requests: this.#requests, tokens: this.#tokens, startMs, leftMs: Math.max(0, endMs - nowMs) }
  }

  add(requests: number, tokens: number): void {
    this.#requests += requests
    this.#tokens += tokens
  }

  /** An estimate was wrong by `tokens`. What was too much is given back to the day that it was counted in, if that is today. */
  correct(tokens: number, startMs: number): void {
    if (tokens > 0 || this.now.startMs === startMs) this.#tokens = Math.max(0, this.#tokens + tokens)
  }

  async #read(keyId: string, cacheReadWeight: number, underWay: () => number): Promise<Result<undefined, string>> {
    const { startMs } = this.#period
    const used = await this.#deps.keyUse(keyId, startMs)
    if (!used.ok) {
      this.#recall = undefined
      return err(used.error.message)
    }
    const { requests, inputTokens, cacheReadTokens, outputTokens } = used.value
    const tokens = inputTokens + cacheReadTokens * cacheReadWeight + outputTokens
    if (this.now.startMs === startMs) this.add(requests + underWay(), tokens)
    this.#isRecalled = true
    return ok(undefined)
  }
}
