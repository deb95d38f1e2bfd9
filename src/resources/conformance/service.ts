/** What operators do about conformance: see what a check would cost, run it, and take over the quirks that it found. */
import type { Failure } from '../../core/failure.ts'
import { usdFromNano } from '../../core/money.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { invalid, refusal, upstreamRefusal, type Refusal } from '../../http/refusal.ts'
import { listModels } from '../accounts/model-list.ts'
import { asker } from '../accounts/probe-ask.ts'
import type { AccountRoster } from '../accounts/roster.ts'
import type { AccountService } from '../accounts/service.ts'
import { mayServe } from '../accounts/state.ts'
import type { ActedBy } from '../audit/entry.ts'
import type { Audit } from '../audit/service.ts'
import type { CustomProviderService } from '../custom-providers/service.ts'
import type { ProviderConformance, ProviderService } from '../providers/service.ts'
import { failedOf, scoreOf } from './checks.ts'
import type { Conformance } from './conformance.ts'
import { planFor, planForModel, shownModels, type EndpointPlan } from './plan.ts'
import { ProviderRun, type Progress, type RunDeps, type Subject } from './provider-run.ts'
import { quoteFor, type Quote } from './quote.ts'
import type { ConformanceStore } from './store.ts'

interface Deps extends RunDeps {
  readonly store: ConformanceStore
  readonly audit: Audit
  readonly roster: AccountRoster
  readonly accounts: Pick<AccountService, 'get' | 'all'>
  readonly providers: Pick<ProviderService, 'models' | 'provider'>
  readonly customProviders: Pick<CustomProviderService, 'learn'>
}

export interface CheckOptions {
  /** By its public name; undefined leaves the choice here. */
  readonly model: string | undefined
  /** Writes the quirks that are found into a provider of the operator's own. */
  readonly apply: boolean
}

/** Who acts. */

export class ConformanceService {
  readonly #deps: Deps
  readonly #reports = new Snapshot<ReadonlyMap<string, Conformance>>(new Map())
  readonly #running = new Map<string, Progress>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored, before requests are served. */
  async reload(): Promise<void> {
    const all = await this.#deps.store.all()
    this.#reports.replace(new Map(all.map((report) => [report.provider, report])))
  }

  /** What the last check of a provider found; null before the first. */
  of(provider: string): Conformance | null {
    return this.#reports.current.get(provider) ?? null
  }

  /** The same in short, as a part of what a provider is. */
  standingOf(provider: string): ProviderConformance | null {
    const report = this.of(provider)
    return report && { ...report, score: scoreOf(report.endpoints, report.applied), failed: failedOf(report) }
  }

  /** How far a check of the provider is that runs now. */
  progressOf(provider: string): Progress | null {
    return this.#running.get(provider) ?? null
  }

  /** The account that is meant by its id or its name, or by a provider: the one that would be tried first. Refusal: `missing`. */
  accountFor(name: string): Result<string, Refusal> {
    const { accounts, roster } = this.#deps
    const all = accounts.all().map(({ account }) => account)
    const ofProvider = roster.of(name)
    const named =
      all.find(({ id }) => id === name) ??
      ofProvider.find((account) => account.enabled && roster.standingOf(account) !== 'auth_error') ??
      ofProvider[0] ??
      all.find((account) => account.name === name)
    return named === undefined ? err(NOBODY) : ok(named.id)
  }

