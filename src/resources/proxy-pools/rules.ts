/** From what was sent to a pool's rules: defaults, and what a schema cannot say. */
import { SECOND_MS } from '../../core/duration.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { checkAtSave } from '../../outbound/policy.ts'
import { isBypassEntry } from '../../outbound/proxy.ts'
import { readEndpoints } from './endpoints.ts'
import type { CheckRules, PoolScope, ProxyPoolRules } from './proxy-pool.ts'
import type { ProxyPoolDraft } from './schema.ts'

export const DEFAULT_CHECK: CheckRules = { url: null, everyS: 300, timeoutMs: 5_000, failAfter: 3, okAfter: 1 }

const DEFAULTS = {
  strategy: 'sticky_account',
  noProxy: [],
  strict: true,
  scope: 'manual',
  check: DEFAULT_CHECK,
  enabled: true,
} as const satisfies Partial<ProxyPoolRules>

/**
 * The rules after a write: what was sent, `null` read as the default, and, for a PATCH, the pool as it is where nothing was sent.
 * Masks stand for the logins of `saved`.
 */
export function readRules(
  draft: ProxyPoolDraft,
  mode: 'put' | 'patch',
  saved: ProxyPoolRules | null,
  isProvider: (id: string) => boolean,
): Result<ProxyPoolRules, FieldErrors> {
  const base = mode === 'patch' ? saved : null
  const endpoints = draft.endpoints && readEndpoints(draft.endpoints, saved?.endpoints ?? [])
  const rules = {
    name: draft.name?.trim() ?? base?.name,
    endpoints: endpoints === undefined ? base?.endpoints : endpoints.ok ? endpoints.value : [],
    strategy:
      draft.strategy === undefined ? (base?.strategy ?? DEFAULTS.strategy) : (draft.strategy ?? DEFAULTS.strategy),
    noProxy: draft.no_proxy === undefined ? (base?.noProxy ?? DEFAULTS.noProxy) : (draft.no_proxy ?? DEFAULTS.noProxy),
    strict: draft.strict === undefined ? (base?.strict ?? DEFAULTS.strict) : (draft.strict ?? DEFAULTS.strict),
    scope: readScope(draft.scope, base),
    check: readCheck(draft.check, base),
    enabled: draft.enabled === undefined ? (base?.enabled ?? DEFAULTS.enabled) : (draft.enabled ?? DEFAULTS.enabled),
  }
  const { name, endpoints: exits } = rules
  const errors: FieldErrors = {
    ...(name === undefined ? { name: ['is required'] } : {}),
    ...(exits === undefined ? { endpoints: ['is required'] } : {}),
    ...(endpoints?.ok === false ? endpoints.error : {}),
    ...bypassProblems(rules.noProxy),
    ...scopeProblems(rules.scope, saved?.scope, isProvider),
    ...checkProblems(rules.check),
  }
  if (name === undefined || exits === undefined || Object.keys(errors).length > 0) return err(errors)
  return ok({ ...rules, name, endpoints: exits })
}

function readScope(sent: string | null | undefined, base: ProxyPoolRules | null): PoolScope {
  if (sent === undefined) return base?.scope ?? DEFAULTS.scope
  return (sent as PoolScope | null) ?? DEFAULTS.scope // the schema's pattern is that of the type
}

/** Each field of a check has a default of its own. */
function readCheck(sent: ProxyPoolDraft['check'], base: ProxyPoolRules | null): CheckRules {
  if (sent === undefined) return base?.check ?? DEFAULT_CHECK
  const { url, every_s, timeout_ms, fail_after, ok_after } = sent ?? {}
  return {
    url: url ?? DEFAULT_CHECK.url,
    everyS: every_s ?? DEFAULT_CHECK.everyS,
    timeoutMs: timeout_ms ?? DEFAULT_CHECK.timeoutMs,
    failAfter: fail_after ?? DEFAULT_CHECK.failAfter,
    okAfter: ok_after ?? DEFAULT_CHECK.okAfter,
  }
}

function bypassProblems(entries: readonly string[]): FieldErrors {
  const found = entries.flatMap((entry, index) =>
    isBypassEntry(entry) ? [] : [[`no_proxy.${index}`, ['must be a host, .suffix, address or CIDR block']] as const],
  )
  return Object.fromEntries(found)
}

function scopeProblems(
  scope: PoolScope,
  saved: PoolScope | undefined,
  isProvider: (id: string) => boolean,
): FieldErrors {
  const provider = scope.startsWith('provider:') ? scope.slice('provider:'.length) : null
  if (provider === null || scope === saved || isProvider(provider)) return {}
  return { scope: ['names a provider that is not known here'] }
}

/** Proxies that look names up are handed public ones alone, so a check can only ask there. */
function checkProblems({ url, everyS, timeoutMs }: CheckRules): FieldErrors {
  const parsed = url === null ? undefined : URL.parse(url)
  const refusal = parsed && checkAtSave(parsed, { kind: 'owner', allowPrivateNetwork: false })
  const isUrl = parsed === undefined || parsed?.protocol === 'https:'
  return {
    ...(isUrl ? {} : { 'check.url': ['must be an https address'] }),
    ...(isUrl && refusal ? { 'check.url': [refusal.message] } : {}),
    ...(timeoutMs > everyS * SECOND_MS ? { 'check.timeout_ms': ['must not be longer than every_s'] } : {}),
  }
}
