/** What the form of a proxy pool holds, and what it sends. Pure. Empty texts mean the default. */
import type { NewProxyPool, ProxyPool, ProxyPoolChange } from '../../wire.ts'

/** An exit as it is typed. The password of a stored one is a mask, which stays what it stands for while the address stays. */
export interface ExitRow {
  readonly url: string
  readonly weight: string
  readonly enabled: boolean
}

export interface PoolFields {
  readonly name: string
  readonly endpoints: readonly ExitRow[]
  readonly strategy: ProxyPool['strategy']
  readonly scope: string
  readonly strict: boolean
  readonly no_proxy: readonly string[]
  readonly check: CheckFields
}

export interface CheckFields {
  readonly url: string
  readonly every_s: string
  readonly timeout_ms: string
  readonly fail_after: string
  readonly ok_after: string
}

export const NEW_EXIT: ExitRow = { url: '', weight: '1', enabled: true }

/** The server's own defaults. */
export const NEW_FIELDS: PoolFields = {
  name: '',
  endpoints: [NEW_EXIT],
  strategy: 'sticky_account',
  scope: 'manual',
  strict: true,
  no_proxy: [],
  check: { url: '', every_s: '300', timeout_ms: '5000', fail_after: '3', ok_after: '1' },
}

export function fieldsOf({ name, endpoints, strategy, scope, strict, no_proxy, check }: ProxyPool): PoolFields {
  return {
    name,
    endpoints: endpoints.map(({ url, weight, enabled }) => ({ url, weight: String(weight), enabled })),
    strategy,
    scope,
    strict,
    no_proxy,
    check: {
      url: check.url ?? '',
      every_s: String(check.every_s),
      timeout_ms: String(check.timeout_ms),
      fail_after: String(check.fail_after),
      ok_after: String(check.ok_after),
    },
  }
}

/** The body of a PATCH for these fields. */
export function changeOf({ endpoints, check, no_proxy, ...same }: Partial<PoolFields>): ProxyPoolChange {
  return {
    ...same,
    ...(endpoints !== undefined && { endpoints: endpointsOf(endpoints) }),
    ...(no_proxy !== undefined && { no_proxy: [...no_proxy] }),
    ...(check !== undefined && { check: checkOf(check) }),
  }
}

export function newOf(fields: PoolFields): NewProxyPool {
  return { ...changeOf(fields), name: fields.name, endpoints: endpointsOf(fields.endpoints) }
}

function endpointsOf(rows: readonly ExitRow[]): NewProxyPool['endpoints'] {
  return rows.map(({ url, weight, enabled }) => ({ url: url.trim(), weight: numberOrDefault(weight), enabled }))
}

function checkOf({ url, ...numbers }: CheckFields): NonNullable<ProxyPoolChange['check']> {
  return {
    url: url.trim() === '' ? null : url.trim(),
    every_s: numberOrDefault(numbers.every_s),
    timeout_ms: numberOrDefault(numbers.timeout_ms),
    fail_after: numberOrDefault(numbers.fail_after),
    ok_after: numberOrDefault(numbers.ok_after),
  }
}

/** Null is the default. What is no whole number goes out as it is, for the server to name the field. */
function numberOrDefault(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
