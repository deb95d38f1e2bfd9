import { asc, count, eq, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import type { Db } from '../../db/open.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'
import type { Budget } from './budget.ts'
import { budgets } from './table.ts'

/** Each write hands all of them to the ledger anew. */
export const BUDGETS_MAX = 1_000

/** Budgets in `config.sqlite`. Each method is one atomic act. */
export class BudgetStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** In creation order. */
  async all(): Promise<readonly Budget[]> {
    return storedBudgets(this.#db)
  }

  /** Refusal: `conflict` when there are too many. */
  async insert(budget: Budget): Promise<Result<undefined, Refusal>> {
    return this.#db.transaction((tx) => {
      const total = tx.select({ total: count() }).from(budgets).get()?.total ?? 0
      if (total >= BUDGETS_MAX) return err(TOO_MANY)
      tx.insert(budgets).values(budget).run()
      return ok(undefined)
    })
  }

  /** Reads, lets `decide` judge and writes. Refusals: `missing`, and whatever `decide` refuses. */
  async change(
    id: string,
    decide: (before: Budget) => Result<Budget, Refusal>,
  ): Promise<Result<{ readonly before: Budget; readonly after: Budget }, Refusal>> {
    return this.#db.transaction((tx) => {
      const before = tx.select().from(budgets).where(eq(budgets.id, id)).get()
      if (before === undefined) return err(NO_SUCH_BUDGET)
      const after = decide(before)
      if (!after.ok) return after
      tx.update(budgets).set(after.value).where(eq(budgets.id, id)).run()
      return ok({ before, after: after.value })
    })
  }

  /** The budget as it was. Refusals: `missing`, and that of `objection`. */
  async remove(id: string, objection: (budget: Budget) => Refusal | undefined): Promise<Result<Budget, Refusal>> {
    return this.#db.transaction((tx) => {
      const budget = tx.select().from(budgets).where(eq(budgets.id, id)).get()
      if (budget === undefined) return err(NO_SUCH_BUDGET)
      const refused = objection(budget)
      if (refused !== undefined) return err(refused)
      tx.delete(budgets).where(eq(budgets.id, id)).run()
      return ok(budget)
    })
  }
}

export const NO_SUCH_BUDGET = refusal('missing', 'there is no such budget')
const TOO_MANY = refusal('conflict', `there may be at most ${BUDGETS_MAX} budgets`)

/** In creation order, as they are now; for rules that look at them within a transaction of their own. */
export function storedBudgets(db: Pick<Db, 'select'>): readonly Budget[] {
  return db
    .select()
    .from(budgets)
    .orderBy(asc(budgets.createdAtMs), asc(sql`rowid`))
    .all()
}
