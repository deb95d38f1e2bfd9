/**
 * What answers do to an account, as pure steps. The kind of a failure decides, never a bare status: only what the provider said
 * about the credential, the money or the model counts, so that no request can switch an account off by its own fault.
 * Times are wall time in milliseconds; one that lies further ahead than any wait may last was left by a clock that ran ahead
 * and no longer holds.
 */
import { allowsModel } from '../../core/model-pattern.ts'
import type { Failure, FailureKind } from '../../core/failure.ts'
import { NEW_STATE, type Account, type AccountState, type AccountStatus, type Cooldown } from './account.ts'

/** How an attempt ended, as far as the account's state depends on it. */
export interface Outcome {
  readonly failure: Failure
  /** The provider's status; null when it gave none. */
  readonly http: number | null
  /** The provider's own name. */
  readonly model: string
  readonly atMs: number
}

/** Why an account is passed over. */
export type Unusable =
  'disabled' | 'no_credentials' | 'expired' | 'auth_error' | 'exhausted' | 'model_not_allowed' | 'cooldown'

const COOLDOWN_BASE_MS = 2_000
const COOLDOWN_DEFAULT_MAX_MS = 5 * 60_000
/** Even when the provider names a later moment: it is asked again by then. */
const COOLDOWN_MAX_MS = 30 * 60_000
const NOT_ENTITLED_MS = 10 * 60_000
/** An account without money is tried again this often, because nobody tells us when it was topped up. */
const EXHAUSTED_RETRY_MS = 10 * 60_000
/** How long after a cooldown the next one still counts as the one after it. */
const LEVEL_REMEMBERED_MS = 10 * 60_000
const LEVEL_MAX = 16
const COOLDOWNS_MAX = 64
const MESSAGE_MAX = 300

type Consequence = (state: AccountState, outcome: Outcome) => Partial<AccountState>

/** Kinds that are not here say nothing about the account. */
const CONSEQUENCE: Readonly<Partial<Record<FailureKind, Consequence>>> = {
  auth: () => ({
    standing: 'auth_error',
    reason: 'The provider does not accept the credentials.',
    retryAtMs: null,
  }),
  billing: (_, { atMs }) => ({
    standing: 'exhausted',
    reason: 'The provider says that the account is out of money or quota.',
    retryAtMs: atMs + EXHAUSTED_RETRY_MS,
  }),
  rate_limit: (state, outcome) => ({ cooldowns: limited(state.cooldowns, outcome) }),
  not_entitled: (state, { model, atMs }) => ({
    cooldowns: withCooldown(state.cooldowns, atMs, {
      model,
      untilMs: atMs + NOT_ENTITLED_MS,
      reason: 'not_entitled',
      level: 0,
    }),
  }),
}

/** The state after a failed attempt; the same object when the failure says nothing about the account. */
export function afterFailure(state: AccountState, outcome: Outcome): AccountState {
  const { failure, http, atMs } = outcome
  const consequence = CONSEQUENCE[failure.kind]
  if (consequence === undefined) return state
  const lastError = { class: failure.kind, http, message: failure.message.slice(0, MESSAGE_MAX), atMs }
  return { ...state, lastError, ...consequence(state, outcome) }
}

/** The state after an answer. Bad credentials stay bad until they are edited or tested: the answer may be to an older call. */
export function afterAnswer(state: AccountState, atMs: number): AccountState {
  const cooldowns = state.cooldowns.filter((cooldown) => isInForce(cooldown, atMs))
  if (state.standing === 'auth_error') return { ...state, cooldowns, lastOkAtMs: atMs }
  return { ...state, standing: 'active', reason: null, retryAtMs: null, cooldowns, lastOkAtMs: atMs }
}

/** The state after a test that succeeded: the account is good again, whatever was held against it. */
export function afterPassedTest(state: AccountState, atMs: number): AccountState {
  return { ...NEW_STATE, standing: 'active', lastError: state.lastError, lastOkAtMs: atMs, lastTestedAtMs: atMs }
}

/** The state after an edit of what authenticates or addresses the account: what was known is about another one. */
export function afterNewAccess(state: AccountState, hasCredentials: boolean): AccountState {
  const lost = 'The credentials were removed because the address that they belong to changed.'
  const fresh = { ...NEW_STATE, lastOkAtMs: state.lastOkAtMs, lastTestedAtMs: state.lastTestedAtMs }
  return hasCredentials ? fresh : { ...fresh, standing: 'auth_error', reason: lost }
}

