/** What operators do with accounts: add, change, look, reveal, test, remove. Every act is in the audit log, no secret is. */
import { createHmac } from 'node:crypto'
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import type { Vault } from '../../db/seal.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Audit } from '../audit/service.ts'
import type { Acting } from '../auth/actor.ts'
import type { OwnBudget } from '../plans/own-budget.ts'
import { NEW_STATE, type Account, type AccountRules, type AccountSource, type QuotaSummary } from './account.ts'
import { canonicalCredentials } from './credentials.ts'
import { readEdit, readNew, type ChangeMode, type Edit } from './edit.ts'
import { failedStep, hasPassed, probe, type ProbeDeps, type ProbeReport } from './probe.ts'
import { credentialsPlace, type AccountRoster } from './roster.ts'
import { defaultRules } from './rules.ts'
import { toWire, type AccountDraft, type NewAccountDraft, type ShownAccount } from './schema.ts'
import { afterNewAccess, afterPassedTest } from './state.ts'
import type { AccountStore, Clash, StoredAccount } from './store.ts'

interface Deps extends ProbeDeps {
  readonly store: AccountStore
  readonly roster: AccountRoster
  readonly vault: Vault
  readonly audit: Audit
  readonly provider: (id: string) => ProviderSpec | undefined
  /** Whether there is such a proxy pool, or it is `direct`. */
  readonly isProxyPool: (id: string) => boolean
  /** Null: nothing is known. */
  readonly quotaOf: (accountId: string) => QuotaSummary | null
  /** Null: it has no amount. */
  readonly budgetOf: (account: Account) => OwnBudget | null
  /** The installation secret `accounts`, under which credentials are compared. */
  readonly fingerprintKey: Uint8Array
  readonly clock: Clock
  readonly random: Random
}