  /** Asks nobody anything. Refusals: those of `check` that come before the first question. */
  quote(accountId: string, model: string | undefined): Result<Quote, Refusal> {
    const subject = this.#subject(accountId)
    if (!subject.ok) return subject
    const plans = this.#plans(subject.value, model)
    return plans.ok ? ok(quoteFor(subject.value, orAny(plans.value, subject.value), this.#deps)) : plans
  }

  /**
   * Asks the provider with this account; one check of a provider at a time. Audited. Refusals: `missing`; `gone` without
   * credentials; `conflict` while another one runs; `invalid` for a model that the account may not use, or when there is none;
   * `upstream` when the provider could not be asked, and nothing is kept then.
   */
  async check(accountId: string, { model, apply }: CheckOptions, by: ActedBy): Promise<Result<Conformance, Refusal>> {
    const subject = this.#subject(accountId)
    if (!subject.ok) return subject
    const { account, target } = subject.value
    const plans = this.#plans(subject.value, model)
    if (!plans.ok) return plans
    if (this.#running.has(account.provider)) return err(BUSY)
    this.#running.set(account.provider, { done: 0, total: 0 })
    try {
      const checked = await this.#run(subject.value, plans.value)
      if (!checked.ok) return checked
      const report =
        apply && target.provider.origin === 'custom' ? await this.#taught(checked.value, by) : checked.value
      await this.#keep(report)
      await this.#record(subject.value, report, by)
      return ok(report)
    } finally {
      this.#running.delete(account.provider)
    }
  }

  /**
   * Takes over what the report of that moment found, without another call. Refusals: `missing` without a report or a provider
   * of the operator's own; `conflict` when there is a newer report.
   */
  async apply(provider: string, checkedAtMs: number, by: ActedBy): Promise<Result<Conformance, Refusal>> {
    const report = this.of(provider)
    if (report === null) return err(NO_REPORT)
    if (this.#deps.providers.provider(provider)?.origin !== 'custom') return err(NOT_OURS)
    if (report.checkedAtMs !== checkedAtMs) return err(NEWER)
    const learnt = await this.#deps.customProviders.learn(provider, report.quirks, by)
    if (!learnt.ok) return learnt
    const taught = { ...report, applied: true }
    await this.#keep(taught)
    return ok(taught)
  }

  /** For a provider that is gone. */
  async forget(provider: string): Promise<void> {
    await this.#deps.store.remove(provider)
    await this.reload()
  }

  #subject(accountId: string): Result<Subject, Refusal> {
    const found = this.#deps.accounts.get(accountId)
    if (!found.ok) return found
    const { account, provider, credentials } = found.value
    if (credentials === null) return err(refusal('gone', 'no credentials are kept for this account'))
    return ok({ account, target: { ...account, provider, credentials } })
  }

  /** Empty when the provider has to be asked for its models first. */
  #plans(
    { account, target: { provider } }: Subject,
    model: string | undefined,
  ): Result<readonly EndpointPlan[], Refusal> {
    if (model === undefined) {
      const plans = planFor(provider, account, this.#deps.providers.models(provider))
      return plans.length === 0 && !provider.listsModels ? err(NO_MODEL) : ok(plans)
    }
    return mayServe(account, model) ? ok(planForModel(provider, model)) : err(NOT_ALLOWED)
  }

  async #run(subject: Subject, known: readonly EndpointPlan[]): Promise<Result<Conformance, Refusal>> {
    const { account, target } = subject
    const plans = known.length > 0 ? ok(known) : await this.#listed(subject)
    if (!plans.ok) return plans
    const progressed = (progress: Progress) => void this.#running.set(account.provider, progress)
    const found = await new ProviderRun(subject, this.#deps, progressed).run(plans.value)
    if (!found.ok) return err(this.#refused(account.id, found.error))
    if (this.#deps.providers.provider(target.provider.id) === undefined) return err(DELETED)
    const { spent, ...findings } = found.value
    return ok({
      provider: account.provider,
      accountId: account.id,
      checkedAtMs: this.#deps.clock.nowMs(),
      applied: false,
      ...findings,
      ...spent,
    })
  }

  /** The plan, once the provider has said what it has. */
  async #listed({ account, target }: Subject): Promise<Result<readonly EndpointPlan[], Refusal>> {
    const [endpoint] = target.provider.endpoints
    const listed = await listModels(
      asker(target, endpoint, this.#deps),
      endpoint,
      this.#deps.dialectOf(endpoint.dialect),
    )
    if (!listed.ok) return err(this.#refused(account.id, listed.error))
    const plans = planFor(target.provider, account, shownModels(target.provider, listed.value))
    return plans.length === 0 ? err(NO_MODEL) : ok(plans)
  }

  /** What is about the account as a whole counts for its state, as after any other call. */
  #refused(accountId: string, failure: Failure): Refusal {
    const isAboutTheAccount = failure.kind === 'auth' || failure.kind === 'billing'
    const outcome = { failure, http: null, model: '', atMs: this.#deps.clock.nowMs() }
    if (isAboutTheAccount) this.#deps.roster.failed(accountId, outcome)
    return upstreamRefusal(failure)
  }

  async #taught(report: Conformance, by: ActedBy): Promise<Conformance> {
    if (Object.keys(report.quirks).length === 0) return report
    const learnt = await this.#deps.customProviders.learn(report.provider, report.quirks, by)
    return learnt.ok ? { ...report, applied: true } : report
  }

  async #keep(report: Conformance): Promise<void> {
    await this.#deps.store.replace(report)
    await this.reload()
  }

  async #record({ account }: Subject, report: Conformance, by: ActedBy): Promise<void> {
    const { endpoints, applied, calls, tokens, costNano } = report
    const after = {
      score: scoreOf(endpoints, applied),
      failed: failedOf(report).map(({ dialect, check }) => `${dialect} ${check}`),
      quirks: Object.keys(report.quirks),
      applied,
      calls,
      tokens,
      cost_usd: costNano === null ? null : usdFromNano(costNano),
    }
    const object = { type: 'account', id: account.id, name: account.name }
    await this.#deps.audit.record({ ...by, action: 'account.probe', object, after, outcome: 'ok' })
  }
}

/** Where no model is known yet, what will be asked of any. */
function orAny(plans: readonly EndpointPlan[], { target: { provider } }: Subject): readonly EndpointPlan[] {
  return plans.length > 0 ? plans : planForModel(provider, UNKNOWN_MODEL)
}
const UNKNOWN_MODEL = 'a-model'

const NOBODY = refusal('missing', 'there is no account and no provider with an account of this name')
const BUSY = refusal('conflict', 'this provider is being checked already')
const NO_MODEL = invalid({ model: ['is needed, since no model of this provider is known'] })
const NOT_ALLOWED = invalid({ model: ['is not one that this account may use'] })
const DELETED = refusal('missing', 'the provider was deleted meanwhile')
const NO_REPORT = refusal('missing', 'this provider was not checked yet')
const NOT_OURS = refusal('missing', 'only a provider of your own can take over quirks')
const NEWER = refusal('conflict', 'the provider was checked again meanwhile')
