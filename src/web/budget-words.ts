/** What a budget limits and how it stands, in words. Pure. */
import { DAY_MS } from '../core/duration.ts'
import { countText, plural, tokensText } from './format/count.ts'
import { nanoFromUsd, shortMoney } from './format/money.ts'
import { CALENDAR_PERIODS, IN_ALL } from './limit-words.ts'
import type { Budget, BudgetStatus } from './wire.ts'

export const SCOPES = [
  { value: 'global', label: 'Everything' },
  { value: 'plan', label: 'A plan' },
  { value: 'key', label: 'A key' },
  { value: 'tag', label: 'Keys with a tag' },
  { value: 'provider', label: 'A provider' },
  { value: 'account', label: 'An account' },
  { value: 'model', label: 'Models' },
  { value: 'chain', label: 'A chain' },
] as const satisfies readonly { readonly value: Budget['scope']; readonly label: string }[]

export const PERIODS = [
  ...CALENDAR_PERIODS,
  { value: 'rolling', label: 'in a sliding window' },
  IN_ALL,
] as const satisfies readonly { readonly value: Budget['period']; readonly label: string }[]

/** `blocks`: what happens at the limit, for the line that is drawn there. */
export const ACTIONS = [
  { value: 'block', label: 'Refuse requests', verb: 'blocks' },
  { value: 'warn', label: 'Warn, and let them pass', verb: 'warns' },
  { value: 'downgrade', label: 'Serve another model', verb: 'downgrades' },
  { value: 'throttle', label: 'One request at a time', verb: 'throttles' },
] as const satisfies readonly { readonly value: Budget['action']; readonly label: string; readonly verb: string }[]

export function actionVerb(action: Budget['action']): string {
  return ACTIONS.find(({ value }) => value === action)?.verb ?? action
}

const KINDS: Readonly<Record<Budget['scope'], string>> = {
  global: 'Everything',
  plan: 'Plan',
  key: 'Key',
  tag: 'Tag',
  provider: 'Provider',
  account: 'Account',
  model: 'Models',
  chain: 'Chain',
}

/** `Plan Team, each key`, `Everything`. */
export function scopeText({ scope, scope_id: id, scope_name: name, each }: Budget): string {
  const what = scope === 'global' ? KINDS.global : `${KINDS[scope]} ${name ?? id ?? ''}`
  return each ? `${what}, each key` : what
}

/** `a month`, `in any 5 hours`. */
export function periodText({ period, rolling_s: seconds }: Pick<Budget, 'period' | 'rolling_s'>): string {
  if (period === 'rolling') return `in any ${windowText(seconds ?? 0)}`
  return PERIODS.find(({ value }) => value === period)?.label ?? period
}

/** Lengths of time in which sliding windows are said, the largest first. */
export const WINDOW_UNITS = [
  { seconds: 86_400, one: 'day' },
  { seconds: 3_600, one: 'hour' },
  { seconds: 60, one: 'minute' },
] as const

/** In the largest unit that it is whole in. */
function windowText(seconds: number): string {
  const unit = WINDOW_UNITS.find((candidate) => seconds % candidate.seconds === 0)
  return unit === undefined ? plural(seconds, 'second') : plural(seconds / unit.seconds, unit.one)
}

/** Each limit of a budget, as it is written: `$20`, `1.0 M tokens`. */
export function amountTexts(budget: Pick<Budget, 'amount_usd' | 'amount_tokens' | 'amount_requests'>): string[] {
  const { amount_usd: usd, amount_tokens: tokens, amount_requests: requests } = budget
  return [
    ...(usd === null ? [] : [shortMoney(nanoFromUsd(usd))]),
    ...(tokens === null ? [] : [`${tokensText(tokens)} tokens`]),
    ...(requests === null ? [] : [plural(requests, 'request')]),
  ]
}

const UNITS = ['cost_usd', 'tokens', 'requests'] as const
type Unit = (typeof UNITS)[number]

/** What is spent of the unit of which least is left. */
export interface Standing {
  readonly unit: Unit
  readonly spent: number
  readonly limit: number
}

export function standingOf(budget: Budget, { spent }: Pick<BudgetStatus, 'spent'>, nowMs: number): Standing {
  const limits = limitsAt(budget, nowMs)
  const limited = UNITS.flatMap((unit) => {
    const limit = limits[unit]
    return limit === null ? [] : [{ unit, spent: spent[unit], limit }]
  })
  const [tightest] = limited.toSorted((a, b) => b.spent / b.limit - a.spent / a.limit)
  return tightest ?? { unit: 'cost_usd', spent: spent.cost_usd, limit: 0 }
}

/** The limits of a moment, with what was granted on top. */
export function limitsAt(budget: Budget, nowMs: number): Readonly<Record<Unit, number | null>> {
  const { override, amount_usd: usd } = budget
  const extra = override !== null && Date.parse(override.until) > nowMs ? override.extra_usd : 0
  return {
    cost_usd: usd === null ? null : usd + extra,
    tokens: budget.amount_tokens,
    requests: budget.amount_requests,
  }
}

export function unitText(unit: Unit, amount: number): string {
  if (unit === 'cost_usd') return shortMoney(nanoFromUsd(amount))
  return unit === 'tokens' ? `${tokensText(amount)} tokens` : `${countText(amount)} requests`
}

/** `$14.80 of $20`, `820 of 1,000 requests`. */
export function spentText({ unit, spent, limit }: Standing): string {
  const of = unit === 'cost_usd' ? unitText(unit, spent) : unit === 'tokens' ? tokensText(spent) : countText(spent)
  return `${of} of ${unitText(unit, limit)}`
}

/** Of shorter stretches moments are told by the clock. */
const CLOCK_MS_MAX = 2 * DAY_MS

/** Moments within a stretch of time as the budget counts them: in its own time zone. */
export function momentWriter({ timezone }: Pick<Budget, 'timezone'>, spanMs: number): (atMs: number) => string {
  const format: Intl.DateTimeFormatOptions =
    spanMs <= CLOCK_MS_MAX ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' }
  const write = new Intl.DateTimeFormat('en-GB', { ...format, timeZone: timezone })
  return (atMs) => write.format(atMs)
}
