import type { Clock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/duration.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Params, Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import { minus, NOTHING, plus } from '../../ledger/spending/amounts.ts'
import { limitAt, shareOf } from '../../ledger/spending/spend-judge.ts'
import type { Amounts } from '../../ledger/spending/spending.ts'
import { Windows } from '../../ledger/spending/windows.ts'
import { readRows } from '../usage/read-rows.ts'
import { type Budget, ruleOf, scopeOf, windowOf } from './budget.ts'
import { amountsIn, type Horizon, horizonOf, type Slot, slotsOf, type Spent } from './course.ts'
import type { BudgetQuery } from './course-queries.ts'
import { type Forecast, forecastOf } from './forecast.ts'
import type { BudgetService } from './service.ts'
import type { BudgetStatus } from './status.ts'

/** What a budget comes to at the end of its period. */
export interface BudgetForecast {
  /** Whose counter it is about; null for the shared one. */
  readonly keyId: string | null
  /** In dollars. */
  readonly cost: Forecast
  /** In whichever unit the limit is crossed first; null: not before the end. */
  readonly crossesAtMs: number | null
  readonly horizon: Horizon
}

/** A budget that will not last. */
export interface BudgetFinding {
  readonly budget: Budget
  readonly status: BudgetStatus
  readonly forecast: BudgetForecast
}

interface Deps {
  readonly budgets: BudgetService
  readonly reader: Reader<BudgetQuery>
  readonly clock: Pick<Clock, 'nowMs'>
}

const UNITS = ['costNano', 'tokens', 'requests'] as const satisfies readonly (keyof Amounts)[]
/** Sums by quarter are kept at least so long; before that days do. */
const QUARTERS_MS = 60 * DAY_MS
/** Each costs a question to the ledger. */
export const FINDINGS_MAX = 20

/** Forecasts of budgets, from what the ledger has of their scopes. */
export class BudgetForecasts {
  readonly #deps: Deps
  readonly #windows = new Windows()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** `keyId`: of a budget with a counter per key, whose; the fullest when it is not said. Refusals: `missing`, `invalid`, `unavailable`. */
  async of(id: string, keyId: string | undefined): Promise<Result<BudgetForecast, Refusal>> {
    const budget = this.#deps.budgets.get(id)
    if (!budget.ok) return budget
    if (keyId !== undefined && !budget.value.each)
      return err(invalid({ key_id: ['is for budgets with a counter per key'] }))
    return this.#forecast(budget.value, this.#deps.budgets.fullest(budget.value, keyId))
  }

  /** The budgets that will cross their limit before their period ends, of those that are nearest to it. None when it cannot be told. */
  async findings(): Promise<readonly BudgetFinding[]> {
    const nowMs = this.#deps.clock.nowMs()
    const standing = this.#deps.budgets
      .all()
      .filter(({ enabled }) => enabled)
      .map((budget) => ({ budget, status: this.#deps.budgets.fullest(budget) }))
      .map((one) => ({ ...one, share: shareOf(ruleOf(one.budget), one.status.spent, nowMs) }))
      .filter(({ share }) => share < 1)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, FINDINGS_MAX)
    const found: BudgetFinding[] = []
    for (const { budget, status } of standing) {
      const forecast = await this.#forecast(budget, status)
      if (forecast.ok && (forecast.value.crossesAtMs ?? 0) > nowMs)
        found.push({ budget, status, forecast: forecast.value })
    }
    return found
  }

  async #forecast(budget: Budget, status: BudgetStatus): Promise<Result<BudgetForecast, Refusal>> {
    const nowMs = this.#deps.clock.nowMs()
    const horizon = horizonOf(windowOf(budget), nowMs, this.#windows)
    const slots = slotsOf(horizon, budget.timezone)
    const spent = await this.#spent(budget, status.keyId, horizon, nowMs)
    if (!spent.ok) return spent
    const limit = limitAt(ruleOf(budget), nowMs)
    const amounts = agreeing(amountsIn(slots, spent.value, NOTHING), slots, horizon, status.spent, nowMs)
    const inUnit = (unit: keyof Amounts): Forecast =>
      forecastOf({
        stretches: slots.map((slot, at) => ({ ...slot, amount: amounts[at]?.[unit] ?? 0 })),
        nowMs,
        countsFrom: horizon.countsFrom,
        limit: limit[unit],
      })
    const crossings = UNITS.filter((unit) => limit[unit] !== null).flatMap((unit) => inUnit(unit).crossesAtMs ?? [])
    const crossesAtMs = crossings.length === 0 ? null : Math.min(...crossings)
    return ok({ keyId: status.keyId, cost: inUnit('costNano'), crossesAtMs, horizon })
  }

  async #spent(
    budget: Budget,
    keyId: string | null,
    { fromMs }: Horizon,
    nowMs: number,
  ): Promise<Result<readonly Spent[], Refusal>> {
    const dayStartMs = fromMs - (fromMs % DAY_MS)
    const quartersMs = nowMs - QUARTERS_MS
    const quartersFromMs = Math.max(dayStartMs, quartersMs - (quartersMs % DAY_MS))
    const { query, params } = questionFor(budget, keyId)
    const asked = { fromMs: dayStartMs, quartersFromMs, ...params }
    const rows = await readRows(this.#deps.reader, query, asked, 'forecasts cannot be made right now; try again')
    return rows.ok ? ok(rows.value.map(spentFrom)) : rows
  }
}

/** Where a scope is found, and under which names. Sums know a tag only by itself, and a model not by its aliases. */
function questionFor(budget: Budget, keyId: string | null): { readonly query: BudgetQuery; readonly params: Params } {
  const scope = scopeOf(budget)
  const key = keyId === null ? {} : { keyId }
  switch (scope.kind) {
    case 'model':
      return { query: 'budgetRequests', params: { glob: globOf(scope.pattern) } }
    case 'account':
      return { query: 'budgetParts', params: { kind: 'account', name: scope.id } }
    case 'tag':
      if (keyId === null) return { query: 'budgetParts', params: { kind: 'tag', name: `${scope.name}=${scope.value}` } }
      return { query: 'budgetRequests', params: { ...key, tagName: scope.name, tagValue: scope.value } }
    case 'global':
      return { query: 'budgetCrosses', params: {} }
    default:
      return { query: 'budgetCrosses', params: { ...key, [COLUMNS[scope.kind]]: scope.id } }
  }
}

const COLUMNS = { plan: 'planId', key: 'keyId', provider: 'provider', chain: 'chainId' } as const

/** Only `*` means something in a pattern. */
function globOf(pattern: string): string {
  return pattern.replaceAll(/[?[]/g, '[$&]')
}

function spentFrom(row: Row): Spent {
  const amounts = {
    costNano: Number(row['cost_nano']),
    tokens: Number(row['tokens']),
    requests: Number(row['requests']),
  }
  return { atMs: Number(row['at_ms']), spanMs: Number(row['span_ms']), amounts }
}

/**
 * The counter is what counts. What it has beyond the sums (requests under way, estimates for models without a price, of a total what
 * is older than the history) was spent by now, or of a total at the beginning.
 */
function agreeing(
  amounts: readonly Amounts[],
  slots: readonly Slot[],
  { countsFrom, isOpen }: Horizon,
  spent: Amounts,
  nowMs: number,
): readonly Amounts[] {
  const fromMs = countsFrom(nowMs)
  const counted = slots.map(({ endMs, startMs }) => endMs > fromMs && startMs < nowMs)
  const known = amounts.reduce((sum, one, at) => (counted[at] ? plus(sum, one) : sum), NOTHING)
  const missing = positive(minus(spent, known))
  const at = isOpen ? counted.indexOf(true) : counted.lastIndexOf(true)
  return amounts.map((one, index) => (index === at ? plus(one, missing) : one))
}

function positive({ costNano, tokens, requests }: Amounts): Amounts {
  return { costNano: Math.max(0, costNano), tokens: Math.max(0, tokens), requests: Math.max(0, requests) }
}
