import type { Clock } from '../../core/clock.ts'
import { ok, type Result } from '../../core/result.ts'
import { readPage, type PageQuery } from '../../http/pagination.ts'
import type { Refusal } from '../../http/refusal.ts'
import { type MeasureQuery, readMeasureQuery, readRequestQuery, type RequestQuery } from './filters.ts'
import { MODEL_SORTS, type ModelShare, pageOfModels } from './models.ts'
import { rangeBefore, type RangeName, rangeOf } from './range.ts'
import { REQUEST_SORTS } from './schema.ts'
import type { RequestList, UsageStore } from './store.ts'
import type { LoggedRequest, Summary } from './usage.ts'

export const RANGE_DEFAULT: RangeName = '24h'

/** Reports and the request log. Refusals: `invalid`, `missing`, `unavailable`. */
export class UsageService {
  readonly #store: UsageStore
  readonly #clock: Clock

  constructor(store: UsageStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** A range, and the one before it to compare with. */
  async summary(query: MeasureQuery & { readonly range?: RangeName }): Promise<Result<Summary, Refusal>> {
    const filters = readMeasureQuery(query)
    if (!filters.ok) return filters
    const name = query.range ?? RANGE_DEFAULT
    const range = rangeOf(name, this.#clock.nowMs())
    const before = rangeBefore(name, range)
    const [now, then] = await Promise.all([
      this.#store.measure(filters.value, range),
      this.#store.measure(filters.value, before),
    ])
    if (!now.ok) return now
    return then.ok ? ok({ name, range, measures: now.value, before: { range: before, measures: then.value } }) : then
  }

  /** What each model did; `total` counts the models that pass. */
  async models(
    query: MeasureQuery & PageQuery & { readonly range?: RangeName },
  ): Promise<Result<{ items: readonly ModelShare[]; total: number; offset: number; limit: number }, Refusal>> {
    const page = readPage(query, MODEL_SORTS)
    if (!page.ok) return page
    const filters = readMeasureQuery(query)
    if (!filters.ok) return filters
    const reports = await this.#store.models(filters.value, rangeOf(query.range ?? RANGE_DEFAULT, this.#clock.nowMs()))
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
