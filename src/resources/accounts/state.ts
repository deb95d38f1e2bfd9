/**
 * What answers do to an account, as pure steps. The kind of a failure decides, never a bare status: only what the provider said
 * about the credential, the money or the model counts, so that no request can switch an account off by its own fault.
 * Times are wall time in milliseconds; one that lies further ahead than any wait may last was left by a clock that ran ahead
 * and no longer holds. How long limits last is `routing/cooldown.ts`'s to say.
 */
import { MINUTE_MS } from '../../core/duration.ts'
import { allowsModel } from '../../core/model-pattern.ts'
import type { Failure, FailureKind } from '../../core/failure.ts'
import {
  afterProbe,
  endsAtMs,
  holds,
  isAhead,
  isRemembered,
  restAfterLimit,
  type CooldownRules,
} from '../../routing/cooldown.ts'
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
  | 'disabled'
  | 'no_credentials'
  | 'expired'
  | 'auth_error'
  | 'exhausted'
  | 'model_not_allowed'
  | 'cooldown'
  | 'not_entitled'

const NOT_ENTITLED_MS = 10 * MINUTE_MS
/** An account without money is tried again this often, because nobody tells us when it was topped up. */
const EXHAUSTED_RETRY_MS = 10 * MINUTE_MS
const COOLDOWNS_MAX = 64
const MESSAGE_MAX = 300

type Consequence = (state: AccountState, outcome: Outcome, rules: CooldownRules) => Partial<AccountState>

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
  rate_limit: (state, outcome, rules) => ({ cooldowns: limited(state.cooldowns, outcome, rules) }),
  not_entitled: (state, { model, atMs }) => ({
    cooldowns: withCooldown(state.cooldowns, atMs, {
      model,
      untilMs: atMs + NOT_ENTITLED_MS,
      probeAtMs: null,
      reason: 'not_entitled',
      level: 0,
    }),
  }),
}

/** The state after a failed attempt; the same object when the failure says nothing about the account. */
export function afterFailure(state: AccountState, outcome: Outcome, rules: CooldownRules): AccountState {
  const { failure, http, atMs } = outcome
  const consequence = CONSEQUENCE[failure.kind]
  if (consequence === undefined) return state
  const lastError = { class: failure.kind, http, message: failure.message.slice(0, MESSAGE_MAX), atMs }
  return { ...state, lastError, ...consequence(state, outcome, rules) }
}

/** The state after an answer. Bad credentials stay bad until they are edited or tested: the answer may be to an older call. */
export function afterAnswer(state: AccountState, atMs: number): AccountState {
  const cooldowns = state.cooldowns.filter((cooldown) => isAhead(cooldown, atMs))
  if (state.standing === 'auth_error') return { ...state, cooldowns, lastOkAtMs: atMs }
  return { ...state, standing: 'active', reason: null, retryAtMs: null, cooldowns, lastOkAtMs: atMs }
}

/**
 * The state after a request for `model`, by the provider's own name, was let through although the account rests: it tries whether
 * the rest is over, and the others go on waiting meanwhile. The same object when nothing rests.
 */
export function afterTry(state: AccountState, model: string, atMs: number): AccountState {
  const tried = state.cooldowns.find((entry) => entry.model === model && isAhead(entry, atMs))
  if (tried !== undefined) {
    const others = state.cooldowns.filter((entry) => entry !== tried)
    return { ...state, cooldowns: [afterProbe(tried, atMs), ...others] }
  }
  return state.standing === 'exhausted' ? { ...state, retryAtMs: atMs + EXHAUSTED_RETRY_MS } : state
}

/** The state after that request was answered: the rest of the model is over, whatever the provider had said. */
export function afterSuccessfulTry(state: AccountState, model: string): AccountState {
  return { ...state, cooldowns: state.cooldowns.filter((entry) => entry.model !== model) }
}

/** Does a request for `model`, by the provider's own name, try an account that rests? */
export function isTry(state: AccountState, model: string, nowMs: number): boolean {
  return (
    state.standing === 'exhausted' || state.cooldowns.some((entry) => entry.model === model && isAhead(entry, nowMs))
  )
}

