import { assert } from '../../core/assert.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Params, Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import { type Refusal, refusal } from '../../http/refusal.ts'
import { STRETCH_MS } from '../../ledger/rollup/rollup-span.ts'
import type { UsageQuery } from './queries.ts'
import { readRows } from './read-rows.ts'
import type { TimeRange } from './range.ts'
import { SHOWN_KINDS, type ShownKind } from './rollup-queries.ts'
import { modelReportsFrom, partsFrom, type Parts, piecesFrom, measuresFrom, summedModelsFrom } from './breakdown-row.ts'
import type { LocalHour, Piece } from './calendar.ts'
import { placeInWeek, WEEK_HOURS } from './course.ts'
import { attemptFrom, integer, requestFrom } from './row.ts'
import type { LoggedRequest, Measures, ModelReport, Part, Point, ShownSums } from './usage.ts'

/** What reports can be narrowed to. */
export interface MeasureFilters {
  readonly keyId?: string | undefined
  readonly planId?: string | undefined
  readonly provider?: string | undefined
  readonly chainId?: string | undefined
  /** `<provider>/<model>` or the bare model. */
  readonly model?: string | undefined
  readonly tag?: { readonly name: string; readonly value: string } | undefined
}

/** What the request log can be narrowed to. */
export interface RequestFilters extends MeasureFilters {
  readonly accountId?: string | undefined
  readonly status?: string | undefined
  readonly errorClass?: string | undefined
  readonly endpoint?: string | undefined
  readonly client?: string | undefined
  readonly session?: string | undefined
  readonly stream?: boolean | undefined
  readonly minCostNano?: number | undefined
  readonly minMs?: number | undefined
  /** Text somewhere in id, model, client or session. */
  readonly q?: string | undefined
}

/** The place after one request in the order of the log. */
export interface Cursor {
  readonly atMs: number
  readonly id: string
}

export interface RequestPage {
  readonly order: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
  readonly after: Cursor | undefined
}

export interface RequestList {
  readonly requests: readonly LoggedRequest[]
  /** Of all that the filters let through, wherever the cursor stands. */
  readonly total: number
  readonly offset: number
  readonly limit: number
  /** Where the next page begins; null on the last one. */
  readonly next: Cursor | null
}

/** Reads the ledger in the reader's thread. Refusals: `unavailable` when that thread is busy, slow or gone. */
export class UsageStore {
  readonly #reader: Reader<UsageQuery>

  constructor(reader: Reader<UsageQuery>) {
    this.#reader = reader
  }

  async measure(filters: MeasureFilters, range: TimeRange): Promise<Result<Measures, Refusal>> {
    const params = measureParams(filters)
    if (filters.tag !== undefined) {
      const rows = await this.#read('measures', { ...params, ...range })
      return rows.ok ? ok(measuresFrom(first(rows.value))) : rows
    }
    const { query, part } = questionOf(filters)
    const rows = await this.#read(query, { ...params, ...range, ...part })
    return rows.ok ? ok(measuresFrom(first(rows.value))) : rows
  }

  /** Every model that was used, in no particular order. */
  async models(filters: MeasureFilters, range: TimeRange): Promise<Result<readonly ModelReport[], Refusal>> {
    if (filters.tag !== undefined) return this.#modelsOfTag(filters, range)
    const params = { ...measureParams(filters), ...range }
    const [models, faces] = await Promise.all([
      this.#read(questionOf(filters).query === 'sums' ? 'modelSums' : 'narrowedModelSums', params),
      this.#read('modelFaces', params),
    ])
    if (!models.ok) return models
    return faces.ok ? ok(summedModelsFrom(models.value, faces.value)) : faces
  }

