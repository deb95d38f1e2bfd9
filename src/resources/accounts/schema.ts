/** The wire shapes of accounts. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import type { ProviderSpec } from '../../catalog/provider.ts'
import { FAILURE_KINDS } from '../../core/failure.ts'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'
import { ParamsField, paramsToWire } from '../chains/target-fields.ts'
import { BUDGET_PERIODS } from '../plans/limits.ts'
import { type OwnBudget, OwnBudgetWire, ownBudgetToWire } from '../plans/own-budget.ts'
import type { Account, AccountState, QuotaSummary } from './account.ts'
import { maskCredentials } from './credentials.ts'
import { AuthSchemeField, BaseUrlField, CredentialsField, ProxyPoolField, REGION_PATTERN } from './fields.ts'
import { regionOf } from './region.ts'
import { cooldownsInForce, reasonOf, statusOf } from './state.ts'

const PATTERNS_MAX = 200
const Patterns = Type.Array(Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }), { maxItems: PATTERNS_MAX })
const LIMIT_MAX = 1_000_000_000
const CONCURRENCY_MAX = 10_000
/** Nano-dollars stay exact integers up to here. */
const BUDGET_USD_MAX = 9_000_000
const PerMinute = (what: string) =>
  Type.Integer({ minimum: 0, maximum: LIMIT_MAX, description: `${what} per minute, kept here; null: no limit` })
const Concurrency = Type.Integer({
  minimum: 1,
  maximum: CONCURRENCY_MAX,
  description: 'requests at once, kept here; null: no limit',
})
const RegionField = Type.String({
  pattern: REGION_PATTERN,
  description: 'where its calls go; a region that is part of the address is said among the credentials',
})
const StringMap = Type.Record(Type.String(), Type.String())
/** What may be changed. `null` means the default; a PUT without a field means the same, a PATCH leaves it as it is. */
const writable = {
  name: optional(Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })),
  auth_type: optional(AuthSchemeField),
  credentials: Type.Optional(CredentialsField),
  enabled: optional(Type.Boolean()),
  priority: optional(Type.Integer({ minimum: 0, maximum: 100, description: 'the lowest is tried first' })),
  weight: optional(Type.Integer({ minimum: 0, maximum: 1_000, description: 'the heaviest first among equals' })),
  rpm: optional(PerMinute('requests')),
  tpm: optional(PerMinute('tokens')),
  max_concurrency: optional(Concurrency),
  models_allow: optional(Patterns),
  models_deny: optional(Patterns),
  model_map: optional(StringMap),
  params: optional(ParamsField),
  headers: optional(StringMap),
  base_url_override: optional(BaseUrlField),
  allow_private_network: optional(Type.Boolean()),
  proxy_pool_id: optional(ProxyPoolField),
  region: optional(RegionField),
  budget_usd: optional(
    Type.Number({
      minimum: 0,
      maximum: BUDGET_USD_MAX,
      description: 'what it may cost in a period; then it is passed over',
    }),
  ),
  budget_period: optional(choice(BUDGET_PERIODS)),
  expires_at: optional(Type.String({ description: 'RFC 3339' })),
  tags: optional(StringMap),
}

const ProviderId = Type.String({ minLength: 1, maxLength: 64 })

export const CreateAccountSchema = Type.Object({ provider: ProviderId, ...writable }, CLOSED)
export const PutAccountSchema = Type.Object({ provider: Type.Optional(ProviderId), ...writable }, CLOSED)
export const PatchAccountSchema = PutAccountSchema
export type AccountDraft = Static<typeof PutAccountSchema>
export type NewAccountDraft = Static<typeof CreateAccountSchema>

const Time = Type.String({ description: 'RFC 3339, UTC' })
const NullableTime = nullable(Time)
const FailureClass = choice(FAILURE_KINDS)

