import { asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import { likePattern } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'
import type { Page } from '../../http/pagination.ts'
import { type Refusal, refusal } from '../../http/refusal.ts'
import type { Skill } from './skill.ts'
import { skills } from './table.ts'

export const SKILL_SORTS = ['created_at', 'name', 'updated_at'] as const
export type SkillSort = (typeof SKILL_SORTS)[number]

const SORT_COLUMNS = {
  created_at: skills.createdAtMs,
  name: skills.name,
  updated_at: skills.updatedAtMs,
} as const satisfies Record<SkillSort, unknown>

/** Rows of one millisecond keep the order in which they came. */
const ARRIVAL = sql`rowid`

export class SkillStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** In creation order. */
  async all(): Promise<readonly Skill[]> {
    return this.#db.select().from(skills).orderBy(asc(skills.createdAtMs), asc(ARRIVAL)).all()
  }

  async page({ offset, limit, q, sort, order }: Page<SkillSort>): Promise<{ items: readonly Skill[]; total: number }> {
    const where = q === undefined ? undefined : matching(q)
    const direction = order === 'asc' ? asc : desc
    const total = this.#db.select({ total: count() }).from(skills).where(where).get()?.total ?? 0
    const rows = this.#db.select().from(skills).where(where).orderBy(direction(SORT_COLUMNS[sort]), direction(ARRIVAL))
    return { items: rows.limit(limit).offset(offset).all(), total }
  }

  async insert(skill: Skill): Promise<void> {
    this.#db.insert(skills).values(skill).run()
  }

  /** Reads, lets `change` decide and writes, as one act. Refusals: `missing`, and whatever `change` refuses. */
  async change(
    id: string,
    change: (skill: Skill) => Result<Skill, Refusal>,
  ): Promise<Result<{ before: Skill; after: Skill }, Refusal>> {
    return this.#db.transaction((tx) => {
      const before = tx.select().from(skills).where(eq(skills.id, id)).get()
      if (before === undefined) return err(noSuchSkill())
      const after = change(before)
      if (!after.ok) return after
      tx.update(skills).set(after.value).where(eq(skills.id, id)).run()
      return ok({ before, after: after.value })
    })
  }

  /** The skill as it was. Keys that named it lose it in the same act. Refusals: `missing`, and that of `objection`. */
  async remove(id: string, objection: (skill: Skill) => Refusal | undefined): Promise<Result<Skill, Refusal>> {
    return this.#db.transaction((tx) => {
      const skill = tx.select().from(skills).where(eq(skills.id, id)).get()
      if (skill === undefined) return err(noSuchSkill())
      const refused = objection(skill)
      if (refused !== undefined) return err(refused)
      tx.delete(skills).where(eq(skills.id, id)).run()
      return ok(skill)
    })
  }
}

export function noSuchSkill(): Refusal {
  return refusal('missing', 'there is no such skill')
}

function matching(q: string): SQL {
  const pattern = likePattern(q)
  return sql`(${skills.name} LIKE ${pattern} ESCAPE '\\' OR ${skills.description} LIKE ${pattern} ESCAPE '\\')`
}

/** The first of these ids that is no skill's, for whoever names skills within a transaction of its own. */
export function unknownSkill(db: Pick<Db, 'select'>, ids: readonly string[]): string | undefined {
  const known = db
    .select({ id: skills.id })
    .from(skills)
    .where(inArray(skills.id, [...ids]))
    .all()
  return ids.find((id) => !known.some((skill) => skill.id === id))
}
