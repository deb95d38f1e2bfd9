import { asc, inArray, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import type { Db } from '../../db/open.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { PricingOverride } from './pricing-override.ts'
import { pricingOverrides } from './table.ts'

/** Pricing overrides in `config.sqlite`. Each method is one atomic act. */
export class PricingOverrideStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** In creation order. */
  async all(): Promise<readonly PricingOverride[]> {
    return selectAll(this.#db)
  }

  /** Refusal: whatever `problem` has against it beside those there are. */
  async insert(
    override: PricingOverride,
    problem: (others: readonly PricingOverride[]) => Refusal | undefined,
  ): Promise<Result<undefined, Refusal>> {
    return this.#db.transaction((tx) => {
      const refused = problem(selectAll(tx))
      if (refused !== undefined) return err(refused)
      tx.insert(pricingOverrides).values(override).run()
      return ok(undefined)
    })
  }

  /** Those of `selected` that were there, as they were. */
  async remove(selected: (override: PricingOverride) => boolean): Promise<readonly PricingOverride[]> {
    return this.#db.transaction((tx) => {
      const gone = selectAll(tx).filter(selected)
      for (let at = 0; at < gone.length; at += IDS_MAX) {
        const ids = gone.slice(at, at + IDS_MAX).map(({ id }) => id)
        tx.delete(pricingOverrides).where(inArray(pricingOverrides.id, ids)).run()
      }
      return gone
    })
  }
}

/** Of one statement. */
const IDS_MAX = 500

function selectAll(db: Pick<Db, 'select'>): readonly PricingOverride[] {
  return db
    .select()
    .from(pricingOverrides)
    .orderBy(asc(pricingOverrides.createdAtMs), asc(sql`rowid`))
    .all()
}
