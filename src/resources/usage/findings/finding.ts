/**
 * What usage gives reason to do: rules that look at sums and say what they found, with the numbers it follows from and a next step.
 * Every rule is pure and says nothing where its numbers are too small to mean anything: no finding without evidence.
 */
import type { Rates } from '../../../catalog/price.ts'
import type { NanoUsd } from '../../../core/money.ts'
import type { ModelReport, Part } from '../usage.ts'

export const FINDING_KINDS = [
  'cache_miss_cost',
  'expensive_retries',
  'idle_key',
  'model_overkill',
  'error_spike',
  'budget_forecast',
  'unpriced_model',
  'slow_provider',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** The gravest first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A name, an id or a number, by what it is; amounts end in `_usd`. */
export type Evidence = Readonly<Record<string, string | number | null>>

export interface Finding {
  readonly kind: FindingKind
  readonly severity: Severity
  /** One sentence. */
  readonly text: string
  readonly evidence: Evidence
  /** What to do next, and the page of the dashboard where that is done. */
  readonly action: { readonly text: string; readonly path: string }
}

export interface IdleKey {
  readonly id: string
  readonly name: string
  readonly lastUsedAtMs: number | null
}

/** A budget that will be crossed before its period ends. */
export interface CrossedBudget {
  readonly id: string
  readonly name: string
  readonly crossesAtMs: number
  readonly endsAtMs: number | null
  /** In which its days are told. */
  readonly timezone: string
  readonly projectedNano: NanoUsd
}

/** What rules look at: a range, and the one before it. */
export interface Facts {
  readonly days: number
  readonly models: readonly ModelReport[]
  readonly modelsBefore: readonly ModelReport[]
  readonly providers: readonly Part[]
  readonly providersBefore: readonly Part[]
  /** Active keys that were there before the range and were not used in it. */
  readonly idleKeys: readonly IdleKey[]
  readonly budgets: readonly CrossedBudget[]
  /** Of `<provider>/<model>`, now; undefined where none is known. */
  readonly ratesOf: (model: string) => Rates | undefined
}

export type Rule = (facts: Facts) => readonly Finding[]

/** In at most so many digits as anybody reads. */
export function shownUsd(nano: NanoUsd): string {
  const usd = nano / 1e9
  return `$${usd.toFixed(usd < 100 ? 2 : 0)}`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** The request log, narrowed. */
export function logPath(filters: Readonly<Record<string, string>>): string {
  return `/requests?${new URLSearchParams(filters).toString()}`
}
