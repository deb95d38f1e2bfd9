import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import type { Db } from '../../db/open.ts'
import { invalid, type Refusal, refusal } from '../../http/refusal.ts'
import { unknownSkill } from '../skills/store.ts'
import { NO_LIMITS } from './limits.ts'
import type { Plan } from './plan.ts'
import { plans, planSkills } from './table.ts'

type Queries = Pick<Db, 'select' | 'insert' | 'update' | 'delete'>

/** What plans ask of the keys on them, within a transaction of theirs. */
export interface KeysOnPlans {
  count(db: Queries, planId: string): number
  move(db: Queries, fromPlanId: string, toPlanId: string, atMs: number): void
}

/** A plan that went, and where its keys are now. */
export interface RemovedPlan {
  readonly plan: Plan
  /** Null where none was asked for. */
  readonly movedTo: Plan | null
  readonly keys: number
}

/**
 * Plans in `config.sqlite`. Each method is one atomic act; `decide` sees what is stored at that moment. The query builder goes by the
 * table, so what a plan has besides its columns stays behind.
 */
export class PlanStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** In creation order. */
  async all(): Promise<readonly Plan[]> {
    return storedPlans(this.#db)
  }

  /** Refusals: what `decide` refuses, and `invalid` for a skill that does not exist. */
  async insert(decide: (all: readonly Plan[]) => Result<Plan, Refusal>): Promise<Result<Plan, Refusal>> {
    return this.#db.transaction((tx) => {
      const decided = decide(storedPlans(tx))
      const plan = decided.ok ? withKnownSkills(tx, decided.value) : decided
      if (!plan.ok) return plan
      tx.insert(plans).values(plan.value).run()
      settle(tx, plan.value)
      return plan
    })
  }

  /** Refusals: `missing`, and those of `insert`. */
  async change(
    id: string,
    decide: (before: Plan, all: readonly Plan[]) => Result<Plan, Refusal>,
  ): Promise<Result<{ readonly before: Plan; readonly after: Plan }, Refusal>> {
    return this.#db.transaction((tx) => {
      const all = storedPlans(tx)
      const before = all.find((plan) => plan.id === id)
      if (before === undefined) return err(NO_SUCH_PLAN)
      const decided = decide(before, all)
      const after = decided.ok ? withKnownSkills(tx, decided.value) : decided
      if (!after.ok) return after
      tx.update(plans).set(after.value).where(eq(plans.id, id)).run()
      settle(tx, after.value)
      return ok({ before, after: after.value })
    })
  }

  /** Refusals: `missing`; `invalid` for a plan to move keys to that is none; `conflict` while keys are on it otherwise; that of `objection`. */
  async remove(
    id: string,
    reassignTo: string | null,
    keys: KeysOnPlans,
    atMs: number,
    objection: (plan: Plan) => Refusal | undefined,
  ): Promise<Result<RemovedPlan, Refusal>> {
    return this.#db.transaction((tx) => {
      const all = storedPlans(tx)
      const plan = all.find((one) => one.id === id)
      if (plan === undefined) return err(NO_SUCH_PLAN)
      const refused = objection(plan)
      if (refused !== undefined) return err(refused)
      const movedTo = all.find((one) => one.id === reassignTo && one.id !== id) ?? null
      if (reassignTo !== null && movedTo === null)
        return err(invalid({ reassign_to: ['is not the id of another plan'] }))
      const count = keys.count(tx, id)
      if (movedTo !== null) keys.move(tx, id, movedTo.id, atMs)
      else if (count > 0) return err(stillUsed(count))
      tx.delete(plans).where(eq(plans.id, id)).run()
      return ok({ plan, movedTo, keys: count })
    })
  }
}

export const NO_SUCH_PLAN = refusal('missing', 'there is no such plan')

/** In creation order, as they are now; for rules that look at them within a transaction of their own. */
export function storedPlans(db: Pick<Db, 'select'>): readonly Plan[] {
  const links = db.select().from(planSkills).orderBy(asc(planSkills.position)).all()
  const byPlan = Map.groupBy(links, ({ planId }) => planId)
  const rows = db
    .select()
    .from(plans)
    .orderBy(asc(plans.createdAtMs), asc(sql`rowid`))
    .all()
  return rows.map((row) => ({
    ...row,
    limits: { ...NO_LIMITS, ...row.limits },
    skillIds: (byPlan.get(row.id) ?? []).map(({ skillId }) => skillId),
  }))
}

function withKnownSkills(db: Queries, plan: Plan): Result<Plan, Refusal> {
  const unknown = unknownSkill(db, plan.skillIds)
  return unknown === undefined ? ok(plan) : err(invalid({ skill_ids: [`there is no skill ${unknown}`] }))
}

/** What follows a plan that was written: its skills, and that no other is the default. */
function settle(db: Queries, { id, isDefault, skillIds, updatedAtMs }: Plan): void {
  db.delete(planSkills).where(eq(planSkills.planId, id)).run()
  for (const [position, skillId] of skillIds.entries()) {
    db.insert(planSkills).values({ planId: id, skillId, position }).run()
  }
  if (!isDefault) return
  const others = and(ne(plans.id, id), eq(plans.isDefault, true))
  db.update(plans)
    .set({ isDefault: false, updatedAtMs, version: sql`${plans.version} + 1` })
    .where(others)
    .run()
}

function stillUsed(keys: number): Refusal {
  const are = keys === 1 ? 'key is' : 'keys are'
  return refusal('conflict', `${keys} ${are} on this plan; name another one for them with ?reassign_to=`)
}
