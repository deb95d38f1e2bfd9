import { asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { contents } from './telemetry-table.ts'

export interface SealedContent {
  readonly requestId: string
  readonly atMs: number
  readonly bytes: number
  readonly sealed: string
}

/** A step is over within a few milliseconds: nothing else is written meanwhile. */
const REMOVED_AT_ONCE_MAX = 200

/** Contents in `telemetry.sqlite`. Each method is one atomic act. */
export class ContentStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async insert(rows: readonly SealedContent[]): Promise<void> {
    this.#db.transaction((tx) => {
      for (const row of rows) tx.insert(contents).values(row).onConflictDoNothing().run()
    })
  }

  async get(requestId: string): Promise<SealedContent | undefined> {
    return this.#db.select().from(contents).where(eq(contents.requestId, requestId)).get()
  }

  /** Bytes of all that is kept. */
  async bytes(): Promise<number> {
    const [row] = this.#db
      .select({ bytes: sql<number>`coalesce(sum(${contents.bytes}), 0)` })
      .from(contents)
      .all()
    return row?.bytes ?? 0
  }

  /** Some of those before a moment, the oldest first; no rows: there are none left. */
  async removeBefore(atMs: number): Promise<{ readonly rows: number; readonly bytes: number }> {
    return this.#db.transaction((tx) => {
      const oldest = tx
        .select({ id: contents.requestId, bytes: contents.bytes })
        .from(contents)
        .where(lt(contents.atMs, atMs))
        .orderBy(asc(contents.atMs))
        .limit(REMOVED_AT_ONCE_MAX)
        .all()
      const ids = oldest.map(({ id }) => id)
      if (ids.length > 0) tx.delete(contents).where(inArray(contents.requestId, ids)).run()
      return { rows: ids.length, bytes: oldest.reduce((sum, { bytes }) => sum + bytes, 0) }
    })
  }
}
