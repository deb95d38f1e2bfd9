import type { Rates } from '../../catalog/price.ts'
import type { Clock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/duration.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/refusal.ts'
import { daysOf } from './calendar.ts'
import type { Period } from './filters.ts'
import type { CrossedBudget, Finding, IdleKey } from './findings/finding.ts'
import { findingsIn } from './findings/index.ts'
import { rangeBefore, rangeOf, type TimeRange } from './range.ts'
import type { UsageStore } from './store.ts'
import type { ModelReport, Point, Summary } from './usage.ts'

export interface Insights {
  readonly summary: Summary
  readonly tz: string
  /** A point for each day of the zone. */
  readonly daily: readonly Point[]
  /** All of them, in no particular order. */
  readonly models: readonly ModelReport[]
  readonly findings: readonly Finding[]
}

interface Deps {
  readonly store: UsageStore
  readonly clock: Pick<Clock, 'nowMs'>
  /** Active keys that are older than a moment and were not used since. */
  readonly idleKeys: (sinceMs: number) => Promise<readonly IdleKey[]>
  readonly crossedBudgets: () => Promise<readonly CrossedBudget[]>
  /** Of `<provider>/<model>`. */
  readonly ratesOf: (model: string) => Rates | undefined
}

/** What usage was, and what it gives reason to do. Refusal: `unavailable`. */
export class InsightService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async of({ name, tz, zone }: Period): Promise<Result<Insights, Refusal>> {
    const { store, clock } = this.#deps
    const range = rangeOf(name, clock.nowMs(), zone)
    const before = rangeBefore(name, range, zone)
    const [now, then, daily, models] = await Promise.all([
      store.measure({}, range),
      store.measure({}, before),
      store.course(daysOf(zone, range.fromMs, range.toMs), range),
      store.models({}, range),
    ])
    if (!now.ok) return now
    if (!then.ok) return then
    if (!daily.ok) return daily
    if (!models.ok) return models
    const findings = await this.#findings(models.value, range, before)
    if (!findings.ok) return findings
    const summary = { name, range, measures: now.value, before: { range: before, measures: then.value } }
    return ok({ summary, tz, daily: daily.value, models: models.value, findings: findings.value })
  }

  async #findings(
    models: readonly ModelReport[],
    range: TimeRange,
    before: TimeRange,
  ): Promise<Result<readonly Finding[], Refusal>> {
    const { store, idleKeys, crossedBudgets, ratesOf } = this.#deps
    const [modelsBefore, providers, providersBefore] = await Promise.all([
      store.models({}, before),
      store.providers(range),
      store.providers(before),
    ])
    if (!modelsBefore.ok) return modelsBefore
    if (!providers.ok) return providers
    if (!providersBefore.ok) return providersBefore
    return ok(
      findingsIn({
        days: Math.round((range.toMs - range.fromMs) / DAY_MS),
        models,
        modelsBefore: modelsBefore.value,
        providers: providers.value,
        providersBefore: providersBefore.value,
        idleKeys: await idleKeys(range.fromMs),
        budgets: await crossedBudgets(),
        ratesOf,
      }),
    )
  }
}
