/** From what was sent to an account's rules: defaults, bounds that a schema cannot say, and fields that depend on one another. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { readInstant } from '../../http/query-fields.ts'
import { isSendable } from '../../outbound/request-headers.ts'
import { NO_PARAMS } from '../../routing/rule.ts'
import { readParams } from '../chains/target-fields.ts'
import type { AccountRules } from './account.ts'
import { readBudget } from './budgets.ts'
import { readBaseUrl } from './base-url.ts'
import type { AccountDraft } from './schema.ts'

const TAGS_MAX = 20
const HEADERS_MAX = 20
const MAPPED_MODELS_MAX = 500

/** Everything that a new account has unless told otherwise. */
export function defaultRules(provider: ProviderSpec, name: string): AccountRules {
  return {
    name,
    authType: provider.auth.schemes[0],
    enabled: true,
    priority: 0,
    weight: 1,
    requestsPerMinute: null,
    tokensPerMinute: null,
    concurrencyMax: null,
    modelsAllow: ['*'],
    modelsDeny: [],
    modelMap: {},
    params: NO_PARAMS,
    headers: {},
    baseUrlOverride: null,
    allowPrivateNetwork: provider.kind === 'local',
    proxyPoolId: null,
    region: null,
    budgetNano: null,
    budgetPeriod: 'month',
    expiresAtMs: null,
    tags: {},
  }
}

/**
 * The rules after a write: what was sent, `null` read as the default, and `base` where nothing was sent. `base` is the account
 * as it is for a PATCH, the defaults for a POST or PUT.
 */
export function readRules(
  provider: ProviderSpec,
  draft: AccountDraft,
  base: AccountRules,
  defaults: AccountRules,
  nowMs: number,
): Result<AccountRules, FieldErrors> {
  const allowPrivateNetwork = picked(draft.allow_private_network, base, defaults, 'allowPrivateNetwork')
  const expiresAt = readTime(draft.expires_at, base.expiresAtMs, nowMs)
  const baseUrl = readOverride(draft.base_url_override, base.baseUrlOverride, allowPrivateNetwork)
  const rules: AccountRules = {
    name: picked(draft.name === null ? null : draft.name?.trim(), base, defaults, 'name'),
    authType: picked(draft.auth_type, base, defaults, 'authType'),
    enabled: picked(draft.enabled, base, defaults, 'enabled'),
    priority: picked(draft.priority, base, defaults, 'priority'),
    weight: picked(draft.weight, base, defaults, 'weight'),
    requestsPerMinute: picked(draft.rpm, base, defaults, 'requestsPerMinute'),
    tokensPerMinute: picked(draft.tpm, base, defaults, 'tokensPerMinute'),
    concurrencyMax: picked(draft.max_concurrency, base, defaults, 'concurrencyMax'),
    modelsAllow: picked(draft.models_allow, base, defaults, 'modelsAllow'),
    modelsDeny: picked(draft.models_deny, base, defaults, 'modelsDeny'),
    modelMap: picked(draft.model_map, base, defaults, 'modelMap'),
    params: draft.params === undefined ? base.params : readParams(draft.params),
    headers: lowerCased(picked(draft.headers, base, defaults, 'headers')),
    baseUrlOverride: baseUrl.ok ? baseUrl.value : null,
    allowPrivateNetwork,
    proxyPoolId: picked(draft.proxy_pool_id, base, defaults, 'proxyPoolId'),
    region: provider.auth.regionField === undefined ? picked(draft.region, base, defaults, 'region') : null,
    budgetNano: readBudget(draft.budget_usd, base.budgetNano),
    budgetPeriod: picked(draft.budget_period, base, defaults, 'budgetPeriod'),
    expiresAtMs: expiresAt.ok ? expiresAt.value : null,
    tags: picked(draft.tags, base, defaults, 'tags'),
  }
  const errors = {
    ...problemsOf(provider, rules),
    ...(baseUrl.ok ? {} : { base_url_override: [baseUrl.error] }),
    ...(expiresAt.ok ? {} : { expires_at: [expiresAt.error] }),
  }
  return Object.keys(errors).length === 0 ? ok(rules) : err(errors)
}

function picked<Field extends keyof AccountRules>(
  sent: AccountRules[Field] | null | undefined,
  base: AccountRules,
  defaults: AccountRules,
  field: Field,
): AccountRules[Field] {
  if (sent === undefined) return base[field]
  return sent ?? defaults[field]
}

/** The stored address is judged again, because the network opt-in beside it may have changed. */
export function readOverride(
  sent: string | null | undefined,
  stored: string | null,
  allowPrivateNetwork: boolean,
): Result<string | null, string> {
  const text = sent === undefined ? stored : sent
  return text === null ? ok(null) : readBaseUrl(text, allowPrivateNetwork)
}

function readTime(
  sent: string | null | undefined,
  stored: number | null,
  nowMs: number,
): Result<number | null, string> {
  if (sent === undefined) return ok(stored)
  if (sent === null) return ok(null)
  const atMs = readInstant(sent)
  if (atMs === undefined) return err('must be a time such as 2027-01-31T12:00:00Z')
  return atMs > nowMs ? ok(atMs) : err('must be in the future')
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function problemsOf(provider: ProviderSpec, rules: AccountRules): FieldErrors {
  const { schemes } = provider.auth
  return {
    ...(schemes.includes(rules.authType) ? {} : { auth_type: [`must be one of ${schemes.join(', ')}`] }),
    ...mapProblems('tags', rules.tags, TAGS_MAX, tagProblem),
    ...mapProblems('headers', rules.headers, HEADERS_MAX, headerProblem),
    ...mapProblems('model_map', rules.modelMap, MAPPED_MODELS_MAX, modelProblem),
  }
}

type EntryProblem = (name: string, value: string) => string | undefined

function mapProblems(
  field: string,
  map: Readonly<Record<string, string>>,
  entriesMax: number,
  problemOf: EntryProblem,
): FieldErrors {
  const entries = Object.entries(map)
  if (entries.length > entriesMax) return { [field]: [`must have at most ${entriesMax} entries`] }
  const found = entries.flatMap(([name, value]) => {
    const problem = problemOf(name, value)
    return problem === undefined ? [] : [[`${field}.${name.slice(0, 80)}`, [problem]] as const]
  })
  return Object.fromEntries(found)
}

const TAG_VALUE_MAX = 120

function tagProblem(name: string, value: string): string | undefined {
  if (!/^[a-z0-9_.-]{1,40}$/.test(name)) return 'must be named by 1 to 40 of a-z, 0-9, _, . and -'
  return value.length <= TAG_VALUE_MAX ? undefined : `must have at most ${TAG_VALUE_MAX} characters`
}

const MODEL_NAME = /^[\x21-\x7e]{1,200}$/

function modelProblem(name: string, value: string): string | undefined {
  return MODEL_NAME.test(name) && MODEL_NAME.test(value) ? undefined : 'must map one model name to another'
}

/** Credentials belong into `credentials`, where they are sealed, and what the body is we say ourselves. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'content-type',
])

function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]{1,100}$/.test(name)) return 'is not the name of a header'
  if (REFUSED_HEADERS.has(name) || !isSendable(name)) return 'is a header that cannot be set here'
  return /^[\x20-\x7e]{0,1024}$/.test(value) ? undefined : 'must be at most 1024 visible characters'
}
