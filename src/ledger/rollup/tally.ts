/** What is added up over requests: each sum as the SQL that one row adds to it, each spread as the value that is put into a bin. */
import { type Bins, binOf, writeBins } from '../../core/spread.ts'

/** An answer is short up to this many tokens, and its question up to `SHORT_INPUT`: what a small model does as well. */
export const SHORT_OUTPUT = 200
export const SHORT_INPUT = 2_000

const TIMED = 'ms_total > ms_first_token AND output > 0'
const SHORT = `status = 'ok' AND output BETWEEN 1 AND ${SHORT_OUTPUT}
  AND input_uncached + cache_read + cache_write_5m + cache_write_1h <= ${SHORT_INPUT}
  AND facts ->> 'tools' = 0 AND facts ->> 'thinking' = 0`
const FAILED_ATTEMPTS = 'FROM attempts WHERE request_seq = requests.seq AND failure IS NOT NULL'

/** By the column of the roll-ups. Every one is a whole number of a row of `requests`. */
export const SUMS = {
  requests: '1',
  ok: "status = 'ok'",
  failed: "status IN ('error', 'blocked', 'interrupted')",
  cut: "status = 'cut'",
  cancelled: "status = 'cancelled'",
  input_uncached: 'input_uncached',
  cache_read: 'cache_read',
  cache_write_5m: 'cache_write_5m',
  cache_write_1h: 'cache_write_1h',
  output: 'output',
  reasoning: 'reasoning',
  audio_in: 'audio_in',
  audio_out: 'audio_out',
  image_in: 'image_in',
  web_searches: 'web_searches',
  cost_nano: 'cost_nano',
  cost_unknown: "coalesce(cost_source = 'unknown', 0)",
  saved_cache_nano: 'saved_cache_nano',
  saved_affinity_nano: 'saved_affinity_nano',
  saved_routing_nano: 'saved_routing_nano',
  // While answers ran, from their first token on: what speed is measured by.
  timed_output: `iif(${TIMED}, output, 0)`,
  timed_ms: `iif(${TIMED}, ms_total - ms_first_token, 0)`,
  short: `iif(${SHORT}, 1, 0)`,
  short_cost_nano: `iif(${SHORT}, cost_nano, 0)`,
  failed_attempts: `(SELECT count(*) ${FAILED_ATTEMPTS})`,
  failed_cost_nano: `(SELECT coalesce(sum(cost_nano), 0) ${FAILED_ATTEMPTS})`,
} as const

export type SumName = keyof typeof SUMS
export const SUM_NAMES = Object.keys(SUMS) as readonly SumName[]

/** Values whose distribution is kept, in the unit of the column. */
export const SPREADS = {
  latency: 'ms_total',
  first_token: 'ms_first_token',
  gateway: 'gateway_us',
} as const

export type SpreadKind = keyof typeof SPREADS
export const SPREAD_KINDS = Object.keys(SPREADS) as readonly SpreadKind[]

/** What one request adds. */
export interface Amounts {
  /** In the order of `SUM_NAMES`. */
  readonly sums: readonly number[]
  /** In the order of `SPREAD_KINDS`; null: nothing was measured. */
  readonly values: readonly (number | null)[]
}

/** Sums and spreads of any number of requests. */
export class Tally {
  readonly sums: number[] = SUM_NAMES.map(() => 0)
  readonly #spreads: readonly Bins[] = SPREAD_KINDS.map(() => new Map())

  add({ sums, values }: Amounts): void {
    for (const [at, amount] of sums.entries()) this.sums[at] = (this.sums[at] ?? 0) + amount
    for (const [at, value] of values.entries()) {
      const bins = this.#spreads[at]
      if (value === null || bins === undefined) continue
      const bin = binOf(value)
      bins.set(bin, (bins.get(bin) ?? 0) + 1)
    }
  }

  /** What another has added up. */
  addAll(other: Tally): void {
    for (const [at, amount] of other.sums.entries()) this.sums[at] = (this.sums[at] ?? 0) + amount
    for (const [at, bins] of other.#spreads.entries()) {
      const mine = this.#spreads[at]
      for (const [bin, count] of bins) mine?.set(bin, (mine.get(bin) ?? 0) + count)
    }
  }

  /** Only the sums: what was measured stays as it is. */
  changeSince(before: Tally | undefined): Tally {
    const change = new Tally()
    for (const [at, sum] of this.sums.entries()) change.sums[at] = sum - (before?.sums[at] ?? 0)
    return change
  }

  get isNothing(): boolean {
    return this.sums.every((sum) => sum === 0)
  }

  spreads(): readonly string[] {
    return this.#spreads.map(writeBins)
  }
}
