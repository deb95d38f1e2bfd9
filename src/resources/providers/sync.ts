/** Asks providers what they offer and keeps what they say, so that names resolve and lists are right without asking again. */
import type { ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { Snapshot } from '../../core/snapshot.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { refusal, upstreamRefusal, type Refusal } from '../../http/refusal.ts'
import type { Send } from '../../outbound/transport.ts'
import type { Account } from '../accounts/account.ts'
import { listModels } from '../accounts/model-list.ts'
import { asker } from '../accounts/probe-ask.ts'
import type { AccountRoster } from '../accounts/roster.ts'
import type { SkipReason } from '../../routing/skip.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { SyncedModels, SyncedModelStore } from './store.ts'

export interface SyncOutcome {
  readonly added: number
  readonly removed: number
  readonly total: number
  readonly syncedAtMs: number
}

interface Deps {
  readonly store: SyncedModelStore
  readonly roster: AccountRoster
  readonly audit: Audit
  readonly send: Send
  readonly provider: (id: string) => ProviderSpec | undefined
  readonly dialectOf: (id: ProviderEndpoint['dialect']) => UpstreamDialect
  readonly clock: Clock
}

export class ModelSync {
  readonly #deps: Deps
  readonly #synced = new Snapshot<ReadonlyMap<string, SyncedModels>>(new Map())

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored: before requests are served, and when a provider is gone. */
  async reload(): Promise<void> {
    this.#synced.replace(await this.#deps.store.all())
  }

  /** Every list by provider; replaced whole when one changes. */
  current(): ReadonlyMap<string, SyncedModels> {
    return this.#synced.current
  }

  /**
   * Asks with the account that would be tried first. Audited. Refusals: `conflict` when there is nothing or nobody to ask with,
   * `upstream` in our words when the provider does not answer with a list (the stored one stays then), `missing` when the
   * provider was deleted while it was asked.
   */
  async sync(provider: ProviderSpec, caller: Caller): Promise<Result<SyncOutcome, Refusal>> {
    if (!provider.listsModels) return err(refusal('conflict', `${provider.name} has no list of models to ask for`))
    const account = this.#accountOf(provider)
    if (account === undefined) return err(refusal('conflict', `${provider.name} has no active account to ask with`))
    const listed = await this.#ask(provider, account)
    if (!listed.ok) {
      this.#learn(account, listed.error)
      return err(upstreamRefusal(listed.error))
    }
    if (this.#deps.provider(provider.id) === undefined) return err(GONE)
    const after = { models: listed.value, syncedAtMs: this.#deps.clock.nowMs() }
    const before = await this.#deps.store.replace(provider.id, after)
    await this.reload()
    const outcome = compared(before, after)
    await this.#record(provider, outcome, caller)
    return ok(outcome)
  }

  #accountOf({ id }: ProviderSpec): Account | undefined {
    const { roster } = this.#deps
    return roster.of(id).find((account) => ASKABLE.has(roster.unusable(account, NO_MODEL)))
  }

  async #ask(provider: ProviderSpec, account: Account) {
    const { roster, dialectOf } = this.#deps
    const [endpoint] = provider.endpoints
    const credentials = roster.credentialsOf(account) ?? {}
    const ask = asker({ ...account, provider, credentials }, endpoint, this.#deps)
    return await listModels(ask, endpoint, dialectOf(endpoint.dialect))
  }

  /** Only what is about the account as a whole; there is no model that a limit could be about. */
  #learn({ id }: Account, failure: Failure): void {
    if (failure.kind !== 'auth' && failure.kind !== 'billing') return
    this.#deps.roster.failed(id, { failure, http: null, model: NO_MODEL, atMs: this.#deps.clock.nowMs() })
  }

  async #record({ id, name }: ProviderSpec, outcome: SyncOutcome, caller: Caller): Promise<void> {
    const { added, removed, total } = outcome
    await this.#deps.audit.record({
      ...actedBy(caller),
      action: 'provider.sync_models',
      object: { type: 'provider', id, name },
      after: { added, removed, total },
      outcome: 'ok',
    })
  }
}

/** Limits and lists of a model do not matter to the question which models there are. */
const NO_MODEL = ''
const ASKABLE: ReadonlySet<SkipReason | null> = new Set([
  null,
  'model_not_allowed',
  'cooldown',
  'not_entitled',
  'at_rate',
  'at_concurrency',
  'quota_spent',
  'circuit_open',
])

const GONE = refusal('missing', 'the provider was deleted meanwhile')

function compared(before: SyncedModels | undefined, after: SyncedModels): SyncOutcome {
  const known = before?.models ?? new Map()
  const added = [...after.models.keys()].filter((id) => !known.has(id)).length
  const removed = [...known.keys()].filter((id) => !after.models.has(id)).length
  return { added, removed, total: after.models.size, syncedAtMs: after.syncedAtMs }
}
