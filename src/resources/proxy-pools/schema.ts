/** The wire shapes of proxy pools. */
import { type Static, Type } from '@sinclair/typebox'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { EXIT_STRATEGIES } from '../../outbound/exits/choice.ts'
import { EndpointsField, shownUrl } from './endpoints.ts'
import type { ProxyPool } from './proxy-pool.ts'
import type { EndpointStatus } from './status.ts'

const NameField = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
const NO_PROXY_MAX = 200
const NO_PROXY_LENGTH_MAX = 260

const CheckField = Type.Object(
  {
    url: optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'fetched through each exit; null connects to a provider that uses the pool',
      }),
    ),
    every_s: optional(Type.Integer({ minimum: 10, maximum: 86_400 })),
    timeout_ms: optional(Type.Integer({ minimum: 100, maximum: 30_000 })),
    fail_after: optional(Type.Integer({ minimum: 1, maximum: 100 })),
    ok_after: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  CLOSED,
)

/** `null` means the default; a PUT without a field means the same, a PATCH leaves it as it is. */
const writable = {
  strategy: optional(choice(EXIT_STRATEGIES)),
  no_proxy: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: NO_PROXY_LENGTH_MAX }), {
      maxItems: NO_PROXY_MAX,
      description: 'hosts, .suffixes, addresses and CIDR blocks that go direct; names are not looked up for it',
    }),
  ),
  strict: optional(Type.Boolean({ description: 'no exit alive: fail (true) or go direct (false)' })),
  scope: optional(
    Type.String({
      pattern: '^(manual|global|provider:[a-z0-9][a-z0-9-]{0,63})$',
      description: 'manual, global or provider:<slug>; an account’s own choice beats its provider’s, that beats global',
    }),
  ),
  check: optional(CheckField),
  enabled: optional(Type.Boolean()),
}

export const CreateProxyPoolSchema = Type.Object({ name: NameField, endpoints: EndpointsField, ...writable }, CLOSED)
export const ChangeProxyPoolSchema = Type.Object(
  { name: Type.Optional(NameField), endpoints: Type.Optional(EndpointsField), ...writable },
  CLOSED,
)
export type ProxyPoolDraft = Static<typeof ChangeProxyPoolSchema>
export type NewProxyPoolDraft = Static<typeof CreateProxyPoolSchema>

const Time = Type.String({ description: 'RFC 3339, UTC' })

export const StatusShape = Type.Object(
  {
    url: Type.String(),
    state: choice(['up', 'down', 'unknown'] as const),
    latency_ms: nullable(Type.Integer()),
    exit_ip: nullable(Type.String()),
    country: nullable(Type.String()),
    last_error: nullable(Type.String()),
    checked_at: nullable(Time),
  },
  CLOSED,
)

const EndpointShape = Type.Object({ url: Type.String(), weight: Type.Integer(), enabled: Type.Boolean() }, CLOSED)
const CheckShape = Type.Object(
  {
    url: nullable(Type.String()),
    every_s: Type.Integer(),
    timeout_ms: Type.Integer(),
    fail_after: Type.Integer(),
    ok_after: Type.Integer(),
  },
  CLOSED,
)

export const ProxyPoolSchema = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
    name: Type.String(),
    endpoints: Type.Array(EndpointShape),
    strategy: choice(EXIT_STRATEGIES),
    no_proxy: Type.Array(Type.String()),
    strict: Type.Boolean(),
    scope: Type.String(),
    check: CheckShape,
    enabled: Type.Boolean(),
    status: Type.Array(StatusShape),
  },
  CLOSED,
)
export type ProxyPoolWire = Static<typeof ProxyPoolSchema>

export const TestedSchema = Type.Object(
  { id: Type.String(), name: Type.String(), ok: Type.Boolean(), endpoints: Type.Array(StatusShape) },
  CLOSED,
)
export const HealthSchema = Type.Object({ pools: Type.Array(TestedSchema) }, CLOSED)

export function toWire(pool: ProxyPool, status: readonly EndpointStatus[]): ProxyPoolWire {
  return { ...rulesToWire(pool), status: status.map(statusToWire) }
}

/** Without what is known of its exits: what an operator did. */
export function rulesToWire(pool: ProxyPool): Omit<ProxyPoolWire, 'status'> {
  const { url, everyS, timeoutMs, failAfter, okAfter } = pool.check
  return {
    id: pool.id,
    created_at: new Date(pool.createdAtMs).toISOString(),
    updated_at: new Date(pool.updatedAtMs).toISOString(),
    version: pool.version,
    name: pool.name,
    endpoints: pool.endpoints.map(({ exit, weight, enabled }) => ({ url: shownUrl(exit), weight, enabled })),
    strategy: pool.strategy,
    no_proxy: [...pool.noProxy],
    strict: pool.strict,
    scope: pool.scope,
    check: { url, every_s: everyS, timeout_ms: timeoutMs, fail_after: failAfter, ok_after: okAfter },
    enabled: pool.enabled,
  }
}

export function testedToWire({ id, name }: ProxyPool, status: readonly EndpointStatus[]): Static<typeof TestedSchema> {
  return { id, name, ok: status.every(({ state }) => state === 'up'), endpoints: status.map(statusToWire) }
}

function statusToWire({ exit, state, latencyMs, exitIp, country, lastError, checkedAtMs }: EndpointStatus) {
  return {
    url: shownUrl(exit),
    state,
    latency_ms: latencyMs === null ? null : Math.round(latencyMs),
    exit_ip: exitIp,
    country,
    last_error: lastError,
    checked_at: checkedAtMs === null ? null : new Date(checkedAtMs).toISOString(),
  }
}
