import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Snapshot } from '../../core/snapshot.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Plan, PlanRules } from './plan.ts'
import { defaultRules, readRules } from './rules.ts'
import { type PlanDraft, rulesToWire } from './schema.ts'
import { type KeysOnPlans, NO_SUCH_PLAN, type PlanStore, type RemovedPlan } from './store.ts'

/** What plans name and others look after; asked within a transaction, so the answers are about what is stored now. */
export interface NamedByPlans {
  /** Why `auto` cannot mean this; undefined when it can. */
  modelProblem(name: string): string | undefined
  /** Why chats cannot all go through this chain; undefined when they can. */
  chainProblem(id: string): string | undefined
  /** The budget that limits a plan, and would limit nobody without it; undefined when there is none. */
  limitedBy(id: string): string | undefined
}

interface Deps extends NamedByPlans {
  readonly store: PlanStore
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  readonly keysOnPlans: KeysOnPlans
  /** Called after a change, before it is answered: keys go by their plans. */
  readonly changed: () => Promise<void>
}

export type WriteMode = 'put' | 'patch'

interface Loaded {
  readonly plans: readonly Plan[]
  readonly byId: ReadonlyMap<string, Plan>
  readonly standard: Plan | undefined
}

/** Plans that an owner may have: each write looks at all of them. */
export const PLANS_MAX = 1_000

/** What operators do with plans. A change counts from the next request on; every act is audited. */
export class PlanService {
  readonly #deps: Deps
  readonly #loaded = new Snapshot<Loaded>({ plans: [], byId: new Map(), standard: undefined })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored: before requests are served, after each write, and when a skill that plans named is gone. */
  async reload(): Promise<void> {
    const plans = await this.#deps.store.all()
    const byId = new Map(plans.map((plan) => [plan.id, plan]))
    this.#loaded.replace({ plans, byId, standard: plans.find(({ isDefault }) => isDefault) })
  }

  /** In creation order. */
  all(): readonly Plan[] {
    return this.#loaded.current.plans
  }

  byId(id: string): Plan | undefined {
    return this.#loaded.current.byId.get(id)
  }

  /** The one of keys that are made without a plan; undefined where there is none. */
  standard(): Plan | undefined {
    return this.#loaded.current.standard
  }

  /** Refusal: `missing`. */
  get(id: string): Result<Plan, Refusal> {
    const plan = this.byId(id)
    return plan === undefined ? err(NO_SUCH_PLAN) : ok(plan)
  }

  /** Refusals: `invalid`, `conflict` for a name that is taken. */
  async create(draft: PlanDraft & { readonly name: string }, caller: Caller): Promise<Result<Plan, Refusal>> {
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const stamp = { id: newId('pln', random), createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    const inserted = await store.insert((all) => {
      if (all.length >= PLANS_MAX) return err(refusal('conflict', `there may be at most ${PLANS_MAX} plans`))
      return this.#judged({ ...defaultRules(draft.name.trim()), ...stamp }, draft, undefined, all)
    })
    if (!inserted.ok) return inserted
    await this.#changed('plan.create', caller, inserted.value, { after: rulesToWire(inserted.value) })
    return inserted
  }

  /** PUT replaces, PATCH changes what is sent. Refusals: `missing`, `stale`, `invalid`, `conflict`. */
  async change(
    id: string,
    draft: PlanDraft,
    mode: WriteMode,
    version: number | null,
    caller: Caller,
  ): Promise<Result<Plan, Refusal>> {
    const nowMs = this.#deps.clock.nowMs()
    const changed = await this.#deps.store.change(id, (before, all) => {
      const stale = staleness(before.version, version)
      if (stale !== undefined) return err(stale)
      const base = mode === 'patch' ? before : { ...before, ...defaultRules(before.name) }
      const judged = this.#judged(base, draft, before, all)
      return judged.ok ? ok(revised(before, judged.value, nowMs)) : judged
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(after)
    await this.#changed('plan.change', caller, after, { before: rulesToWire(before), after: rulesToWire(after) })
    return ok(after)
  }

  /**
   * `reassignTo`: the plan that its keys get. Refusals: `missing`, `stale`, `invalid`; `conflict` while keys are on it otherwise, or a budget
   * limits it.
   */
  async remove(
    id: string,
    reassignTo: string | null,
    version: number | null,
    caller: Caller,
  ): Promise<Result<RemovedPlan, Refusal>> {
    const { store, keysOnPlans, clock, limitedBy } = this.#deps
    const budget = limitedBy(id)
    if (budget !== undefined) return err(limited(budget))
    const isStale = (plan: Plan) => staleness(plan.version, version)
    const removed = await store.remove(id, reassignTo, keysOnPlans, clock.nowMs(), isStale)
    if (!removed.ok) return removed
    const { plan, movedTo, keys } = removed.value
    const moved = movedTo === null ? {} : { after: { keys_moved: keys, moved_to: movedTo.id } }
    await this.#changed('plan.delete', caller, plan, { before: rulesToWire(plan), ...moved })
    return removed
  }

  /** The plan as it would be saved. Refusals: `invalid`, `conflict`. */
  #judged(base: Plan, draft: PlanDraft, before: PlanRules | undefined, all: readonly Plan[]): Result<Plan, Refusal> {
    const rules = readRules(draft, base)
    if (!rules.ok) return err(invalid(rules.error))
    const plan = { ...base, ...rules.value }
    if (all.some(({ id, name }) => id !== plan.id && name === plan.name)) return err(nameTaken(plan.name))
    const errors = this.#danglingIn(plan, before)
    return Object.keys(errors).length === 0 ? ok(plan) : err(invalid(errors))
  }

  /** What was there when it was named is not asked again, so that it keeps nobody from another change. */
  #danglingIn({ defaultModel, chainId }: PlanRules, before: PlanRules | undefined): FieldErrors {
    const { modelProblem, chainProblem } = this.#deps
    const isNew = { model: defaultModel !== before?.defaultModel, chain: chainId !== before?.chainId }
    const model = defaultModel !== null && isNew.model ? modelProblem(defaultModel) : undefined
    const chain = chainId !== null && isNew.chain ? chainProblem(chainId) : undefined
    return {
      ...(model === undefined ? {} : { default_model: [model] }),
      ...(chain === undefined ? {} : { chain_id: [chain] }),
    }
  }

  async #changed(
    action: string,
    caller: Caller,
    { id, name }: Plan,
    values: { readonly before?: unknown; readonly after?: unknown },
  ): Promise<void> {
    await this.reload()
    await this.#deps.changed()
    const object = { type: 'plan', id, name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, outcome: 'ok', ...values })
  }
}

/** Its keys would go on without that limit, on whichever plan they are then. */
function limited(budget: string): Refusal {
  return refusal('conflict', `the budget ${budget} limits this plan; change or delete it first`)
}

function nameTaken(name: string): Refusal {
  return refusal('conflict', `another plan is called ${name}`, { errors: { name: ['is taken'] } })
}
