/** What is done to many accounts of one provider at once: added from a list, switched, removed. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { BulkDraft } from './bulk-schema.ts'
import type { ProbeReport } from './probe.ts'
import type { AccountRoster } from './roster.ts'
import { defaultRules, readRules } from './rules.ts'
import type { NewAccountDraft, ShownAccount } from './schema.ts'
import type { AccountService } from './service.ts'
import { afterNewAccess } from './state.ts'
import type { AccountStore, Removable, StoredAccount } from './store.ts'

/** What became of one item. */
export type BulkItem =
  | { readonly status: 'created'; readonly account: ShownAccount; readonly report: ProbeReport | null }
  | { readonly status: 'duplicate' | 'invalid'; readonly message: string; readonly errors: FieldErrors }

interface Deps {
  readonly accounts: AccountService
  readonly store: AccountStore
  readonly roster: AccountRoster
  readonly audit: Audit
  readonly provider: (id: string) => ProviderSpec | undefined
  readonly clock: Clock
}

const TESTS_AT_ONCE = 4
/** No further test begins after this; what was not tested says so. */
const TESTS_BEGIN_WITHIN_MS = 45_000

export class BulkAccounts {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Adds what can be added and says of each item what became of it, in the order in which they came. Each account is audited by
   * itself. Refusal: `invalid`, when the provider or the common fields are wrong.
   */
  async add(draft: BulkDraft, caller: Caller): Promise<Result<readonly BulkItem[], Refusal>> {
    const problems = this.#problemsOf(draft)
    if (problems !== undefined) return err(invalid(problems))
    const items: BulkItem[] = []
    for (const item of draft.items) {
      items.push(await this.#addOne({ ...draft.defaults, ...item, provider: draft.provider }, caller))
    }
    return ok(draft.test === true ? await this.#tested(items, caller) : items)
  }

  /** How many were switched. Those that are switched on begin anew, as after an edit. Refusal: `missing`. */
  async switchAll(providerId: string, enabled: boolean, caller: Caller): Promise<Result<number, Refusal>> {
    const { provider, store, roster } = this.#deps
    const found = provider(providerId)
    if (found === undefined) return err(NO_SUCH_PROVIDER)
    const changed = await store.rewrite(providerId, (stored) => this.#switched(stored, enabled))
    for (const stored of changed) roster.put(stored)
    await this.#record(enabled ? 'account.enable_all' : 'account.disable_all', found, changed, caller)
    return ok(changed.length)
  }

  /** How many were removed. Refusal: `missing`. */
  async remove(providerId: string, which: Removable, caller: Caller): Promise<Result<number, Refusal>> {
    const { provider, store, roster } = this.#deps
    const found = provider(providerId)
    if (found === undefined) return err(NO_SUCH_PROVIDER)
    const removed = await store.removeOf(providerId, which)
    for (const { account } of removed) roster.drop(account.id)
    await this.#record(which === 'all' ? 'account.delete_all' : 'account.delete_disabled', found, removed, caller)
    return ok(removed.length)
  }

  /** What is wrong with every item alike; undefined when nothing is. */
  #problemsOf({ provider: id, defaults = {} }: BulkDraft): FieldErrors | undefined {
    const provider = this.#deps.provider(id)
    if (provider === undefined) return { provider: ['is not a provider that is known here'] }
    if (provider.kind === 'demo') return { provider: ['needs no account'] }
    const base = defaultRules(provider, '')
    const rules = readRules(provider, defaults, base, base, this.#deps.clock.nowMs())
    if (rules.ok) return undefined
    return Object.fromEntries(Object.entries(rules.error).map(([field, messages]) => [`defaults.${field}`, messages]))
  }

  async #addOne(draft: NewAccountDraft, caller: Caller): Promise<BulkItem> {
    const created = await this.#deps.accounts.create(draft, caller)
    if (created.ok) return { status: 'created', account: created.value, report: null }
    const { message, errors = {} } = created.error
    const isDuplicate = created.error.kind === 'conflict' && 'credentials' in errors
    return { status: isDuplicate ? 'duplicate' : 'invalid', message, errors }
  }

  /** Tests what was created, a few at a time; each shows its state after the test. */
  async #tested(items: readonly BulkItem[], caller: Caller): Promise<readonly BulkItem[]> {
    const { clock } = this.#deps
    const tested = [...items]
    const beginBy = clock.monotonicMs() + TESTS_BEGIN_WITHIN_MS
    const waiting = items.entries()
    const work = async (): Promise<void> => {
      for (const [index, item] of waiting) {
        if (clock.monotonicMs() >= beginBy) return
        if (item.status === 'created') tested[index] = await this.#test(item, caller)
      }
    }
    await Promise.all(Array.from({ length: TESTS_AT_ONCE }, work))
    return tested
  }

  async #test(item: BulkItem & { readonly status: 'created' }, caller: Caller): Promise<BulkItem> {
    const { accounts } = this.#deps
    const { id } = item.account.account
    const report = await accounts.test(id, false, caller)
    const account = accounts.get(id)
    return report.ok && account.ok ? { status: 'created', account: account.value, report: report.value } : item
  }

  /** The state in memory is newer than the one on disk. */
  #switched({ account, state }: StoredAccount, enabled: boolean): StoredAccount | undefined {
    if (account.enabled === enabled) return undefined
    const { clock, roster } = this.#deps
    const current = roster.find(account.id)?.state ?? state
    const after = { ...account, enabled, updatedAtMs: clock.nowMs(), version: account.version + 1 }
    return { account: after, state: enabled ? afterNewAccess(current, account.sealedCredentials !== null) : current }
  }

  async #record(
    action: string,
    { id, name }: ProviderSpec,
    accounts: readonly StoredAccount[],
    caller: Caller,
  ): Promise<void> {
    const after = { count: accounts.length, accounts: accounts.map(({ account }) => account.name) }
    const object = { type: 'provider', id, name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, after, outcome: 'ok' })
  }
}

const NO_SUCH_PROVIDER = refusal('missing', 'there is no such provider')