/** Why `account` cannot serve `model`, by its public name, now; null when it can. */
export function whyUnusable(account: Account, state: AccountState, model: string, nowMs: number): Unusable | null {
  if (!account.enabled) return 'disabled'
  if (account.sealedCredentials === null) return 'no_credentials'
  if (account.expiresAtMs !== null && account.expiresAtMs <= nowMs) return 'expired'
  if (state.standing === 'auth_error') return 'auth_error'
  if (isResting(state, nowMs)) return 'exhausted'
  if (!mayServe(account, model)) return 'model_not_allowed'
  return cooldownOf(state, upstreamModel(account, model), nowMs) === undefined ? null : 'cooldown'
}

/** When an account that only rests comes back for `model`; undefined when waiting does not help. */
export function returnsAtMs(account: Account, state: AccountState, model: string, nowMs: number): number | undefined {
  const why = whyUnusable(account, state, model, nowMs)
  if (why === 'exhausted') return state.retryAtMs ?? undefined
  return why === 'cooldown' ? cooldownOf(state, upstreamModel(account, model), nowMs)?.untilMs : undefined
}

/** One word for the account as a whole. A model that it may not use does not make it `cooldown`. */
export function statusOf(account: Account, state: AccountState, nowMs: number): AccountStatus {
  if (!account.enabled) return 'disabled'
  if (state.standing === 'auth_error' || state.standing === 'exhausted') return state.standing
  const limited = state.cooldowns.some((entry) => entry.reason === 'rate_limit' && isInForce(entry, nowMs))
  return limited ? 'cooldown' : state.standing
}

/** The provider's own name of a public one. */
export function upstreamModel(account: Pick<Account, 'modelMap'>, model: string): string {
  return Object.hasOwn(account.modelMap, model) ? (account.modelMap[model] ?? model) : model
}

/** Those that hold back a model at this moment. */
export function cooldownsInForce(state: AccountState, nowMs: number): readonly Cooldown[] {
  return state.cooldowns.filter((cooldown) => isInForce(cooldown, nowMs))
}

/** Do the account's lists allow a model, by its public name, whatever its state? */
export function mayServe({ provider, modelsAllow, modelsDeny }: Account, model: string): boolean {
  const names = [model, `${provider}/${model}`]
  return (
    names.some((name) => allowsModel(name, modelsAllow, null)) &&
    names.every((name) => allowsModel(name, null, modelsDeny))
  )
}

function isResting({ standing, retryAtMs }: AccountState, nowMs: number): boolean {
  return standing === 'exhausted' && retryAtMs !== null && isAhead(retryAtMs, nowMs, EXHAUSTED_RETRY_MS)
}

function cooldownOf(state: AccountState, model: string, nowMs: number): Cooldown | undefined {
  return state.cooldowns.find((entry) => entry.model === model && isInForce(entry, nowMs))
}

function isInForce({ untilMs }: Cooldown, nowMs: number): boolean {
  return isAhead(untilMs, nowMs, COOLDOWN_MAX_MS)
}

function isAhead(untilMs: number, nowMs: number, maxMs: number): boolean {
  return nowMs < untilMs && untilMs - nowMs <= maxMs
}

/**
 * The cooldowns after a rate limit: as long as the provider says, else doubling with each limit in a row. Requests that were
 * under way together and fail together count as one limit.
 */
function limited(cooldowns: readonly Cooldown[], { failure, model, atMs }: Outcome): readonly Cooldown[] {
  const before = cooldowns.find((entry) => entry.model === model && entry.reason === 'rate_limit')
  const level = nextLevel(before, atMs)
  const delayMs = failure.retryAfterMs ?? Math.min(COOLDOWN_DEFAULT_MAX_MS, COOLDOWN_BASE_MS * 2 ** level)
  const untilMs = atMs + Math.min(COOLDOWN_MAX_MS, Math.max(0, delayMs))
  const keptMs = before !== undefined && isInForce(before, atMs) ? Math.max(before.untilMs, untilMs) : untilMs
  return withCooldown(cooldowns, atMs, { model, untilMs: keptMs, reason: 'rate_limit', level })
}

function nextLevel(before: Cooldown | undefined, atMs: number): number {
  if (before === undefined || before.untilMs + LEVEL_REMEMBERED_MS < atMs) return 0
  return isInForce(before, atMs) ? before.level : Math.min(LEVEL_MAX, before.level + 1)
}

/** Replaces the model's entry. Forgotten ones go, and beyond the bound those that end first. */
function withCooldown(cooldowns: readonly Cooldown[], atMs: number, added: Cooldown): readonly Cooldown[] {
  const others = cooldowns.filter(
    ({ model, untilMs }) => model !== added.model && atMs <= untilMs + LEVEL_REMEMBERED_MS,
  )
  return [added, ...others].toSorted((a, b) => b.untilMs - a.untilMs).slice(0, COOLDOWNS_MAX)
}
