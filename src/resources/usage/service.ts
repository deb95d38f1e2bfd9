import type { Clock } from '../../core/clock.ts'
import { ok, type Result } from '../../core/result.ts'
import { readPage, type PageQuery } from '../../http/pagination.ts'
import type { Refusal } from '../../http/refusal.ts'
import {
  type MeasureQuery,
  type PeriodQuery,
  readMeasureQuery,
  readRequestQuery,
  type RequestQuery,
} from './filters.ts'
import { MODEL_SORTS, type ModelShare, pageOfModels } from './models.ts'
import { rangeBefore, rangeOf } from './range.ts'
import { REQUEST_SORTS } from './schema.ts'
import type { RequestList, UsageStore } from './store.ts'
import type { LoggedRequest, Summary } from './usage.ts'

/** Reports and the request log. Refusals: `invalid`, `missing`, `unavailable`. */
export class UsageService {
  readonly #store: UsageStore
  readonly #clock: Clock

  constructor(store: UsageStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** A range, and the one before it to compare with. */
  async summary(query: MeasureQuery & PeriodQuery): Promise<Result<Summary, Refusal>> {
    const asked = readMeasureQuery(query)
    if (!asked.ok) return asked
    const { filters, period } = asked.value
    const { name, zone } = period
    const range = rangeOf(name, this.#clock.nowMs(), zone)
    const before = rangeBefore(name, range, zone)
    const [now, then] = await Promise.all([this.#store.measure(filters, range), this.#store.measure(filters, before)])
    if (!now.ok) return now
    return then.ok ? ok({ name, range, measures: now.value, before: { range: before, measures: then.value } }) : then
  }

  /** What each model did; `total` counts the models that pass. */
  async models(
    query: MeasureQuery & PageQuery & PeriodQuery,
  ): Promise<Result<{ items: readonly ModelShare[]; total: number; offset: number; limit: number }, Refusal>> {
    const page = readPage(query, MODEL_SORTS)
    if (!page.ok) return page
    const asked = readMeasureQuery(query)
    if (!asked.ok) return asked
    const { filters, period } = asked.value
    const reports = await this.#store.models(filters, rangeOf(period.name, this.#clock.nowMs(), period.zone))
    if (!reports.ok) return reports
    const { offset, limit } = page.value
    return ok({ ...pageOfModels(reports.value, page.value), offset, limit })
  }

  async requests(query: RequestQuery & PageQuery): Promise<Result<RequestList, Refusal>> {
    const page = readPage(query, REQUEST_SORTS)
    if (!page.ok) return page
    const { offset, limit, order, q } = page.value
    const question = readRequestQuery(query, offset, this.#clock.nowMs())
    if (!question.ok) return question
    const { filters, range, after } = question.value
    return this.#store.list({ ...filters, q }, range, { order, offset, limit, after })
  }

  request(id: string): Promise<Result<LoggedRequest, Refusal>> {
    return this.#store.get(id)
  }
}
