import type { SearchParams } from '../../address.ts'
import { stringifySearch } from '../../address.ts'
import type { Query } from '../../api.ts'
import { ownTimeZone } from '../../components/time-zone-input.tsx'

/** Names in the address that are filters of `GET /v1/usage/requests`, under the same names. */
export const FILTER_NAMES = [
  'q',
  'status',
  'error_class',
  'model',
  'provider',
  'account_id',
  'chain_id',
  'key_id',
  'plan_id',
  'tag',
  'endpoint',
  'client',
  'session_id',
  'stream',
  'min_cost_usd',
  'min_ms',
  'range',
  'from',
  'to',
] as const

/** What of the address narrows the log. A range beside two ends would be refused: the ends win. */
export function logFilters(search: SearchParams): SearchParams {
  const given = FILTER_NAMES.flatMap((name) => {
    const value = search[name]
    const isShadowed = name === 'range' && (search['from'] !== undefined || search['to'] !== undefined)
    return value === undefined || isShadowed ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** The same as the API is asked: days are the viewer's. */
export function askedFilters(search: SearchParams): SearchParams {
  const filters = logFilters(search)
  return filters['range'] === undefined ? filters : { ...filters, tz: ownTimeZone() }
}

/** The same without its ends in time: to ask for what is beside a request. */
export function timelessFilters(search: SearchParams): Query {
  const { range: _range, from: _from, to: _to, ...others } = logFilters(search)
  return others
}

/** A request's own address; the way back and to its neighbours keeps the list's filters. */
export function requestHref(id: string, search: SearchParams): string {
  return `/requests/${encodeURIComponent(id)}${stringifySearch(logFilters(search))}`
}

export function logHref(search: SearchParams): string {
  return `/requests${stringifySearch(logFilters(search))}`
}
