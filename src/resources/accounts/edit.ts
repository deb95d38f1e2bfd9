/** What a write to an account leads to, before anything is stored. Pure: the rules of secrets that stay, go or are replaced. */
import type { AuthScheme, ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { isSame } from '../../core/same.ts'
import { maskSecret } from '../../core/secret.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { addressFieldsOf } from '../../outbound/address-template.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'
import type { AccountRules } from './account.ts'
import { leavesOrigin } from './base-url.ts'
import { canonicalCredentials, ofScheme, readCredentials } from './credentials.ts'
import { regionProblems } from './region.ts'
import { defaultRules, readRules } from './rules.ts'
import type { AccountDraft, NewAccountDraft, ShownAccount } from './schema.ts'
import { afterNewAccess } from './state.ts'
import type { StoredAccount } from './store.ts'

export type ChangeMode = 'put' | 'patch'

/** What an edit leads to, before it is written. */
export interface Edit {
  readonly rules: AccountRules
  /** Null: none are left. */
  readonly credentials: Credentials | null
  /** Whether what authenticates or addresses the account is another than before. */
  readonly newAccess: boolean
}

/** A new account. Errors are by dotted path, those of rules and credentials together. */
export function readNew(
  provider: ProviderSpec,
  draft: NewAccountDraft,
  defaults: AccountRules,
  nowMs: number,
): Result<Edit, FieldErrors> {
  const rules = readRules(provider, draft, defaults, defaults, nowMs)
  const authType = rules.ok ? rules.value.authType : defaults.authType
  const credentials = readCredentials(provider, authType, draft.credentials ?? {}, null)
  const misplaced = credentials.ok ? regionProblems(provider, draft.region, credentials.value) : {}
  const errors = { ...(rules.ok ? {} : rules.error), ...(credentials.ok ? {} : credentials.error), ...misplaced }
  if (!rules.ok || !credentials.ok || Object.keys(errors).length > 0) return err(errors)
  return ok({ rules: rules.value, credentials: credentials.value, newAccess: true })
}

/**
 * A change of an account: a PUT starts from the defaults, a PATCH from what is there. A name that was given once is the
 * default from then on.
 */
export function readEdit(
  before: ShownAccount,
  draft: AccountDraft,
  mode: ChangeMode,
  nowMs: number,
): Result<Edit, FieldErrors> {
  const { provider, account } = before
  const defaults = defaultRules(provider, account.name)
  const rules = readRules(provider, draft, mode === 'patch' ? account : defaults, defaults, nowMs)
  if (!rules.ok) return rules
  const credentials = readKept(before, rules.value, draft.credentials, mode)
  if (!credentials.ok) return credentials
  const misplaced = regionProblems(provider, draft.region, credentials.value)
  if (Object.keys(misplaced).length > 0) return err(misplaced)
  const newAccess = isNewAccess(before, rules.value, credentials.value)
  return ok({ rules: rules.value, credentials: credentials.value, newAccess })
}

/**
 * The credentials after a change. Those that are stored never follow the account to another origin: they are dropped there,
 * unless something is sent anew; what is stored, or its masked form, does not count as sent.
 */
function readKept(
  before: ShownAccount,
  rules: AccountRules,
  sent: Credentials | undefined,
  mode: ChangeMode,
): Result<Credentials | null, FieldErrors> {
  const { provider, credentials } = before
  const leaves = leavesWith(before, rules, sent, mode)
  const hasSecret = credentials !== null && Object.keys(credentials).length > 0
  const anew = leaves && hasSecret && sent !== undefined ? withoutMasked(provider, sent, credentials) : sent
  const isSent = anew !== undefined && (Object.keys(anew).length > 0 || !hasSecret)
  if (leaves && hasSecret && !isSent) return ok(null)
  const fallback = mode === 'patch' ? credentials : {}
  if (anew === undefined && fallback === null) return ok(null)
  const read = anew ?? ofScheme(provider, rules.authType, fallback ?? {})
  return readCredentials(provider, rules.authType, read, leaves ? null : credentials)
}

/** What an account fills into its provider's address belongs to the address: with another region it is another origin. */
function leavesWith(
  { account, provider, credentials }: ShownAccount,
  rules: AccountRules,
  sent: Credentials | undefined,
  mode: ChangeMode,
): boolean {
  const stored = addressFieldsOf(provider, credentials ?? {})
  const fields = sent === undefined ? (mode === 'patch' ? stored : {}) : addressFieldsOf(provider, sent)
  const before = { override: account.baseUrlOverride, fields: stored }
  return leavesOrigin(provider, before, { override: rules.baseUrlOverride, fields })
}

/** Nothing is left when everything is as it is stored. */
function withoutMasked({ auth }: ProviderSpec, sent: Credentials, stored: Credentials): Credentials {
  const secret = new Set(auth.fields.filter((field) => field.secret).map(({ name }) => name))
  const anew = Object.entries(sent).filter(
    ([name, value]) => !secret.has(name) || value !== maskSecret(stored[name] ?? ''),
  )
  const isNew = ([name, value]: readonly [string, string]) => secret.has(name) || value !== stored[name]
  return anew.some(isNew) ? Object.fromEntries(anew) : {}
}

function isNewAccess({ account, credentials }: ShownAccount, rules: AccountRules, kept: Credentials | null): boolean {
  const same =
    rules.authType === account.authType &&
    rules.baseUrlOverride === account.baseUrlOverride &&
    rules.allowPrivateNetwork === account.allowPrivateNetwork &&
    isSame(rules.headers, account.headers) &&
    canonicalCredentials(kept ?? {}) === canonicalCredentials(credentials ?? {})
  return !same || (rules.enabled && !account.enabled)
}

/** What a change of a provider means to its accounts. */
export interface ProviderMove {
  /** The one scheme that the provider takes from now on. */
  readonly authType: AuthScheme
  /** Whether its own addresses are of other origins now. */
  readonly leavesOrigins: boolean
}

/**
 * An account after its provider has changed; undefined when that leaves it as it is. Credentials that were given for the former
 * origins do not follow, unless the account has an address of its own.
 */
export function afterProviderMove(
  { account, state }: StoredAccount,
  { authType, leavesOrigins }: ProviderMove,
  nowMs: number,
): StoredAccount | undefined {
  const loses = leavesOrigins && account.baseUrlOverride === null && account.sealedCredentials !== null
  if (!loses && account.authType === authType) return undefined
  const secrets = loses ? { sealedCredentials: null, credentialsHash: null } : {}
  const stamp = { updatedAtMs: nowMs, version: account.version + 1 }
  const after = { ...account, ...secrets, authType, ...stamp }
  return { account: after, state: afterNewAccess(state, after.sealedCredentials !== null) }
}