  async #modelsOfTag(filters: MeasureFilters, range: TimeRange): Promise<Result<readonly ModelReport[], Refusal>> {
    const params = { ...measureParams(filters), ...range }
    const [models, spreads, errors] = await Promise.all([
      this.#read('models', params),
      this.#read('modelSpreads', params),
      this.#read('modelErrors', params),
    ])
    if (!models.ok) return models
    if (!spreads.ok) return spreads
    return errors.ok ? ok(modelReportsFrom(models.value, spreads.value, errors.value)) : errors
  }

  /** The busiest of each kind that took part. */
  async parts(range: TimeRange): Promise<Result<Readonly<Record<ShownKind, Parts>>, Refusal>> {
    const rows = await this.#read('topParts', { ...range })
    if (!rows.ok) return rows
    const named = JSON.stringify(rows.value.map((row) => [row['kind'], row['name']]))
    const spreads = await this.#read('partSpreads', { ...range, parts: named })
    if (!spreads.ok) return spreads
    const all = SHOWN_KINDS.map((kind) => [kind, partsFrom(kind, rows.value, spreads.value)])
    return ok(Object.fromEntries(all) as Record<ShownKind, Parts>) // exactly these
  }

  /** Every provider that took part, in no particular order. */
  async providers(range: TimeRange): Promise<Result<readonly Part[], Refusal>> {
    const rows = await this.#read('providers', { ...range })
    return rows.ok ? ok(partsFrom('provider', rows.value, rows.value).named) : rows
  }

  /** What happened in each of `pieces` within a range. */
  async course(pieces: readonly Piece[], { fromMs, toMs }: TimeRange): Promise<Result<readonly Point[], Refusal>> {
    const pairs = JSON.stringify(pieces.map(({ startMs, endMs }) => [startMs, endMs]))
    const isFine = pieces.some(({ startMs, endMs }) => endMs - startMs < STRETCH_MS)
    const rows = await this.#read(isFine ? 'fineCourse' : 'course', { pieces: pairs, fromMs, toMs })
    if (!rows.ok) return rows
    const sums = piecesFrom(rows.value, pieces.length)
    return ok(sums.map((sum, place) => ({ atMs: pieces[place]?.startMs ?? 0, ...sum })))
  }

  /** What happened in each hour of a week, by `hours` within a range: Monday comes first, and midnight. */
  async week(hours: readonly LocalHour[], { fromMs, toMs }: TimeRange): Promise<Result<readonly ShownSums[], Refusal>> {
    const placed = JSON.stringify(hours.map((hour) => [hour.startMs, hour.endMs, placeInWeek(hour)]))
    const rows = await this.#read('fineCourse', { pieces: placed, fromMs, toMs })
    return rows.ok ? ok(piecesFrom(rows.value, WEEK_HOURS)) : rows
  }

  /** The newest requests of all. */
  async recent(limit: number): Promise<Result<readonly LoggedRequest[], Refusal>> {
    const rows = await this.#read('newest', { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit, offset: 0 })
    return rows.ok ? this.#withAttempts(rows.value) : rows
  }

  /** Both ends of `range` belong to it. Ordered by time, then by id, so that every cursor is one place. */
  async list(filters: RequestFilters, range: TimeRange, page: RequestPage): Promise<Result<RequestList, Refusal>> {
    const { order, offset, limit, after } = page
    const params = { ...requestParams(filters), ...range }
    const place = { cursorAtMs: after?.atMs, cursorId: after?.id, offset, limit: limit + 1 }
    const [rows, counted] = await Promise.all([
      this.#read(order === 'desc' ? 'newest' : 'oldest', { ...params, ...rangeAfter(range, order, after), ...place }),
      this.#read('count', params),
    ])
    if (!rows.ok) return rows
    if (!counted.ok) return counted
    const requests = await this.#withAttempts(rows.value.slice(0, limit))
    if (!requests.ok) return requests
    const last = rows.value.length > limit ? requests.value.at(-1) : undefined
    const next = last === undefined ? null : { atMs: last.atMs, id: last.id }
    return ok({ requests: requests.value, total: integer(first(counted.value), 'total'), offset, limit, next })
  }

  /** One step through the log, without saying how much there is. */
  async rows(
    filters: RequestFilters,
    range: TimeRange,
    { order, offset, limit, after }: RequestPage,
  ): Promise<Result<readonly LoggedRequest[], Refusal>> {
    const place = { cursorAtMs: after?.atMs, cursorId: after?.id, offset, limit }
    const name = order === 'desc' ? 'newest' : 'oldest'
    const rows = await this.#read(name, { ...requestParams(filters), ...rangeAfter(range, order, after), ...place })
    return rows.ok ? this.#withAttempts(rows.value) : rows
  }

  /** Refusal: `missing`. */
  async get(id: string): Promise<Result<LoggedRequest, Refusal>> {
    const rows = await this.#read('request', { id })
    const requests = rows.ok ? await this.#withAttempts(rows.value) : rows
    if (!requests.ok) return requests
    const [request] = requests.value
    return request === undefined ? err(refusal('missing', 'there is no such request in the log')) : ok(request)
  }

  async #withAttempts(rows: readonly Row[]): Promise<Result<readonly LoggedRequest[], Refusal>> {
    const read = await this.#read('attempts', { seqs: JSON.stringify(rows.map((row) => row['seq'])) })
    if (!read.ok) return read
    const attempts = Map.groupBy(read.value.map(attemptFrom), ({ requestSeq }) => requestSeq)
    return ok(rows.map((row) => requestFrom(row, attempts.get(integer(row, 'seq')) ?? [])))
  }

  #read(name: UsageQuery, params: Params): Promise<Result<readonly Row[], Refusal>> {
    return readRows(this.#reader, name, params)
  }
}

/** What is left of a range, so that no step goes through what the steps before it have shown. */
function rangeAfter({ fromMs, toMs }: TimeRange, order: RequestPage['order'], after: Cursor | undefined): TimeRange {
  if (after === undefined) return { fromMs, toMs }
  return order === 'asc' ? { fromMs: Math.max(fromMs, after.atMs), toMs } : { fromMs, toMs: Math.min(toMs, after.atMs) }
}

interface Question {
  readonly query: 'sums' | 'partSums' | 'narrowedSums'
  /** What `partSums` is about. */
  readonly part: Params
}

/** A model may be named without its provider, and is then several. */
function questionOf({ keyId: key, planId: plan, provider, chainId: chain, model }: MeasureFilters): Question {
  const parts = Object.entries({ key, plan, provider, chain }).flatMap(([kind, name]) =>
    name === undefined ? [] : [{ kind, name }],
  )
  const [part] = parts
  if (model !== undefined || parts.length > 1) return { query: 'narrowedSums', part: {} }
  return part === undefined ? { query: 'sums', part: {} } : { query: 'partSums', part }
}

function measureParams({ keyId, planId, provider, chainId, model, tag }: MeasureFilters): Params {
  const bareModel = model?.slice(model.indexOf('/') + 1)
  return { keyId, planId, provider, chainId, model, bareModel, tagName: tag?.name, tagValue: tag?.value }
}

function requestParams({ tag, status, stream, q, ...filters }: RequestFilters): Params {
  return {
    ...filters,
    ...measureParams({ ...filters, tag }),
    ...(status === 'ok' ? { ok: status } : { notOk: status }),
    stream: stream === undefined ? undefined : Number(stream),
    like: q === undefined ? undefined : `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  }
}

/** The one row of a query without GROUP BY. */
function first(rows: readonly Row[]): Row {
  const [row] = rows
  assert(row !== undefined, 'an aggregate has a row')
  return row
}
