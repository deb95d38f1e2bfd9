/**
 * All accounts in memory, as the inference path sees them: who may be used now, with which headers, and what an answer means
 * for the next request. Reading never waits; states reach the disk in batches, rules only through the service.
 */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import type { Log } from '../../core/log.ts'
import type { Result } from '../../core/result.ts'
import type { Vault } from '../../db/seal.ts'
import { NO_FIELDS, type AddressFields } from '../../outbound/address-template.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'
import { isSigned, type CallToSign, type SignedCall } from '../../outbound/credentials/signer.ts'
import type { Send } from '../../outbound/transport.ts'
import type { AccountPool } from '../../routing/account-pool.ts'
import type { Place } from '../../routing/candidates.ts'
import type { CooldownRules } from '../../routing/cooldown.ts'
import type { KeyRank } from '../../routing/request-view.ts'
import type { SkipReason } from '../../routing/skip.ts'
import { openAccess, type Access } from './access.ts'
import type { Account, AccountState, Standing } from './account.ts'
import type { Hold } from './hold.ts'
import { ReadyPools } from './ready-pools.ts'
import { placeOf } from './region.ts'
import {
  afterAnswer,
  afterFailure,
  afterSuccessfulTry,
  afterTry,
  isExpired,
  isTry,
  mayBeAskedAtMs,
  returnsAtMs,
  statusOf,
  upstreamModel,
  whyUnusable,
  type Outcome,
} from './state.ts'
import type { AccountStore, StoredAccount } from './store.ts'

/** How long a changed state may be lost by a crash. */
export const STATE_SAVED_EVERY_MS = 1_000
/** Under load every answer moves `lastOkAtMs`; on disk it may lag by this. */
const LAST_OK_LAG_MS = 60_000

interface Deps {
  readonly store: Pick<AccountStore, 'all' | 'saveStates'>
  readonly vault: Vault
  /** For tokens. */
  readonly send: Send
  /** What besides its state keeps requests from an account. */
  readonly holds: readonly Hold[]
  readonly cooldownRules: () => CooldownRules
  /** Told of all accounts whenever any has come, gone or changed; absent: nobody wants to know. */
  readonly changed?: (accounts: Iterable<Account>) => void
  readonly clock: Clock
  readonly log: Log
}

interface Entry {
  readonly account: Account
  state: AccountState
  /** `lastOkAtMs` as it is on disk. */
  savedOkAtMs: number
  /** Made with the first call: unsealing costs more than all else that a request asks of an account. */
  access?: Access | undefined
}

type Identified = Pick<Account, 'id'>

export class AccountRoster {
  readonly #deps: Deps
  readonly #entries = new Map<string, Entry>()
  readonly #unsaved = new Set<string>()
  readonly #pools: ReadyPools
  readonly #stop: () => void
  /** Per provider, in the order in which they are tried. */
  #ranked: ReadonlyMap<string, readonly Account[]> = new Map()
  #revision = 0

  /** Starts the saving of states; `close` ends it. */
  static async open(deps: Deps): Promise<AccountRoster> {
    return new AccountRoster(deps, await deps.store.all())
  }