/** The state after the operator has said that limits are over. */
export function afterReset(state: AccountState): AccountState {
  const isExhausted = state.standing === 'exhausted'
  return { ...state, cooldowns: [], ...(isExhausted ? { standing: 'untested', reason: null, retryAtMs: null } : {}) }
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
  if (isExpired(account, nowMs)) return 'expired'
  if (state.standing === 'auth_error') return 'auth_error'
  if (isResting(state, nowMs)) return 'exhausted'
  if (!mayServe(account, model)) return 'model_not_allowed'
  const cooldown = holding(state, upstreamModel(account, model), nowMs)
  if (cooldown === undefined) return null
  if (cooldown.reason === 'not_entitled') return 'not_entitled'
  return isLong(cooldown) ? 'exhausted' : 'cooldown'
}

/** Its time is over, which no answer and no edit tells. */
export function isExpired({ expiresAtMs }: Pick<Account, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs
}

/** When an account that only rests is back for `model`, as its provider says; undefined when waiting does not help. */
export function returnsAtMs(account: Account, state: AccountState, model: string, nowMs: number): number | undefined {
  const why = whyUnusable(account, state, model, nowMs)
  if (why !== 'exhausted' && why !== 'cooldown' && why !== 'not_entitled') return undefined
  if (isResting(state, nowMs)) return state.retryAtMs ?? undefined
  return holding(state, upstreamModel(account, model), nowMs)?.untilMs
}

/** The same moment, or the earlier one from which a request may try. */
export function mayBeAskedAtMs(
  account: Account,
  state: AccountState,
  model: string,
  nowMs: number,
): number | undefined {
  const returnMs = returnsAtMs(account, state, model, nowMs)
  if (returnMs === undefined || isResting(state, nowMs)) return returnMs
  const cooldown = holding(state, upstreamModel(account, model), nowMs)
  return cooldown && endsAtMs(cooldown)
}

/**
 * One word for the account as a whole. A model that it may not use does not make it `cooldown`; a limit that lasts makes it
 * `exhausted`, if only for that model.
 */
export function statusOf(account: Account, state: AccountState, nowMs: number): AccountStatus {
  if (!account.enabled) return 'disabled'
  if (state.standing === 'auth_error' || state.standing === 'exhausted') return state.standing
  const limits = state.cooldowns.filter((entry) => entry.reason === 'rate_limit' && isAhead(entry, nowMs))
  if (limits.some(isLong)) return 'exhausted'
  return limits.length > 0 ? 'cooldown' : state.standing
}

/** Why the account is not simply active, as a sentence; null when there is nothing to say. */
export function reasonOf(account: Account, state: AccountState, nowMs: number): string | null {
  if (state.reason !== null || statusOf(account, state, nowMs) !== 'exhausted') return state.reason
  const models = state.cooldowns.filter((entry) => isLong(entry) && isAhead(entry, nowMs)).map(({ model }) => model)
  return `The provider says that the limit is used up for ${models.join(', ')}.`
}

/** The provider's own name of a public one. */
export function upstreamModel(account: Pick<Account, 'modelMap'>, model: string): string {
  return Object.hasOwn(account.modelMap, model) ? (account.modelMap[model] ?? model) : model
}

/** Those that are not over at this moment. */
export function cooldownsInForce(state: AccountState, nowMs: number): readonly Cooldown[] {
  return state.cooldowns.filter((cooldown) => isAhead(cooldown, nowMs))
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
  if (standing !== 'exhausted' || retryAtMs === null) return false
  return nowMs < retryAtMs && retryAtMs - nowMs <= EXHAUSTED_RETRY_MS
}

function holding(state: AccountState, model: string, nowMs: number): Cooldown | undefined {
  return state.cooldowns.find((entry) => entry.model === model && holds(entry, nowMs))
}

/** A rest that is worth trying before its end is no pause any more: the limit is used up. */
function isLong({ probeAtMs }: Cooldown): boolean {
  return probeAtMs !== null
}

function limited(
  cooldowns: readonly Cooldown[],
  { failure, model, atMs }: Outcome,
  rules: CooldownRules,
): readonly Cooldown[] {
  const before = cooldowns.find((entry) => entry.model === model && entry.reason === 'rate_limit')
  const rest = restAfterLimit(before, failure.retryAfterMs, atMs, rules)
  return withCooldown(cooldowns, atMs, { ...rest, model, reason: 'rate_limit' })
}

/** Replaces the model's entry. Forgotten ones go, and beyond the bound those that end first. */
function withCooldown(cooldowns: readonly Cooldown[], atMs: number, added: Cooldown): readonly Cooldown[] {
  const others = cooldowns.filter((entry) => entry.model !== added.model && isRemembered(entry, atMs))
  return [added, ...others].toSorted((a, b) => b.untilMs - a.untilMs).slice(0, COOLDOWNS_MAX)
}
