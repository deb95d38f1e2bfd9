/** What callers write into the query of a report or a list → what the store is asked. */
import type { Result } from '../../core/result.ts'
import { isTimeZone } from '../../core/time-zone.ts'
import { QueryFields, readWhole } from '../../http/query-fields.ts'
import type { Refusal } from '../../http/refusal.ts'
import { Zone } from '../../ledger/zone.ts'
import { RANGE_DEFAULT, rangeOf, type RangeName, type TimeRange } from './range.ts'
import type { Cursor, MeasureFilters, RequestFilters } from './store.ts'

export interface MeasureQuery {
  readonly key_id?: string
  readonly plan_id?: string
  readonly provider?: string
  readonly chain_id?: string
  readonly model?: string
  readonly tag?: string
}

/** A range by its name, and the zone whose days count. */
export interface PeriodQuery {
  readonly range?: RangeName
  readonly tz?: string
}

export interface Period {
  readonly name: RangeName
  /** As it was written. */
  readonly tz: string
  readonly zone: Zone
}

export interface RequestQuery extends MeasureQuery, PeriodQuery {
  readonly from?: string
  readonly to?: string
  readonly account_id?: string
  readonly status?: string
  readonly error_class?: string
  readonly endpoint?: string
  readonly client?: string
  readonly session_id?: string
  readonly min_cost_usd?: string
  readonly min_ms?: string
  readonly stream?: 'true' | 'false'
  readonly cursor?: string
}

export interface RequestQuestion {
  readonly filters: RequestFilters
  readonly range: TimeRange
  readonly after: Cursor | undefined
}

const NANO_PER_USD = 1_000_000_000
/** The last instant that a `Date` can hold. */
const FOREVER_MS = 8_640_000_000_000_000

const TZ_DEFAULT = 'UTC'

export function readMeasureQuery(
  query: MeasureQuery & PeriodQuery,
): Result<{ readonly filters: MeasureFilters; readonly period: Period }, Refusal> {
  const fields = new QueryFields()
  const filters = measureFilters(query, fields)
  return fields.result({ filters, period: periodFrom(query, fields) })
}

export function readPeriodQuery(query: PeriodQuery): Result<Period, Refusal> {
  const fields = new QueryFields()
  return fields.result(periodFrom(query, fields))
}

function periodFrom({ range = RANGE_DEFAULT, tz }: PeriodQuery, fields: QueryFields): Period {
  const zone = fields.read('tz', tz, readZone, 'must be an IANA time zone such as Europe/Vienna')
  return { name: range, tz: tz ?? TZ_DEFAULT, zone: zone ?? new Zone(TZ_DEFAULT) }
}

function readZone(text: string): Zone | undefined {
  return isTimeZone(text) ? new Zone(text) : undefined
}

/** `offset` counts only from the start of the log: with a cursor it must be 0. */
export function readRequestQuery(query: RequestQuery, offset: number, nowMs: number): Result<RequestQuestion, Refusal> {
  const fields = new QueryFields()
  const filters: RequestFilters = {
    ...measureFilters(query, fields),
    accountId: query.account_id,
    status: query.status,
    errorClass: query.error_class,
    endpoint: query.endpoint,
    client: query.client,
    session: query.session_id,
    stream: query.stream === undefined ? undefined : query.stream === 'true',
    minCostNano: fields.read(
      'min_cost_usd',
      query.min_cost_usd,
      readNano,
      'must be an amount in dollars, such as 0.05',
    ),
    minMs: fields.read('min_ms', query.min_ms, readWhole, 'must be a whole number of milliseconds'),
  }
  const after = fields.read('cursor', query.cursor, decodeCursor, 'must be a next_cursor of this list')
  if (after !== undefined && offset > 0) fields.refuse('offset', 'cannot be combined with cursor')
  return fields.result({ filters, range: readRange(query, fields, nowMs), after })
}

function measureFilters(query: MeasureQuery, fields: QueryFields): MeasureFilters {
  const { key_id: keyId, plan_id: planId, provider, chain_id: chainId, model } = query
  const tag = fields.read('tag', query.tag, readTag, 'must be written as name=value')
  return { keyId, planId, provider, chainId, model, tag }
}

function readRange(query: RequestQuery, fields: QueryFields, nowMs: number): TimeRange {
  const fromMs = fields.instant('from', query.from) ?? 0
  const toMs = fields.instant('to', query.to) ?? FOREVER_MS
  const { zone } = periodFrom(query, fields)
  if (query.range === undefined) return { fromMs, toMs }
  if (query.from !== undefined || query.to !== undefined) fields.refuse('range', 'cannot be combined with from or to')
  return rangeOf(query.range, nowMs, zone)
}

/** Opaque to callers. */
export function encodeCursor({ atMs, id }: Cursor): string {
  return Buffer.from(`${atMs}.${id}`).toString('base64url')
}

function decodeCursor(text: string): Cursor | undefined {
  const match = /^(\d{1,15})\.(\w{1,80})$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
  return match?.[2] === undefined ? undefined : { atMs: Number(match[1]), id: match[2] }
}

function readNano(text: string): number | undefined {
  return /^\d{1,6}(?:\.\d{1,12})?$/.test(text) ? Math.ceil(Number(text) * NANO_PER_USD) : undefined
}

function readTag(text: string): { name: string; value: string } | undefined {
  const at = text.indexOf('=')
  return at < 1 ? undefined : { name: text.slice(0, at), value: text.slice(at + 1) }
}
