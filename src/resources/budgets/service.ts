import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { isSame } from '../../core/same.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import type { SpendBook } from '../../ledger/spending/spending.ts'
import { Windows } from '../../ledger/spending/windows.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { type Budget, type BudgetRules, ruleOf } from './budget.ts'
import type { Counter } from './list.ts'
import { defaultRules, type Named, readRules } from './rules.ts'
import { type BudgetDraft, type NewBudgetDraft, rulesToWire, type ShownBudget } from './schema.ts'
import { type BudgetStatus, fullest } from './status.ts'
import { type BudgetStore, NO_SUCH_BUDGET } from './store.ts'

interface Deps extends Named {
  readonly store: BudgetStore
  readonly spending: Pick<SpendBook, 'replaceRules' | 'statusOf'>
  readonly audit: Audit
  readonly clock: Pick<Clock, 'nowMs'>
  readonly random: Random
}

/** What operators do with budgets. A change counts from the next attempt on; every act is audited. */
export class BudgetService {
  readonly #deps: Deps
  readonly #loaded = new Snapshot<readonly Budget[]>([])
  readonly #windows = new Windows()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored and hands it to the ledger: before requests are served, and after each write. */
  async reload(): Promise<void> {
    const { store, spending } = this.#deps
    this.#loaded.replace(await store.all())
    const enabled = this.all().filter(({ enabled }) => enabled)
    spending.replaceRules('budgets', enabled.map(ruleOf))
  }

  /** In creation order. */
  all(): readonly Budget[] {
    return this.#loaded.current
  }

  /** Refusal: `missing`. */
  get(id: string): Result<Budget, Refusal> {
    const budget = this.all().find((one) => one.id === id)
    return budget === undefined ? err(NO_SUCH_BUDGET) : ok(budget)
  }

  /** With how it stands now, and with what its owner should know. */
  shown(budget: Budget): ShownBudget {
    const scopeName = this.#scopeName(budget)
    return {
      budget,
      status: budget.enabled ? this.fullest(budget) : null,
      scopeName: scopeName ?? null,
      warnings: this.#warnings(budget, scopeName),
    }
  }

  /** None while it is switched off. */
  countersOf({ id, enabled }: Budget): readonly BudgetStatus[] {
    return enabled ? this.#deps.spending.statusOf(id) : []
  }

  /** `keyId`: only that key's, of a budget with a counter per key. */
  fullest(budget: Budget, keyId?: string): BudgetStatus {
    const counters = this.countersOf(budget).filter((one) => keyId === undefined || one.keyId === keyId)
    const status = fullest(counters, ruleOf(budget), this.#deps.clock.nowMs())
    return keyId === undefined ? status : { ...status, keyId }
  }

  /** Every counter of the budgets that are switched on. */
  counters(): readonly Counter[] {
    return this.all().flatMap((budget) => this.countersOf(budget).map((status): Counter => ({ budget, status })))
  }

  /** Refusals: `invalid`; `conflict` when there are too many. */
  async create(draft: NewBudgetDraft, caller: Caller): Promise<Result<Budget, Refusal>> {
    const { store, clock, random } = this.#deps
    const rules = this.#read(draft, defaultRules(draft.name), null)
    if (!rules.ok) return rules
    const nowMs = clock.nowMs()
    const budget = { id: newId('bud', random), ...rules.value, createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    const inserted = await store.insert(budget)
    if (!inserted.ok) return inserted
    await this.reload()
    await this.#record('budget.create', caller, budget, { after: rulesToWire(budget) })
    return ok(budget)
  }

  /**
   * PUT replaces, PATCH changes what is sent. `version`: the one that the caller has seen; null when it does not matter. Refusals:
   * `missing`, `stale`, `invalid`.
   */
  async change(
    id: string,
    draft: BudgetDraft,
    mode: 'put' | 'patch',
    version: number | null,
    caller: Caller,
  ): Promise<Result<Budget, Refusal>> {
    const changed = await this.#deps.store.change(id, (before) => {
      const stale = staleness(before.version, version)
      if (stale !== undefined) return err(stale)
      const rules = this.#read(draft, mode === 'patch' ? before : defaultRules(before.name), before)
      if (!rules.ok) return rules
      return ok(revised(before, { ...before, ...rules.value }, this.#deps.clock.nowMs()))
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(after)
    await this.reload()
    const values = { before: rulesToWire(before), after: rulesToWire(after) }
    await this.#record(actionOf(before, after), caller, after, values)
    return ok(after)
  }

  /** Refusals: `missing`, `stale`. */
  async remove(id: string, version: number | null, caller: Caller): Promise<Result<Budget, Refusal>> {
    const removed = await this.#deps.store.remove(id, (budget) => staleness(budget.version, version))
    if (!removed.ok) return removed
    await this.reload()
    await this.#record('budget.delete', caller, removed.value, { before: rulesToWire(removed.value) })
    return removed
  }

  /** A budget as it would be saved; it has no id. Refusal: `invalid`. */
  described(draft: NewBudgetDraft): Result<Budget, Refusal> {
    const rules = this.#read(draft, defaultRules(draft.name), null)
    return rules.ok ? ok({ id: '', ...rules.value, createdAtMs: 0, updatedAtMs: 0, version: 0 }) : rules
  }

  #read(draft: BudgetDraft, base: BudgetRules, saved: BudgetRules | null): Result<BudgetRules, Refusal> {
    const rules = readRules(draft, base, saved, this.#deps, { nowMs: this.#deps.clock.nowMs(), windows: this.#windows })
    return rules.ok ? rules : err(invalid(rules.error))
  }

  /** Null where there is nothing to name; undefined where it is gone. */
  #scopeName({ scope, scopeId }: Budget): string | null | undefined {
    if (scope === 'global' || scopeId === null) return null
    return scope === 'model' || scope === 'tag' ? scopeId : this.#deps.nameOf(scope, scopeId)
  }

  #warnings(budget: Budget, scopeName: string | null | undefined): readonly string[] {
    const { scope, downgradeTo } = budget
    const problem = downgradeTo === null ? undefined : this.#deps.modelProblem(downgradeTo)
    return [
      ...(scopeName === undefined ? [`the ${scope} that it names is gone, so nothing counts in it any more`] : []),
      ...(problem === undefined ? [] : [`downgrade_to: ${downgradeTo} ${problem}`]),
    ]
  }

  async #record(
    action: string,
    caller: Caller,
    { id, name }: Budget,
    values: { readonly before?: unknown; readonly after?: unknown },
  ): Promise<void> {
    const object = { type: 'budget', id, name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, outcome: 'ok', ...values })
  }
}

/** Granting more is an act of its own in the audit log. */
function actionOf(before: Budget, after: Budget): string {
  const isGrant = after.override !== null && !isSame(before.override, after.override)
  return isGrant ? 'budget.override' : 'budget.change'
}
