/** What operators see of quotas and do with them; what is asked of providers' own endpoints is asked here. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/duration.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { staleness } from '../../http/if-match.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'
import type { Send } from '../../outbound/transport.ts'
import type { Account } from '../accounts/account.ts'
import type { Pace } from '../accounts/pace.ts'
import { asker, isSuccess, textOf } from '../accounts/probe-ask.ts'
import type { AccountRoster } from '../accounts/roster.ts'
import type { AccountService } from '../accounts/service.ts'
import { afterReset } from '../accounts/state.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import type { QuotaBook } from './book.ts'
import { overviewOf, type Overview } from './overview.ts'
import type { Quota, QuotaPlace, QuotaWishes } from './quota.ts'
import { readReport } from './report.ts'
import { wishesToWire } from './schema.ts'

/** How often accounts that are in use are asked what they have left, and how often limits that are kept here are noted. */
export const REPORTS_EVERY_MS = 10 * MINUTE_MS
export const LOCAL_EVERY_MS = 60_000

interface Deps {
  readonly book: QuotaBook
  readonly roster: AccountRoster
  readonly accounts: Pick<AccountService, 'test'>
  readonly pace: Pick<Pace, 'useOf' | 'reset' | 'sweep'>
  readonly provider: (id: string) => ProviderSpec | undefined
  readonly audit: Audit
  readonly send: Send
  readonly clock: Clock
}

export class QuotaService {
  readonly #deps: Deps
  readonly #stops: readonly (() => void)[]
  #reportedAtMs: number
  #isAsking = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#reportedAtMs = deps.clock.nowMs()
    this.#stops = [
      deps.clock.every(REPORTS_EVERY_MS, () => void this.#tend()),
      deps.clock.every(LOCAL_EVERY_MS, () => this.#noteLocal()),
    ]
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  /** Those of accounts that are there, as they are now. */
  all(): readonly Quota[] {
    this.#noteLocal()
    return this.#deps.book.all().filter(({ accountId }) => this.#deps.roster.find(accountId) !== undefined)
  }

  overview(): Overview {
    return overviewOf(this.all(), this.#deps.clock.nowMs())
  }

  /** Refusal: `missing`. */
  ofAccount(id: string): Result<readonly Quota[], Refusal> {
    if (this.#deps.roster.find(id) === undefined) return err(refusal('missing', 'there is no such account'))
    this.#noteLocal()
    return ok(this.#deps.book.of({ accountId: id }))
  }

  /** Refusals: `missing`, `stale`. */
  async change(
    id: string,
    wishes: Partial<QuotaWishes>,
    version: number | null,
    caller: Caller,
  ): Promise<Result<Quota, Refusal>> {
    const before = this.#deps.book.find(id)
    if (before === undefined) return err(NO_SUCH_QUOTA)
    const stale = staleness(before.version, version)
    if (stale !== undefined) return err(stale)
    const after = await this.#deps.book.change(id, wishes)
    if (after === undefined) return err(NO_SUCH_QUOTA)
    const values = { before: wishesToWire(before), after: wishesToWire(after) }
    if (after !== before) await this.#record('quota.change', caller, after, values)
    return ok(after)
  }

  /** It is forgotten until it is reported again. Refusal: `missing`. */
  async forget(id: string, caller: Caller): Promise<Result<Quota, Refusal>> {
    const quota = this.#deps.book.find(id)
    if (quota === undefined) return err(NO_SUCH_QUOTA)
    this.#deps.book.forget(quota)
    await this.#record('quota.delete', caller, quota, {})
    return ok(quota)
  }

  /**
   * The operator says that an account's limits are over: what is counted here begins anew, nothing rests any more, and the provider
   * is asked how it is. Refusals: those of testing an account.
   */
  async reset(id: string, caller: Caller): Promise<Result<readonly Quota[], Refusal>> {
    const { roster, pace, accounts, book } = this.#deps
    const stored = roster.find(id)
    if (stored === undefined) return err(refusal('missing', 'there is no such account'))
    pace.reset(id)
    roster.moveState(id, afterReset)
    for (const quota of book.of({ accountId: id })) if (!quota.paused && quota.reservePct === 0) book.forget(quota)
    const tested = await accounts.test(id, false, caller)
    if (!tested.ok) return tested
    await this.#ask(stored.account)
    return this.ofAccount(id)
  }

  /** Asks about accounts that are in use, and forgets those that are gone or quiet. */
  async #tend(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    this.#deps.pace.sweep()
    for (const quota of this.#deps.book.all()) {
      if (this.#deps.roster.find(quota.accountId) === undefined) this.#deps.book.forget(quota)
    }
    await this.#askInUse()
    this.#isAsking = false
  }

  async #askInUse(): Promise<void> {
    const sinceMs = this.#reportedAtMs
    this.#reportedAtMs = this.#deps.clock.nowMs()
    for (const { account, state } of this.#deps.roster.all()) {
      if (account.enabled && (state.lastOkAtMs ?? 0) >= sinceMs) await this.#ask(account)
    }
  }

  /** Whatever goes wrong says nothing of the account: such endpoints are not what it is for. */
  async #ask(account: Account): Promise<void> {
    const { provider: providerOf, roster, book } = this.#deps
    const provider = providerOf(account.provider)
    const report = provider?.quotaReport
    const credentials = roster.credentialsOf(account)
    if (provider === undefined || report === undefined || credentials === null) return
    const ask = asker({ ...account, provider, credentials }, provider.endpoints[0], this.#deps)
    const reply = await ask({ path: report.path })
    if (!reply.ok || !isSuccess(reply.value.status)) return
    const reading = readReport(report, jsonOf(textOf(reply.value.body)))
    if (reading !== undefined) book.observe(placeOf(account, reading, 'provider_api'), reading)
  }

  #noteLocal(): void {
    for (const { account } of this.#deps.roster.all()) {
      const use = this.#deps.pace.useOf(account)
      this.#noteLimit(account, 'rpm', 'requests', account.requestsPerMinute, use.requests)
      this.#noteLimit(account, 'tpm', 'tokens', account.tokensPerMinute, use.tokens)
    }
  }

  #noteLimit(
    account: Account,
    window: 'rpm' | 'tpm',
    unit: 'requests' | 'tokens',
    limit: number | null,
    counted: number,
  ): void {
    if (limit === null) return
    const used = Math.ceil(counted)
    const reading = { window, unit, limit, used, remaining: Math.max(0, limit - used), resetsAfterMs: null }
    this.#deps.book.observe(placeOf(account, reading, 'local'), reading)
  }

  async #record(action: string, caller: Caller, { id, accountId }: Quota, change: object): Promise<void> {
    const name = this.#deps.roster.find(accountId)?.account.name ?? null
    const object = { type: 'quota', id, name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, ...change, outcome: 'ok' })
  }
}

const NO_SUCH_QUOTA = refusal('missing', 'there is no such quota')

function placeOf(
  account: Account,
  { window, unit }: Pick<Quota, 'window' | 'unit'>,
  source: Quota['source'],
): QuotaPlace {
  return { accountId: account.id, provider: account.provider, model: null, window, unit, source }
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a page instead of figures says nothing
  }
}
