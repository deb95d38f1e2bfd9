import type { NanoUsd } from '../../core/money.ts'
import type { CalendarUnit } from '../../ledger/spending/spending.ts'

/** What a key may use, and how fast: set by its plan, overridden by the key itself. Limits: null is unlimited, 0 is none at all. */

/** What happens to a request that asks for a longer answer than it may have. */
export const ON_OUTPUT_OVER = ['clamp', 'reject'] as const
export type OnOutputOver = (typeof ON_OUTPUT_OVER)[number]

export const BUDGET_PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'total'] as const satisfies readonly (
  CalendarUnit | 'total'
)[]
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

export interface Limits {
  readonly requestsPerMinute: number | null
  /** Of the calendar day in `timezone`. */
  readonly requestsPerDay: number | null
  /** Input and output. */
  readonly tokensPerMinute: number | null
  readonly tokensPerDay: number | null
  /** How much an input token counts that the provider had in its cache, 0 to 1. */
  readonly cacheReadWeight: number
  /** Requests under way at once. */
  readonly concurrencyMax: number | null
  /** How long a request waits for a place among them; 0: not at all. */
  readonly queueMs: number
  /** Of one request, by the local estimate. */
  readonly inputTokensMax: number | null
  readonly outputTokensMax: number | null
  readonly onOutputOver: OnOutputOver
  /** What its requests may cost in a period. */
  readonly budgetNano: NanoUsd | null
  readonly budgetPeriod: BudgetPeriod
  /** The share of it at which a warning is given, above 0, at most 1. */
  readonly softThreshold: number
  /** IANA name of the zone in which days and other periods begin. */
  readonly timezone: string
}

export const NO_LIMITS: Limits = {
  requestsPerMinute: null,
  requestsPerDay: null,
  tokensPerMinute: null,
  tokensPerDay: null,
  cacheReadWeight: 1,
  concurrencyMax: null,
  queueMs: 0,
  inputTokensMax: null,
  outputTokensMax: null,
  onOutputOver: 'clamp',
  budgetNano: null,
  budgetPeriod: 'month',
  softThreshold: 0.8,
  timezone: 'UTC',
}
