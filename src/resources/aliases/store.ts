import { asc, eq, sql } from 'drizzle-orm'
import type { Result } from '../../core/result.ts'
import type { Db } from '../../db/open.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { Alias } from './alias.ts'
import { aliases } from './table.ts'

/** One alias before and after a write; undefined where there is none. */
export type AliasChange =
  { readonly before: Alias | undefined; readonly after: Alias } | { readonly before: Alias; readonly after: undefined }

export class AliasStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** In creation order. */
  async all(): Promise<readonly Alias[]> {
    return storedAliases(this.#db)
  }

  /** Reads all, lets `decide` judge and writes all that it says or nothing. Refusal: whatever `decide` refuses. */
  async write(
    decide: (all: readonly Alias[]) => Result<readonly AliasChange[], Refusal>,
  ): Promise<Result<readonly AliasChange[], Refusal>> {
    return this.#db.transaction((tx) => {
      const changes = decide(storedAliases(tx))
      if (!changes.ok) return changes
      for (const { before } of changes.value)
        if (before !== undefined) tx.delete(aliases).where(eq(aliases.id, before.id)).run()
      for (const { after } of changes.value) if (after !== undefined) tx.insert(aliases).values(after).run()
      return changes
    })
  }
}

/** In creation order, as they are now; for rules that look at them within a transaction of their own. */
export function storedAliases(db: Pick<Db, 'select'>): readonly Alias[] {
  return db
    .select()
    .from(aliases)
    .orderBy(asc(aliases.createdAtMs), asc(sql`rowid`))
    .all()
}