export const AccountSchema = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer(),
    provider: Type.String(),
    name: Type.String(),
    auth_type: AuthSchemeField,
    credentials_masked: Type.Record(Type.String(), Type.String()),
    credentials_set: Type.Boolean(),
    enabled: Type.Boolean(),
    status: choice(['active', 'cooldown', 'exhausted', 'auth_error', 'disabled', 'untested'] as const),
    status_reason: nullable(Type.String()),
    last_error: nullable(
      Type.Object({ class: FailureClass, http: nullable(Type.Integer()), message: Type.String(), at: Time }, CLOSED),
    ),
    last_ok_at: NullableTime,
    last_tested_at: NullableTime,
    cooldown_until: NullableTime,
    cooldowns: Type.Array(
      Type.Object({ model: Type.String(), until: Time, reason: Type.String(), level: Type.Integer() }, CLOSED),
    ),
    priority: Type.Integer(),
    weight: Type.Integer(),
    rpm: nullable(Type.Integer()),
    tpm: nullable(Type.Integer()),
    max_concurrency: nullable(Type.Integer()),
    models_allow: Type.Array(Type.String()),
    models_deny: Type.Array(Type.String()),
    model_map: StringMap,
    params: ParamsField,
    headers: StringMap,
    base_url_override: nullable(Type.String()),
    allow_private_network: Type.Boolean(),
    proxy_pool_id: nullable(Type.String()),
    region: nullable(Type.String()),
    budget_usd: nullable(Type.Number()),
    budget_period: choice(BUDGET_PERIODS),
    budget: nullable(OwnBudgetWire),
    expires_at: NullableTime,
    tags: StringMap,
    quota: nullable(
      Type.Object(
        {
          used_pct: nullable(Type.Number({ description: 'of the quota that is used up the most' })),
          spent: Type.Boolean({ description: 'something is used up' }),
          next_reset_at: NullableTime,
        },
        CLOSED,
      ),
    ),
    source: choice(['ui', 'api', 'import', 'env', 'config'] as const),
  },
  CLOSED,
)
export type AccountWire = Static<typeof AccountSchema>

export const RevealedSchema = Type.Object({ id: Type.String(), credentials: StringMap }, CLOSED)

export interface ShownAccount {
  readonly account: Account
  readonly state: AccountState
  readonly provider: ProviderSpec
  /** Null when there are none, or when they cannot be opened with this master key. */
  readonly credentials: Credentials | null
  /** Null: nothing is known. */
  readonly quota: QuotaSummary | null
  /** Null: it has no amount. */
  readonly budget: OwnBudget | null
}

export function toWire(shown: ShownAccount, nowMs: number): AccountWire {
  const { account, state, provider, credentials, quota, budget } = shown
  return {
    id: account.id,
    created_at: time(account.createdAtMs),
    updated_at: time(account.updatedAtMs),
    version: account.version,
    provider: account.provider,
    name: account.name,
    auth_type: account.authType,
    credentials_masked: credentials === null ? {} : maskCredentials(provider, credentials),
    credentials_set: credentials === null ? account.sealedCredentials !== null : Object.keys(credentials).length > 0,
    ...stateToWire(account, state, nowMs),
    ...rulesToWire(account),
    region: regionOf(provider, account, credentials ?? {}),
    budget: budget && ownBudgetToWire(budget),
    quota: quota && {
      used_pct: quota.usedPct === null ? null : Math.round(quota.usedPct * 10) / 10,
      spent: quota.spent,
      next_reset_at: timeOrNull(quota.nextResetAtMs),
    },
    source: account.source,
  }
}

function stateToWire(account: Account, state: AccountState, nowMs: number) {
  const cooldowns = cooldownsInForce(state, nowMs)
  const until = cooldowns.map(({ untilMs }) => untilMs)
  const { lastError } = state
  return {
    status: statusOf(account, state, nowMs),
    status_reason: reasonOf(account, state, nowMs),
    last_error: lastError && {
      class: lastError.class,
      http: lastError.http,
      message: lastError.message,
      at: time(lastError.atMs),
    },
    last_ok_at: timeOrNull(state.lastOkAtMs),
    last_tested_at: timeOrNull(state.lastTestedAtMs),
    cooldown_until:
      state.retryAtMs === null ? timeOrNull(until.length === 0 ? null : Math.max(...until)) : time(state.retryAtMs),
    cooldowns: cooldowns.map(({ model, untilMs, reason, level }) => ({ model, until: time(untilMs), reason, level })),
  }
}

function rulesToWire(account: Account) {
  return {
    enabled: account.enabled,
    priority: account.priority,
    weight: account.weight,
    rpm: account.requestsPerMinute,
    tpm: account.tokensPerMinute,
    max_concurrency: account.concurrencyMax,
    models_allow: [...account.modelsAllow],
    models_deny: [...account.modelsDeny],
    model_map: { ...account.modelMap },
    params: paramsToWire(account.params),
    headers: { ...account.headers },
    base_url_override: account.baseUrlOverride,
    allow_private_network: account.allowPrivateNetwork,
    proxy_pool_id: account.proxyPoolId,
    budget_usd: account.budgetNano === null ? null : usdFromNano(account.budgetNano),
    budget_period: account.budgetPeriod,
    expires_at: timeOrNull(account.expiresAtMs),
    tags: { ...account.tags },
  }
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : time(ms)
}
