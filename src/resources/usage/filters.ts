/** What callers write into the query of a report or a list → what the store is asked. */
import { err, ok, type Result } from '../../core/result.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import { rangeOf, type RangeName, type TimeRange } from './range.ts'
import type { Cursor, MeasureFilters, RequestFilters } from './store.ts'

export interface MeasureQuery {
  readonly key_id?: string
  readonly provider?: string
  readonly model?: string
  readonly tag?: string
}

export interface RequestQuery extends MeasureQuery {
  readonly range?: RangeName
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

export function readMeasureQuery(query: MeasureQuery): Result<MeasureFilters, Refusal> {
  const fields = new Fields()
  const filters = measureFilters(query, fields)
  return fields.result(filters)
}

/** `offset` counts only from the start of the log: with a cursor it must be 0. */
export function readRequestQuery(query: RequestQuery, offset: number, nowMs: number): Result<RequestQuestion, Refusal> {
  const fields = new Fields()
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

function measureFilters({ key_id: keyId, provider, model, tag }: MeasureQuery, fields: Fields): MeasureFilters {
  return { keyId, provider, model, tag: fields.read('tag', tag, readTag, 'must be written as name=value') }
}

function readRange(query: RequestQuery, fields: Fields, nowMs: number): TimeRange {
  const rule = 'must be a time such as 2026-01-15T12:00:00Z'
  const fromMs = fields.read('from', query.from, readInstant, rule) ?? 0
  const toMs = fields.read('to', query.to, readInstant, rule) ?? FOREVER_MS
  if (query.range === undefined) return { fromMs, toMs }
  if (query.from !== undefined || query.to !== undefined) fields.refuse('range', 'cannot be combined with from or to')
  return rangeOf(query.range, nowMs)
}

/** Opaque to callers. */
export function encodeCursor({ atMs, id }: Cursor): string {
  return Buffer.from(`${atMs}.${id}`).toString('base64url')
}

function decodeCursor(text: string): Cursor | undefined {
  const match = /^(\d{1,15})\.(\w{1,80})$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
  return match?.[2] === undefined ? undefined : { atMs: Number(match[1]), id: match[2] }
}

function readInstant(text: string): number | undefined {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i.test(text)
  const ms = isInstant ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

function readNano(text: string): number | undefined {
  return /^\d{1,6}(?:\.\d{1,12})?$/.test(text) ? Math.ceil(Number(text) * NANO_PER_USD) : undefined
}

function readWhole(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

function readTag(text: string): { name: string; value: string } | undefined {
  const at = text.indexOf('=')
  return at < 1 ? undefined : { name: text.slice(0, at), value: text.slice(at + 1) }
}

/** Reads optional fields and remembers what is wrong with which, so that a caller learns of all at once. */
class Fields {
  readonly #errors: Record<string, string[]> = {}

  read<T>(
    field: string,
    text: string | undefined,
    parse: (text: string) => T | undefined,
    rule: string,
  ): T | undefined {
    const value = text === undefined ? undefined : parse(text)
    if (text !== undefined && value === undefined) this.refuse(field, rule)
    return value
  }

  refuse(field: string, rule: string): void {
    this.#errors[field] = [rule]
  }

  result<T>(value: T): Result<T, Refusal> {
    return Object.keys(this.#errors).length === 0 ? ok(value) : err(invalid(this.#errors))
  }
}