  private constructor(deps: Deps, stored: readonly StoredAccount[]) {
    this.#deps = deps
    this.#pools = new ReadyPools({
      clock: deps.clock,
      readyAtMs: (account, model, nowMs) => this.#readyAtMs(account, model, nowMs),
      held: (account, model, rank, nowMs) => (isExpired(account, nowMs) ? 'expired' : this.#held(account, model, rank)),
    })
    for (const { account, state } of stored) this.#enter(account, state)
    this.#rank()
    this.#stop = deps.clock.every(STATE_SAVED_EVERY_MS, () => void this.save())
  }

  /** Rises whenever accounts or their standing change, so that what is derived from them can be kept until then. */
  get revision(): number {
    return this.#revision
  }

  /** Every account of a provider, usable or not: lowest priority first, then the heaviest, then the oldest. */
  of(providerId: string): readonly Account[] {
    return this.#ranked.get(providerId) ?? []
  }

  byId(id: string): Account | undefined {
    return this.#entries.get(id)?.account
  }

  /** For requests that cannot ask every account; undefined where there are few. */
  pool(providerId: string, model: string, rank: KeyRank): AccountPool<Account> | undefined {
    return this.#pools.of(providerId, model, rank, this.of(providerId))
  }

  unusable({ id }: Identified, model: string, rank: KeyRank = 'preferred'): SkipReason | null {
    const entry = this.#entries.get(id)
    if (entry === undefined) return 'disabled'
    return (
      whyUnusable(entry.account, entry.state, model, this.#deps.clock.nowMs()) ?? this.#held(entry.account, model, rank)
    )
  }

  upstreamModel({ id }: Identified, model: string): string {
    const entry = this.#entries.get(id)
    return entry === undefined ? model : upstreamModel(entry.account, model)
  }

  placeOf(provider: ProviderSpec, account: Account): Place {
    return placeOf(provider, account, () => this.fieldsFor(provider, account))
  }

  /** The headers that authenticate a call, the provider's own fixed ones included. `null`: a provider that needs no account. */
  headersFor(provider: ProviderSpec, account: Identified | null): Readonly<Record<string, string>> {
    const entry = account === null ? undefined : this.#entries.get(account.id)
    if (entry === undefined) return provider.auth.headers
    return this.#accessOf(entry, provider).headers
  }

  /**
   * The call with credentials that such headers cannot carry; undefined, at once, where they are all. Failures: `auth`, and
   * those of asking for a token.
   */
  sign(
    provider: ProviderSpec,
    account: Identified | null,
    call: CallToSign,
  ): Promise<Result<SignedCall, Failure>> | undefined {
    const entry = account === null ? undefined : this.#entries.get(account.id)
    if (entry === undefined || !isSigned(entry.account.authType)) return undefined
    return this.#accessOf(entry, provider).signer?.sign(call)
  }

  /** What placeholders in the provider's addresses stand for. */
  fieldsFor(provider: ProviderSpec, { id }: Identified): AddressFields {
    const entry = this.#entries.get(id)
    return entry === undefined ? NO_FIELDS : this.#accessOf(entry, provider).fields
  }

  /** What must not appear in anything that a client or a log sees. */
  secretsOf(provider: ProviderSpec, { id }: Identified): readonly string[] {
    const entry = this.#entries.get(id)
    if (entry === undefined) return []
    const credentials = this.credentialsOf(entry.account) ?? {}
    const open = new Set(provider.auth.fields.filter(({ secret }) => !secret).map(({ name }) => name))
    const given = Object.entries(credentials).filter(([name]) => !open.has(name))
    return [...given.map(([, value]) => value), ...(entry.access?.signer?.secrets() ?? [])]
  }

  /** A token that the provider refused is not used again. */
  failed(accountId: string, outcome: Outcome): void {
    const entry = this.#entries.get(accountId)
    if (outcome.failure.kind === 'auth' && entry !== undefined) entry.access = undefined
    this.moveState(accountId, (state) => afterFailure(state, outcome, this.#deps.cooldownRules()))
  }

  /**
   * A request for `model`, by the provider's own name, is about to be sent. True when the account rests and this one tries whether
   * the rest is over: it is the only one to do so for a while.
   */
  tries(accountId: string, model: string, atMs: number): boolean {
    const entry = this.#entries.get(accountId)
    if (entry === undefined || !isTry(entry.state, model, atMs)) return false
    this.moveState(accountId, (state) => afterTry(state, model, atMs))
    return true
  }

  /** The one that tried was answered. */
  tried(accountId: string, model: string): void {
    this.moveState(accountId, (state) => afterSuccessfulTry(state, model))
  }

  answered(accountId: string, atMs: number): void {
    this.moveState(accountId, (state) => afterAnswer(state, atMs))
  }

  /** The moment (wall time) at which the first account that only rests is back for keys of this rank; undefined when waiting does not help. */
  soonestReturnMs(providerId: string, model: string, rank: KeyRank = 'preferred'): number | undefined {
    const nowMs = this.#deps.clock.nowMs()
    const moments = this.of(providerId).flatMap(({ id }) => {
      const entry = this.#entries.get(id)
      return (entry && this.#returnsAtMs(entry, model, rank, nowMs)) ?? []
    })
    return moments.length === 0 ? undefined : Math.min(...moments)
  }

  /** The accounts of a provider with their states, in the order of `of`. */
  storedOf(providerId: string): readonly StoredAccount[] {
    return this.of(providerId).flatMap(({ id }) => this.#entries.get(id) ?? [])
  }

  standingOf({ id }: Identified): Standing | undefined {
    return this.#entries.get(id)?.state.standing
  }

  /** All accounts with their states, in no particular order. */
  all(): readonly StoredAccount[] {
    return [...this.#entries.values()]
  }

  /** How many accounts a limit holds back at this moment. */
  coolingDown(): number {
    const nowMs = this.#deps.clock.nowMs()
    return this.all().filter(({ account, state }) => statusOf(account, state, nowMs) === 'cooldown').length
  }

  find(id: string): StoredAccount | undefined {
    return this.#entries.get(id)
  }

  /** Null when there are none, or when this master key does not open them: the provider then says that they are missing. */
  credentialsOf({ id, sealedCredentials }: Pick<Account, 'id' | 'sealedCredentials'>): Credentials | null {
    if (sealedCredentials === null) return null
    const opened = this.#deps.vault.open(sealedCredentials, credentialsPlace(id))
    return opened.ok ? (JSON.parse(opened.value) as Credentials) : null // only we seal there, and only what a schema checked
  }

  /** Takes over an account as the store now has it. */
  put({ account, state }: StoredAccount): void {
    this.#enter(account, state)
    this.#unsaved.delete(account.id)
    this.#rank()
  }

  drop(id: string): void {
    this.#entries.delete(id)
    this.#unsaved.delete(id)
    this.#rank()
  }

  /** Moves one state by a rule; it is on disk within `STATE_SAVED_EVERY_MS`. */
  moveState(id: string, step: (state: AccountState) => AccountState): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    const before = entry.state
    entry.state = step(before)
    if (isWorthSaving(before, entry.state, entry.savedOkAtMs)) this.#unsaved.add(id)
    if (!isAsReady(before, entry.state)) this.#pools.changed(entry.account)
    if (before.standing !== entry.state.standing) this.#standsAnew(entry)
  }

  /** Writes what has changed. On failure it is tried again with the next batch; the memory is right in the meantime. */
  async save(): Promise<void> {
    const changed = [...this.#unsaved]
    if (changed.length === 0) return
    this.#unsaved.clear()
    const states = new Map<string, AccountState>()
    for (const id of changed) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      states.set(id, entry.state)
      entry.savedOkAtMs = entry.state.lastOkAtMs ?? 0
    }
    try {
      await this.#deps.store.saveStates(states)
    } catch {
      for (const id of changed) this.#unsaved.add(id)
      this.#deps.log.write('error', 'db', 'the state of accounts could not be saved', { accounts: changed.length })
    }
  }

  /** Stops the timer and writes everything, the lagging times too. */
  async close(): Promise<void> {
    this.#stop()
    for (const [id, { state, savedOkAtMs }] of this.#entries) {
      if ((state.lastOkAtMs ?? 0) !== savedOkAtMs) this.#unsaved.add(id)
    }
    await this.save()
  }

  #held(account: Account, model: string, rank: KeyRank): SkipReason | null {
    const upstream = upstreamModel(account, model)
    for (const hold of this.#deps.holds) {
      const why = hold.why(account, upstream, rank)
      if (why !== null) return why
    }
    return null
  }

  #returnsAtMs({ account, state }: Entry, model: string, rank: KeyRank, nowMs: number): number | undefined {
    const restsUntilMs = returnsAtMs(account, state, model, nowMs)
    if (restsUntilMs !== undefined) return restsUntilMs
    if (whyUnusable(account, state, model, nowMs) !== null) return undefined
    const upstream = upstreamModel(account, model)
    const waits = this.#deps.holds.map((hold) => hold.returnsAfterMs(account, upstream, rank))
    const longest = waits.every((wait) => wait !== undefined) ? Math.max(0, ...waits) : 0
    return longest === 0 ? undefined : nowMs + longest
  }

  #accessOf(entry: Entry, provider: ProviderSpec): Access {
    if (entry.access?.of !== provider) {
      const credentials = this.credentialsOf(entry.account) ?? {}
      entry.access = openAccess({ ...entry.account, provider, credentials }, this.#deps)
    }
    return entry.access
  }

  #standsAnew({ account, state }: Entry): void {
    this.#revision++
    const level = state.standing === 'active' ? 'info' : 'warn'
    this.#deps.log.write(level, 'provider', `an account is now ${state.standing}`, {
      provider: account.provider,
      account: account.id,
      reason: state.reason,
    })
  }

  #enter(account: Account, state: AccountState): void {
    this.#entries.set(account.id, { account, state, savedOkAtMs: state.lastOkAtMs ?? 0 })
  }

  /** From when on its own state lets an account be used; Infinity: not by waiting. */
  #readyAtMs({ id }: Identified, model: string, nowMs: number): number {
    const entry = this.#entries.get(id)
    if (entry === undefined) return Infinity
    if (whyUnusable(entry.account, entry.state, model, nowMs) === null) return 0
    return mayBeAskedAtMs(entry.account, entry.state, model, nowMs) ?? Infinity
  }

  #rank(): void {
    this.#pools.clear()
    this.#revision++
    const sorted = [...this.#entries.values()].map(({ account }) => account).sort(byPreference)
    this.#ranked = Map.groupBy(sorted, ({ provider }) => provider)
    this.#deps.changed?.([...this.#entries.values()].map(({ account }) => account))
  }
}

/** Where an account's sealed credentials are bound to. */
export function credentialsPlace(id: string) {
  return { table: 'accounts', row: id, column: 'sealed_credentials' }
}

function byPreference(a: Account, b: Account): number {
  return a.priority - b.priority || b.weight - a.weight || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1)
}

/** Can it be used as before, whatever else has changed? */
function isAsReady(before: AccountState, after: AccountState): boolean {
  const hadNone = before.cooldowns.length === 0 && after.cooldowns.length === 0
  const isSame = before.standing === after.standing && before.retryAtMs === after.retryAtMs
  return isSame && (hadNone || before.cooldowns === after.cooldowns)
}

/** Anything but the time of the last answer is; that one only when it has moved far enough. */
function isWorthSaving(before: AccountState, after: AccountState, savedOkAtMs: number): boolean {
  if (before === after) return false
  const onlyTheTime =
    before.standing === after.standing &&
    before.lastError === after.lastError &&
    before.retryAtMs === after.retryAtMs &&
    before.lastTestedAtMs === after.lastTestedAtMs &&
    before.cooldowns.length === after.cooldowns.length
  return !onlyTheTime || (after.lastOkAtMs ?? 0) - savedOkAtMs >= LAST_OK_LAG_MS
}
