import { type TProperties, Type } from '@sinclair/typebox'
import { err, ok, type Result } from '../core/result.ts'
import { CLOSED } from './closed.ts'
import type { FieldErrors } from './envelope.ts'
import { invalid, type Refusal } from './refusal.ts'

export const LIMIT_DEFAULT = 10
export const LIMIT_MAX = 100
/** Beyond this an offset is a mistake; the bound keeps it a safe integer everywhere. */
export const OFFSET_MAX = 1_000_000_000
const SEARCH_LENGTH_MAX = 200
const ORDERS = ['asc', 'desc'] as const

export interface Page<Sort extends string = string> {
  readonly offset: number
  readonly limit: number
  /** Free text to look for; undefined when not asked. */
  readonly q: string | undefined
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

/** One page, and how many match in all. */
export interface Found<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** Query values as they arrive: text. */
export interface PageQuery {
  readonly offset?: string
  readonly limit?: string
  readonly q?: string
  readonly sort?: string
  readonly order?: string
}

/** The closed query schema of a list, with the filters of that resource. `readPage` does the checking of the common ones. */
export function pageQuerySchema<T extends TProperties>(sorts: readonly string[], filters: T) {
  const common = {
    offset: Type.Optional(Type.String({ description: '0-based, default 0' })),
    limit: Type.Optional(Type.String({ description: `1 to ${LIMIT_MAX}, default ${LIMIT_DEFAULT}` })),
    q: Type.Optional(Type.String({ description: 'search text' })),
    sort: Type.Optional(Type.String({ description: `one of ${sorts.join(', ')}` })),
    order: Type.Optional(Type.String({ description: 'asc or desc' })),
  }
  return Type.Object({ ...common, ...filters }, CLOSED)
}

/** `sorts` is the fixed list of the resource, its default first; every default order is newest first (`desc`). */
export function readPage<Sort extends string>(
  query: PageQuery,
  sorts: readonly [Sort, ...Sort[]],
): Result<Page<Sort>, Refusal> {
  const offset = readInteger(query.offset, 0, 0, OFFSET_MAX)
  const limit = readInteger(query.limit, LIMIT_DEFAULT, 1, LIMIT_MAX)
  const sort = query.sort === undefined ? sorts[0] : sorts.find((name) => name === query.sort)
  const order = ORDERS.find((name) => name === (query.order ?? 'desc'))
  const q = (query.q?.length ?? 0) > SEARCH_LENGTH_MAX ? undefined : (query.q ?? '')
  if (offset === undefined || limit === undefined || sort === undefined || order === undefined || q === undefined) {
    return err(invalid(pageErrors({ offset, limit, sort, order, q }, sorts)))
  }
  return ok({ offset, limit, sort, order, q: q === '' ? undefined : q })
}

/** Of what is in memory. Sorting is stable and what is descending is the ascending order turned round, so pages never overlap. */
export function cutPage<T>(
  matching: readonly T[],
  { offset, limit, order }: Pick<Page, 'offset' | 'limit' | 'order'>,
  ascending: (a: T, b: T) => number,
): Found<T> {
  const sorted = matching.toSorted(ascending)
  const ordered = order === 'asc' ? sorted : sorted.reverse()
  return { items: ordered.slice(offset, offset + limit), total: matching.length }
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Does any of them hold what is looked for? All do where nothing is. */
export function holds(texts: readonly string[], q: string | undefined): boolean {
  return q === undefined || texts.some((text) => text.toLowerCase().includes(q.toLowerCase()))
}

/** One message for each value that could not be read. */
function pageErrors(read: Readonly<Record<keyof PageQuery, unknown>>, sorts: readonly string[]): FieldErrors {
  const rules: Readonly<Record<keyof PageQuery, string>> = {
    offset: `must be an integer from 0 to ${OFFSET_MAX}`,
    limit: `must be an integer from 1 to ${LIMIT_MAX}`,
    sort: `must be one of ${sorts.join(', ')}`,
    order: `must be one of ${ORDERS.join(', ')}`,
    q: `must have at most ${SEARCH_LENGTH_MAX} characters`,
  }
  const broken = Object.entries(rules).filter(([name]) => read[name as keyof PageQuery] === undefined)
  return Object.fromEntries(broken.map(([name, rule]) => [name, [rule]]))
}

function readInteger(text: string | undefined, fallback: number, min: number, max: number): number | undefined {
  if (text === undefined) return fallback
  if (!/^\d{1,10}$/.test(text)) return undefined
  const value = Number(text)
  return value >= min && value <= max ? value : undefined
}
