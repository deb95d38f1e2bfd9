import { inArray } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { Quota } from './quota.ts'
import { quotas } from './telemetry-table.ts'

/** Quotas in `telemetry.sqlite`. Each method is one atomic act. */
export class QuotaStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async all(): Promise<readonly Quota[]> {
    return this.#db.select().from(quotas).all()
  }

  /** New ones and changed ones alike; `gone`: ids of those to remove. */
  async save(changed: readonly Quota[], gone: readonly string[]): Promise<void> {
    this.#db.transaction((tx) => {
      if (gone.length > 0)
        tx.delete(quotas)
          .where(inArray(quotas.id, [...gone]))
          .run()
      for (const quota of changed) {
        const row = { ...quota, history: [...quota.history] }
        tx.insert(quotas).values(row).onConflictDoUpdate({ target: quotas.id, set: row }).run()
      }
    })
  }
}
