/** The limits of plans and keys, as people say them. Pure. */
import { SECOND_MS } from '../core/duration.ts'
import { countText, percentText, tokensText } from './format/count.ts'
import { nanoFromUsd, shortMoney } from './format/money.ts'
import type { LimitChange, Plan } from './wire.ts'

export type LimitName = keyof LimitChange
/** All limits of a plan, or those that hold for a key. */
export type Limits = Pick<Plan, LimitName>

/** What holds where neither a key nor its plan says anything: as the gateway has it. */
export const NO_LIMITS: Limits = {
  rpm: null,
  rpd: null,
  tpm: null,
  tpd: null,
  cache_read_weight: 1,
  max_concurrency: null,
  queue_ms: 0,
  max_input_tokens: null,
  max_output_tokens: null,
  on_output_over: 'clamp',
  budget_usd: null,
  budget_period: 'month',
  soft_threshold: 0.8,
  budget_timezone: 'UTC',
}

/** What holds for a key: its own limits, else those of its plan, else none. */
export function limitsFor(own: LimitChange | null, plan: Limits | undefined): Limits {
  return { ...NO_LIMITS, ...plan, ...(own as Partial<Limits> | null) } // the server writes a key's limits as those of plans
}

export const LIMIT_LABELS: Readonly<Record<LimitName, string>> = {
  rpm: 'Requests a minute',
  rpd: 'Requests a day',
  tpm: 'Tokens a minute',
  tpd: 'Tokens a day',
  cache_read_weight: 'Cached input counts',
  max_concurrency: 'At the same time',
  queue_ms: 'Waits for a place',
  max_input_tokens: 'Longest prompt',
  max_output_tokens: 'Longest answer',
  on_output_over: 'Asking for a longer answer',
  budget_usd: 'May cost',
  budget_period: 'How often',
  soft_threshold: 'Warning from',
  budget_timezone: 'Days begin in',
}

export const OUTPUT_OVER = [
  { value: 'clamp', label: 'gets as much as it may' },
  { value: 'reject', label: 'is refused' },
] as const

/** Those of the calendar. */
export const CALENDAR_PERIODS = [
  { value: 'hour', label: 'an hour' },
  { value: 'day', label: 'a day' },
  { value: 'week', label: 'a week' },
  { value: 'month', label: 'a month' },
  { value: 'quarter', label: 'a quarter' },
  { value: 'year', label: 'a year' },
] as const
export const IN_ALL = { value: 'total', label: 'in all' } as const

export const BUDGET_PERIODS = [...CALENDAR_PERIODS, IN_ALL] as const

/** A limit as it stands beside its label; `null` is no limit. */
export function limitText<Name extends LimitName>(name: Name, limits: Limits): string {
  return TEXTS[name](limits)
}

const TEXTS: Readonly<Record<LimitName, (limits: Limits) => string>> = {
  rpm: ({ rpm }) => amount(rpm, countText),
  rpd: ({ rpd }) => amount(rpd, countText),
  tpm: ({ tpm }) => amount(tpm, tokensText),
  tpd: ({ tpd }) => amount(tpd, tokensText),
  cache_read_weight: ({ cache_read_weight: weight }) =>
    weight === 1 ? 'in full' : weight === 0 ? 'not at all' : percentText(weight),
  max_concurrency: ({ max_concurrency: most }) => amount(most, countText),
  queue_ms: ({ queue_ms: ms }) =>
    ms === 0 ? 'not at all' : `up to ${ms < SECOND_MS ? `${ms} ms` : `${ms / SECOND_MS} s`}`,
  max_input_tokens: ({ max_input_tokens: most }) => amount(most, (tokens) => `${tokensText(tokens)} tokens`),
  max_output_tokens: ({ max_output_tokens: most }) => amount(most, (tokens) => `${tokensText(tokens)} tokens`),
  on_output_over: ({ on_output_over: over }) => OUTPUT_OVER.find(({ value }) => value === over)?.label ?? over,
  budget_usd: (limits) =>
    amount(limits.budget_usd, (usd) => `${shortMoney(nanoFromUsd(usd))} ${TEXTS.budget_period(limits)}`),
  budget_period: ({ budget_period: period }) => BUDGET_PERIODS.find(({ value }) => value === period)?.label ?? period,
  soft_threshold: ({ soft_threshold: share }) => percentText(share),
  budget_timezone: ({ budget_timezone: zone }) => zone,
}

function amount(most: number | null, write: (most: number) => string): string {
  if (most === null) return 'no limit'
  return most === 0 ? 'none at all' : write(most)
}

/** Those that say something by themselves; the others only count beside one of these. */
const COUNTS_WITH: Partial<Readonly<Record<LimitName, (limits: Limits) => boolean>>> = {
  cache_read_weight: ({ tpm, tpd }) => tpm !== null || tpd !== null,
  queue_ms: ({ max_concurrency: most }) => most !== null,
  on_output_over: ({ max_output_tokens: most }) => most !== null,
  budget_period: () => false, // said with the amount
  soft_threshold: ({ budget_usd: usd }) => usd !== null,
  budget_timezone: ({ rpd, tpd, budget_usd: usd }) => rpd !== null || tpd !== null || usd !== null,
}

export const LIMIT_NAMES = Object.keys(LIMIT_LABELS) as LimitName[] // the keys of a constant

/** The limits that mean something as they stand, in their order. */
export function shownLimits(limits: Limits): readonly LimitName[] {
  return LIMIT_NAMES.filter((name) => COUNTS_WITH[name]?.(limits) ?? true)
}
