/**
 * What the runtime's parser lets through and we do not. It joins repeated headers with a comma, takes any Host, and decodes
 * `%2F` and `%00` into route parameters; each of these lets two readers of one request understand it differently.
 */
import { type Failure, failure } from '../core/failure.ts'

/** Headers that decide who the caller is or where the body ends: at most one of each. */
const SINGLE_HEADERS = [
  'host',
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'x-gateway-key',
  'content-length',
] as const

/** Model ids may hold slashes, so below these the rest of the path is one opaque value, read from the raw URL. */
const OPAQUE_TAILS = ['/v1/models/', '/v1/capability-overrides/', '/v1beta/'] as const

const HOST_LENGTH_MAX = 261
const HOST = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i
const PORT_MAX = 65_535

/** Why this request must be answered with 400 before anything else reads it; undefined when it may go on. Failure: `malformed`. */
export function strictFailure(url: string, headers: Headers): Failure | undefined {
  const problem = headerProblem(headers) ?? hostProblem(url, headers.get('host')) ?? pathProblem(pathOf(url))
  return problem === undefined ? undefined : failure('malformed', problem)
}

function headerProblem(headers: Headers): string | undefined {
  const repeated = SINGLE_HEADERS.find((name) => headers.get(name)?.includes(', ') === true)
  if (repeated !== undefined) return `the header ${repeated} was sent more than once`
  const contentType = headers.get('content-type')?.replaceAll(/"[^"]*"/g, '')
  return contentType?.includes(',') === true ? 'the header content-type was sent more than once' : undefined
}

function hostProblem(url: string, host: string | null): string | undefined {
  if (host === null && url.startsWith('http')) return undefined // made inside the process: a request on the wire always has one
  return host !== null && isWellFormedHost(host) ? undefined : 'the Host header is not a well-formed host and port'
}

/** A name, an IPv4 address or a bracketed IPv6 address, with or without a port. */
export function isWellFormedHost(host: string): boolean {
  if (host.length > HOST_LENGTH_MAX) return false
  const match = HOST.exec(host)
  return match !== null && Number(match[1] ?? 0) <= PORT_MAX
}

function pathProblem(path: string): string | undefined {
  if (path.includes('\\') || /%5c/i.test(path)) return 'the path holds a back-slash'
  if (path.includes('\0') || path.includes('%00')) return 'the path holds a NUL'
  if (OPAQUE_TAILS.some((prefix) => path.startsWith(prefix))) return undefined
  if (/%2f/i.test(path)) return 'the path holds an encoded slash'
  // Plain dot segments are already resolved by the URL parser, so access rules and router see the path that is left.
  return /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path) ? 'the path holds a dot segment' : undefined
}

/** The path as it was sent, nothing decoded; `/` when the URL has none. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  const address = end === -1 ? url : url.slice(0, end)
  const start = address.startsWith('/') ? 0 : address.indexOf('/', address.indexOf('://') + 3)
  return start === -1 ? '/' : address.slice(start)
}

/** The query as it was sent, with its `?`; empty when there is none. */
export function searchOf(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}
