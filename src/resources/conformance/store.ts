import { eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { Conformance } from './conformance.ts'
import { conformance } from './table.ts'

export class ConformanceStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async all(): Promise<readonly Conformance[]> {
    return this.#db.select().from(conformance).all()
  }

  /** Puts a report in the place of the one before. */
  async replace(report: Conformance): Promise<void> {
    const row = { ...report, endpoints: [...report.endpoints] }
    this.#db.insert(conformance).values(row).onConflictDoUpdate({ target: conformance.provider, set: row }).run()
  }

  async remove(provider: string): Promise<void> {
    this.#db.delete(conformance).where(eq(conformance.provider, provider)).run()
  }
}
