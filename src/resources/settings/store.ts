import { eq } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import type { Db } from '../../db/open.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { Overrides } from './settings.ts'
import { settings } from './table.ts'

const ID = 'settings'

export interface StoredSettings {
  readonly overrides: Overrides
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

export class SettingsStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** The settings; made with no overrides at the very first start. */
  async load(nowMs: number): Promise<StoredSettings> {
    const fresh = { id: ID, overrides: {}, createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    this.#db.insert(settings).values(fresh).onConflictDoNothing().run()
    return this.#db.select().from(settings).where(eq(settings.id, ID)).get() ?? fresh
  }

  /** Reads, lets `change` decide and writes, as one act. */
  async change(
    nowMs: number,
    change: (current: StoredSettings) => Result<Overrides, Refusal>,
  ): Promise<Result<{ before: StoredSettings; after: StoredSettings }, Refusal>> {
    return this.#db.transaction((tx) => {
      const row = tx.select().from(settings).where(eq(settings.id, ID)).get()
      const before = row ?? { overrides: {}, createdAtMs: nowMs, updatedAtMs: nowMs, version: 0 }
      const overrides = change(before)
      if (!overrides.ok) return err(overrides.error)
      const after = revised(before, { ...before, overrides: overrides.value }, nowMs)
      tx.update(settings).set(after).where(eq(settings.id, ID)).run()
      return ok({ before, after })
    })
  }
}
