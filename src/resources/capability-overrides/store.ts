import { asc, eq, inArray } from 'drizzle-orm'
import { ok, type Result } from '../../core/result.ts'
import type { Db } from '../../db/open.ts'
import type { Refusal } from '../../http/refusal.ts'
import { type CapabilityOverride, type ModelPlace, overrideId } from './override.ts'
import { capabilityOverrides } from './table.ts'

type Before = (place: ModelPlace) => CapabilityOverride | undefined

/** One model's override before and after a write; undefined where it has none. */
export interface OverrideChange extends ModelPlace {
  readonly before: CapabilityOverride | undefined
  readonly after: CapabilityOverride | undefined
}

/** Which overrides an act is about. */
export type OverrideScope = 'all' | { readonly provider: string } | ModelPlace

export class CapabilityOverrideStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** By id. */
  async all(): Promise<readonly CapabilityOverride[]> {
    return this.#db.select().from(capabilityOverrides).orderBy(asc(capabilityOverrides.id)).all()
  }

  /** Reads, lets `decide` judge all of them and writes all or none. Refusal: whatever `decide` refuses. */
  async write(
    places: readonly ModelPlace[],
    decide: (before: Before) => Result<readonly OverrideChange[], Refusal>,
  ): Promise<Result<readonly OverrideChange[], Refusal>> {
    return this.#db.transaction((tx) => {
      const rows = tx
        .select()
        .from(capabilityOverrides)
        .where(inArray(capabilityOverrides.id, places.map(overrideId)))
        .all()
      const befores = new Map(rows.map((row) => [row.id, row]))
      const decided = decide((place) => befores.get(overrideId(place)))
      if (!decided.ok) return decided
      for (const { before, after } of decided.value) {
        if (before !== undefined) tx.delete(capabilityOverrides).where(eq(capabilityOverrides.id, before.id)).run()
        if (after !== undefined) tx.insert(capabilityOverrides).values(after).run()
      }
      return ok(decided.value)
    })
  }

  /** Those that were there. */
  async remove(scope: OverrideScope): Promise<readonly CapabilityOverride[]> {
    return this.#db.delete(capabilityOverrides).where(conditionOf(scope)).returning().all()
  }
}

function conditionOf(scope: OverrideScope) {
  if (scope === 'all') return undefined
  return 'model' in scope
    ? eq(capabilityOverrides.id, overrideId(scope))
    : eq(capabilityOverrides.provider, scope.provider)
}
