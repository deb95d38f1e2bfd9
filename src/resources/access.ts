/**
 * Who may call what: every route of the server with what opens it. A route without a row is answered with 404 and fails a
 * test. Roles other than the owner's get their rows with the rules that narrow them down to their own objects.
 */
import { pathOf } from '../http/strict.ts'
import { type Role, ROLES } from './auth/actor.ts'

/** `public`: nothing. `key`: a gateway key, which the gateway itself checks. Otherwise an access token of one of these roles. */
export type Access = 'public' | 'key' | readonly Role[]

export interface AccessRow {
  readonly method: string
  /** As the router writes it: `:id` is one segment, `*` the rest. */
  readonly path: string
  readonly access: Access
}

const OWNER = ['owner'] as const satisfies readonly Role[]

export const ACCESS: readonly AccessRow[] = [
  ...rows('public', [
    'GET /health',
    'HEAD /',
    'GET /',
    'GET /setup',
    'GET /docs',
    'GET /docs/:page',
    'GET /api/hello',
    'GET /v1/openapi.json',
    'GET /skills/:id/SKILL.md',
    'GET /v1/auth/setup',
    'POST /v1/auth/setup',
    'POST /v1/auth/sign-in',
    'POST /v1/auth/refresh',
  ]),
  ...rows('key', [
    'POST /v1/messages',
    'POST /v1/messages/count_tokens',
    'POST /v1/chat/completions',
    'POST /v1/responses',
    'GET /v1/models',
    'GET /v1/models/*',
  ]),
  ...rows(ROLES, ['GET /v1/auth/me', 'PATCH /v1/auth/me', 'POST /v1/auth/sign-out']),
  ...rows(OWNER, [
    ...crud('/v1/keys'),
    'POST /v1/keys/:id/reveal',
    'POST /v1/keys/:id/rotate',
    ...crud('/v1/plans'),
    'POST /v1/plans/simulate',
    'GET /v1/plans/:id/keys',
    ...crud('/v1/accounts'),
    'POST /v1/accounts/bulk',
    'POST /v1/accounts/:id/test',
    'GET /v1/accounts/:id/quota',
    'POST /v1/accounts/:id/quota/reset',
    'GET /v1/quota',
    'GET /v1/quota/overview',
    'PATCH /v1/quota/:id',
    'DELETE /v1/quota/:id',
    'GET /v1/accounts/:id/probe',
    'POST /v1/accounts/:id/probe',
    'POST /v1/accounts/:id/reveal',
    'POST /v1/validate-key',
    'GET /v1/providers',
    'GET /v1/providers/:id',
    'GET /v1/providers/rates',
    'POST /v1/providers/rates/sync',
    'GET /v1/providers/:id/models',
    'POST /v1/providers/:id/models/sync',
    'POST /v1/providers/:id/conformance/apply',
    'POST /v1/providers/:id/accounts/disable-all',
    'POST /v1/providers/:id/accounts/enable-all',
    'DELETE /v1/providers/:id/accounts/disabled',
    'DELETE /v1/providers/:id/accounts/all',
    ...crud('/v1/custom-providers'),
    ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /v1/capability-overrides`),
    ...['GET', 'POST', 'DELETE'].map((method) => `${method} /v1/model-pricing-overrides`),
    'POST /v1/capability-overrides/reset',
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /v1/capability-overrides/*`),
    ...crud('/v1/chains'),
    'GET /v1/chains/:id/usage',
    'POST /v1/chains/simulate',
    'POST /v1/chains/:id/simulate',
    ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /v1/models/alias`),
    ...crud('/v1/budgets'),
    'GET /v1/budgets/status',
    'GET /v1/budgets/:id/forecast',
    ...crud('/v1/proxy-pools'),
    'POST /v1/proxy-pools/health-check',
    'POST /v1/proxy-pools/:id/test',
    'GET /v1/skills',
    'POST /v1/skills',
    'POST /v1/skills/parse',
    'GET /v1/skills/:id',
    'GET /v1/skills/:id/usage',
    'PATCH /v1/skills/:id',
    'DELETE /v1/skills/:id',
    'GET /v1/settings',
    'PUT /v1/settings',
    'PATCH /v1/settings',
    'POST /v1/usage/reprice',
    'GET /v1/usage',
    'GET /v1/usage/models',
    'GET /v1/usage/telemetry',
    'GET /v1/usage/export',
    'GET /v1/usage/insights',
    'GET /v1/usage/requests',
    'GET /v1/usage/requests/:id',
    'GET /v1/audit',
    'GET /v1/console',
    'DELETE /v1/console',
    'GET /v1/system/stats',
  ]),
]

function rows(access: Access, routes: readonly string[]): readonly AccessRow[] {
  return routes.map((route) => {
    const [method = '', path = ''] = route.split(' ')
    return { method, path, access }
  })
}

function crud(path: string): readonly string[] {
  const one = `${path}/:id`
  return [`GET ${path}`, `POST ${path}`, `GET ${one}`, `PUT ${one}`, `PATCH ${one}`, `DELETE ${one}`]
}

const FIXED: ReadonlyMap<string, Access> = new Map(
  ACCESS.filter(isFixed).map(({ method, path, access }) => [`${method} ${path}`, access]),
)
const PATTERNS = ACCESS.filter((row) => !isFixed(row)).map((row) => ({ ...row, segments: row.path.split('/') }))

function isFixed({ path }: AccessRow): boolean {
  return !path.includes(':') && !path.endsWith('*')
}

/** What opens a request; undefined when no row covers it. */
export function accessOf(method: string, url: string): Access | undefined {
  const path = pathOf(url)
  const access = rowFor(method, path)
  return access === undefined && method === 'HEAD' ? rowFor('GET', path) : access // the router answers HEAD by the GET
}

function rowFor(method: string, path: string): Access | undefined {
  const fixed = FIXED.get(`${method} ${path}`)
  if (fixed !== undefined) return fixed
  const segments = path.split('/')
  return PATTERNS.find((row) => row.method === method && matches(row.segments, segments))?.access
}

/** The methods that a path answers to, for the `Allow` of a 405; empty when there is no such path. */
export function methodsOf(url: string): readonly string[] {
  const path = pathOf(url)
  const segments = path.split('/')
  const covering = ACCESS.filter((row) => row.path === path || matches(row.path.split('/'), segments))
  return [...new Set(covering.map(({ method }) => method))]
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, at) => {
    if (part === '*') return segments.slice(at).join('/') !== ''
    return part.startsWith(':') ? segments[at] !== '' : part === segments[at]
  })
}
