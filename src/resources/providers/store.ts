import { eq } from 'drizzle-orm'
import type { ModelSpec } from '../../catalog/provider.ts'
import type { Db } from '../../db/open.ts'
import { providerModels } from './table.ts'

/** A provider's own list of models, by id. */
export interface SyncedModels {
  readonly models: ReadonlyMap<string, ModelSpec>
  readonly syncedAtMs: number
}

export class SyncedModelStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** By provider. */
  async all(): Promise<ReadonlyMap<string, SyncedModels>> {
    const rows = this.#db.select().from(providerModels).all()
    return new Map(rows.map(({ provider, models, syncedAtMs }) => [provider, { models: byId(models), syncedAtMs }]))
  }

  /** Puts a list in the place of the one before, which it returns. */
  async replace(provider: string, { models, syncedAtMs }: SyncedModels): Promise<SyncedModels | undefined> {
    const row = { provider, syncedAtMs, models: [...models.values()] }
    return this.#db.transaction((tx) => {
      const before = tx.select().from(providerModels).where(eq(providerModels.provider, provider)).get()
      tx.insert(providerModels).values(row).onConflictDoUpdate({ target: providerModels.provider, set: row }).run()
      return before && { models: byId(before.models), syncedAtMs: before.syncedAtMs }
    })
  }
}

/** For the act that removes a provider, inside its transaction. */
export function forgetModels(db: Pick<Db, 'delete'>, provider: string): void {
  db.delete(providerModels).where(eq(providerModels.provider, provider)).run()
}

function byId(models: readonly ModelSpec[]): ReadonlyMap<string, ModelSpec> {
  return new Map(models.map((model) => [model.id, model]))
}