export class AccountService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** All accounts as they are shown; paging is the caller's. */
  all(): readonly ShownAccount[] {
    return this.#deps.roster.all().flatMap((stored) => this.#shown(stored))
  }

  /** Refusal: `missing`. */
  get(id: string): Result<ShownAccount, Refusal> {
    const stored = this.#deps.roster.find(id)
    const [shown] = stored === undefined ? [] : this.#shown(stored)
    return shown === undefined ? err(NO_SUCH_ACCOUNT) : ok(shown)
  }

  /** Refusals: `invalid`; `conflict` for a name or credentials that another account has. */
  async create(
    draft: NewAccountDraft,
    caller: Acting,
    source: AccountSource = 'api',
  ): Promise<Result<ShownAccount, Refusal>> {
    const provider = this.#providerWithAccounts(draft.provider)
    if (!provider.ok) return provider
    const defaults = defaultRules(provider.value, this.#nextName(provider.value))
    const edit = readNew(provider.value, draft, defaults, this.#deps.clock.nowMs())
    const errors = { ...(edit.ok ? {} : edit.error), ...this.#poolProblem(draft) }
    if (!edit.ok || Object.keys(errors).length > 0) return err(invalid(errors))
    const account = this.#newAccount(provider.value, edit.value, source)
    const stored = { account, state: NEW_STATE }
    const outcome = await this.#deps.store.insert(stored)
    if (outcome !== 'ok') return err(clashRefusal(outcome))
    this.#deps.roster.put(stored)
    await this.#record('account.create', caller, { after: stored })
    return this.get(account.id)
  }

  /** `version`: the one that the caller has seen; null when it does not matter. Refusals: those of `create`, `missing`, `stale`. */
  async change(
    id: string,
    draft: AccountDraft,
    mode: ChangeMode,
    version: number | null,
    caller: Acting,
  ): Promise<Result<ShownAccount, Refusal>> {
    const before = this.get(id)
    if (!before.ok) return before
    const { account } = before.value
    const stale = staleness(account.version, version)
    if (stale !== undefined) return err(stale)
    if (draft.provider !== undefined && draft.provider !== account.provider) return err(invalid(FIXED_PROVIDER))
    const edit = readEdit(before.value, draft, mode, this.#deps.clock.nowMs())
    const errors = { ...(edit.ok ? {} : edit.error), ...this.#poolProblem(draft) }
    if (!edit.ok || Object.keys(errors).length > 0) return err(invalid(errors))
    const stored = this.#edited(before.value, edit.value)
    if (stored.account === account) return before
    const outcome = await this.#deps.store.update(stored)
    if (outcome === 'stale') return err(STALE)
    if (outcome !== 'ok') return err(clashRefusal(outcome))
    this.#takeOver(stored, edit.value.newAccess)
    await this.#record('account.change', caller, { before: { account, state: before.value.state }, after: stored })
    return this.get(id)
  }

  /** Refusals: `missing`, `stale`. */
  async remove(id: string, version: number | null, caller: Acting): Promise<Result<Account, Refusal>> {
    const stored = this.#deps.roster.find(id)
    if (stored === undefined) return err(NO_SUCH_ACCOUNT)
    const stale = staleness(stored.account.version, version)
    if (stale !== undefined) return err(stale)
    await this.#deps.store.remove(id)
    this.#deps.roster.drop(id)
    await this.#record('account.delete', caller, { before: stored })
    return ok(stored.account)
  }

  /** Audited before it answers. Refusals: `missing`, `gone` when there is nothing to show, `unavailable` without an audit. */
  async reveal(id: string, caller: Acting): Promise<Result<Credentials, Refusal>> {
    const found = this.get(id)
    if (!found.ok) return found
    const { account, credentials } = found.value
    const recorded = await this.#deps.audit.record(entry('account.reveal', caller, account))
    if (!recorded.ok) return recorded
    return credentials === null ? err(refusal('gone', 'no credentials are kept for this account')) : ok(credentials)
  }

  /** Tries a saved account; what it says counts for the account's state. Refusals: `missing`, `gone`. */
  async test(id: string, deep: boolean, caller: Acting): Promise<Result<ProbeReport, Refusal>> {
    const found = this.get(id)
    if (!found.ok) return found
    const { account, provider, credentials } = found.value
    if (credentials === null) return err(refusal('gone', 'no credentials are kept for this account'))
    const report = await probe({ ...account, provider, credentials }, deep, this.#deps)
    this.#learn(account, report)
    const after = { passed: hasPassed(report), failed_at: failedStep(report)?.step ?? null }
    await this.#deps.audit.record({ ...entry('account.test', caller, account), after })
    return ok(report)
  }

  #shown({ account, state }: StoredAccount): readonly ShownAccount[] {
    const provider = this.#deps.provider(account.provider)
    if (provider === undefined) return [] // a provider that this build does not know: nothing can be said about its fields
    const { roster, quotaOf, budgetOf } = this.#deps
    const credentials = roster.credentialsOf(account)
    return [{ account, state, provider, credentials, quota: quotaOf(account.id), budget: budgetOf(account) }]
  }

  #providerWithAccounts(id: string): Result<ProviderSpec, Refusal> {
    const provider = this.#deps.provider(id)
    if (provider === undefined) return err(invalid({ provider: ['is not a provider that is known here'] }))
    return provider.kind === 'demo' ? err(invalid({ provider: ['needs no account'] })) : ok(provider)
  }

  #poolProblem({ proxy_pool_id: id }: AccountDraft): FieldErrors {
    return id === undefined || id === null || this.#deps.isProxyPool(id) ? {} : NO_SUCH_POOL
  }

  /** The provider's name and the lowest free number. */
  #nextName({ id, name }: ProviderSpec): string {
    const taken = new Set(this.#deps.roster.of(id).map((account) => account.name))
    let number = 1
    while (taken.has(`${name} ${number}`)) number++
    return `${name} ${number}`
  }

  #newAccount(provider: ProviderSpec, { rules, credentials }: Edit, source: AccountSource): Account {
    const { clock, random } = this.#deps
    const id = newId('acc', random)
    const nowMs = clock.nowMs()
    const secrets = this.#sealed(id, provider, rules, credentials)
    const origin = { source, createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 } as const
    return { id, provider: provider.id, ...rules, ...secrets, ...origin }
  }

  #sealed(id: string, provider: ProviderSpec, rules: AccountRules, credentials: Credentials | null) {
    if (credentials === null) return { sealedCredentials: null, credentialsHash: null }
    const canonical = canonicalCredentials(credentials)
    const sealedCredentials = this.#deps.vault.seal(JSON.stringify(credentials), credentialsPlace(id))
    const credentialsHash = createHmac('sha256', this.#deps.fingerprintKey)
      .update(JSON.stringify([provider.id, rules.baseUrlOverride, canonical]))
      .digest('hex')
    return { sealedCredentials, credentialsHash }
  }

  #edited({ account, state, provider }: ShownAccount, { rules, credentials, newAccess }: Edit): StoredAccount {
    const secrets = newAccess ? this.#sealed(account.id, provider, rules, credentials) : {} // sealed anew, they look like others
    return {
      account: revised(account, { ...account, ...rules, ...secrets }, this.#deps.clock.nowMs()),
      state: newAccess ? afterNewAccess(state, credentials !== null) : state,
    }
  }

  /** Answers that came while the change was written keep what they said, unless they were about other access. */
  #takeOver(stored: StoredAccount, newAccess: boolean): void {
    const { roster } = this.#deps
    const current = roster.find(stored.account.id)
    roster.put(newAccess || current === undefined ? stored : { account: stored.account, state: current.state })
  }

  #learn({ id, updatedAtMs }: Account, report: ProbeReport): void {
    const { roster, clock } = this.#deps
    if (roster.find(id)?.account.updatedAtMs !== updatedAtMs) return // edited meanwhile: the test was of another account
    const atMs = clock.nowMs()
    const failed = failedStep(report)
    if (failed?.failure === undefined) return roster.moveState(id, (state) => afterPassedTest(state, atMs))
    const { failure, http = null } = failed
    if (failure.kind === 'auth' || failure.kind === 'billing') roster.failed(id, { failure, http, model: '', atMs })
    roster.moveState(id, (state) => ({ ...state, lastTestedAtMs: atMs }))
  }

  async #record(
    action: string,
    caller: Acting,
    { before, after }: { readonly before?: StoredAccount; readonly after?: StoredAccount },
  ): Promise<void> {
    const account = after?.account ?? before?.account
    if (account === undefined) return
    const wire = (stored: StoredAccount | undefined) => stored && this.#auditForm(stored)
    await this.#deps.audit.record({ ...entry(action, caller, account), before: wire(before), after: wire(after) })
  }

  #auditForm(stored: StoredAccount) {
    const [shown] = this.#shown(stored)
    return shown && toWire(shown, this.#deps.clock.nowMs())
  }
}

const NO_SUCH_ACCOUNT = refusal('missing', 'there is no such account')
const STALE = refusal('stale', 'the account was changed by someone else; read it again')
const NO_SUCH_POOL: FieldErrors = { proxy_pool_id: ['is no proxy pool that is here'] }
const FIXED_PROVIDER: FieldErrors = { provider: ['cannot be changed; add another account instead'] }

function clashRefusal(clash: Clash): Refusal {
  return clash === 'name'
    ? refusal('conflict', 'another account of this provider has this name', { errors: { name: ['is taken'] } })
    : refusal('conflict', 'another account has the same credentials', { errors: { credentials: ['are already here'] } })
}

function entry(action: string, caller: Acting, account: Account) {
  return {
    ...actedBy(caller),
    action,
    object: { type: 'account', id: account.id, name: account.name },
    outcome: 'ok',
  } as const
}
