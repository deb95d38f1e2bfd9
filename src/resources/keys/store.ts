import { and, asc, count, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import { likePattern } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'
import type { Page } from '../../http/pagination.ts'
import { invalid, type Refusal, refusal } from '../../http/refusal.ts'
import { accounts } from '../accounts/table.ts'
import { users } from '../auth/table.ts'
import type { KeysOnPlans } from '../plans/store.ts'
import { plans } from '../plans/table.ts'
import { unknownSkill } from '../skills/store.ts'
import type { StoredKey } from './key.ts'
import { keys, keySkills } from './table.ts'

export const KEY_SORTS = ['created_at', 'name', 'last_used_at', 'expires_at'] as const
export type KeySort = (typeof KEY_SORTS)[number]

export interface KeyFilter {
  readonly planId?: string | undefined
}

/** When and from where a key was last used. */
export interface LastUse {
  readonly atMs: number
  readonly ip: string | null
}

type Queries = Pick<Db, 'select' | 'insert' | 'update' | 'delete'>
type Row = typeof keys.$inferSelect

const SORT_COLUMNS = {
  created_at: keys.createdAtMs,
  name: keys.name,
  last_used_at: keys.lastUsedAtMs,
  expires_at: keys.expiresAtMs,
} as const satisfies Record<KeySort, unknown>

export class KeyStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async all(): Promise<readonly StoredKey[]> {
    return withSkills(this.#db, this.#db.select().from(keys).orderBy(asc(keys.createdAtMs), asc(keys.id)).all())
  }

  async page(
    { offset, limit, q, sort, order }: Page<KeySort>,
    { planId }: KeyFilter,
  ): Promise<{ items: readonly StoredKey[]; total: number }> {
    const where = and(
      q === undefined ? undefined : matching(q),
      planId === undefined ? undefined : eq(keys.planId, planId),
    )
    const direction = order === 'asc' ? asc : desc
    const total = this.#db.select({ total: count() }).from(keys).where(where).get()?.total ?? 0
    const rows = this.#db.select().from(keys).where(where).orderBy(direction(SORT_COLUMNS[sort]), direction(keys.id))
    return { items: withSkills(this.#db, rows.limit(limit).offset(offset).all()), total }
  }

  async get(id: string): Promise<StoredKey | undefined> {
    return find(this.#db, id)
  }

  /** Refusals: `conflict` when the secret is another key's, `invalid` when what it names (owner, plan, account, skill) does not exist. */
  async insert(key: StoredKey): Promise<Result<StoredKey, Refusal>> {
    return this.#db.transaction((tx) => {
      const problem = dangling(tx, key, null) ?? clash(tx, key)
      if (problem !== undefined) return err(problem)
      tx.insert(keys).values(rowOf(key)).run()
      linkSkills(tx, key)
      return ok(key)
    })
  }

  /**
   * Reads, lets `change` decide and writes, as one act. Refusals: `missing`, whatever `change` refuses, and those of `insert`.
   */
  async change(
    id: string,
    change: (key: StoredKey) => Result<StoredKey, Refusal>,
  ): Promise<Result<{ before: StoredKey; after: StoredKey }, Refusal>> {
    return this.#db.transaction((tx) => {
      const before = find(tx, id)
      if (before === undefined) return err(noSuchKey())
      const after = change(before)
      if (!after.ok) return after
      const problem = dangling(tx, after.value, before)
      if (problem !== undefined) return err(problem)
      tx.update(keys).set(rowOf(after.value)).where(eq(keys.id, id)).run()
      linkSkills(tx, after.value)
      return ok({ before, after: after.value })
    })
  }

  /** The key as it was. Refusals: `missing`, and that of `objection`. */
  async remove(id: string, objection: (key: StoredKey) => Refusal | undefined): Promise<Result<StoredKey, Refusal>> {
    return this.#db.transaction((tx) => {
      const key = find(tx, id)
      if (key === undefined) return err(noSuchKey())
      const refused = objection(key)
      if (refused !== undefined) return err(refused)
      tx.delete(keys).where(eq(keys.id, id)).run()
      return ok(key)
    })
  }

  /** Notes uses in one go; neither version nor time of change moves. */
  async noteUses(uses: ReadonlyMap<string, LastUse>): Promise<void> {
    this.#db.transaction((tx) => {
      for (const [id, { atMs, ip }] of uses) {
        tx.update(keys).set({ lastUsedAtMs: atMs, lastIp: ip }).where(eq(keys.id, id)).run()
      }
    })
  }

  /** Forgets every sealed copy, for good. Returns how many there were. */
  async forgetCopies(): Promise<number> {
    return this.#db.update(keys).set({ sealedSecret: null }).where(isNotNull(keys.sealedSecret)).returning().all()
      .length
  }
}

export function noSuchKey(): Refusal {
  return refusal('missing', 'there is no such key')
}

function matching(q: string): SQL {
  const pattern = likePattern(q)
  return sql`(${keys.name} LIKE ${pattern} ESCAPE '\\' OR ${keys.prefix} LIKE ${pattern} ESCAPE '\\')`
}

function find(db: Queries, id: string): StoredKey | undefined {
  const row = db.select().from(keys).where(eq(keys.id, id)).get()
  return row === undefined ? undefined : withSkills(db, [row])[0]
}

function withSkills(db: Queries, rows: readonly Row[]): readonly StoredKey[] {
  const ids = rows.map(({ id }) => id)
  const links = db.select().from(keySkills).where(inArray(keySkills.keyId, ids)).orderBy(asc(keySkills.position)).all()
  const byKey = Map.groupBy(links, ({ keyId }) => keyId)
  return rows.map((row) => ({ ...row, skillIds: (byKey.get(row.id) ?? []).map(({ skillId }) => skillId) }))
}

/** The columns; `skillIds` comes along and is left out by the query builder, which goes by the table. */
function rowOf(key: StoredKey): typeof keys.$inferInsert {
  const copy = (list: readonly string[] | null) => (list === null ? null : [...list])
  return {
    ...key,
    ipAllowlist: [...key.ipAllowlist],
    modelsAllow: copy(key.modelsAllow),
    modelsDeny: copy(key.modelsDeny),
    endpointsAllow: copy(key.endpointsAllow),
    tags: { ...key.tags },
  }
}

function linkSkills(db: Queries, { id, skillIds }: StoredKey): void {
  db.delete(keySkills).where(eq(keySkills.keyId, id)).run()
  for (const [position, skillId] of skillIds.entries()) {
    db.insert(keySkills).values({ keyId: id, skillId, position }).run()
  }
}

/** What it names and is not there. Accounts that went since they were named stay named: the key may use none in their place. */
function dangling(db: Queries, key: StoredKey, before: StoredKey | null): Refusal | undefined {
  const { ownerId, planId, skillIds } = key
  const owner = ownerId === null ? true : db.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).get()
  if (owner === undefined) return invalid({ owner_id: ['is not the id of a user'] })
  const plan = planId === null ? true : db.select({ id: plans.id }).from(plans).where(eq(plans.id, planId)).get()
  if (plan === undefined) return invalid({ plan_id: ['is not the id of a plan'] })
  const account = unknownAccount(
    db,
    (key.accountIds ?? []).filter((id) => before?.accountIds?.includes(id) !== true),
  )
  if (account !== undefined) return invalid({ account_ids: [`there is no account ${account}`] })
  const skill = unknownSkill(db, skillIds)
  return skill === undefined ? undefined : invalid({ skill_ids: [`there is no skill ${skill}`] })
}

function unknownAccount(db: Queries, ids: readonly string[]): string | undefined {
  const known = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]))
    .all()
  return ids.find((id) => !known.some((account) => account.id === id))
}

/** Neither a current secret nor one still in its grace may be given twice. */
function clash(db: Queries, { secretHash }: StoredKey): Refusal | undefined {
  const other = db
    .select({ id: keys.id })
    .from(keys)
    .where(sql`${keys.secretHash} = ${secretHash} OR ${keys.previousHash} = ${secretHash}`)
    .get()
  if (other === undefined) return undefined
  return refusal('conflict', 'another key has this secret', { errors: { secret: ['is taken'] } })
}

/** For plans, within a transaction of theirs. */
export const keysOnPlans: KeysOnPlans = {
  count: (db, planId) => db.select({ keys: count() }).from(keys).where(eq(keys.planId, planId)).get()?.keys ?? 0,
  move: (db, fromPlanId, toPlanId, atMs) => {
    db.update(keys)
      .set({ planId: toPlanId, updatedAtMs: atMs, version: sql`${keys.version} + 1` })
      .where(eq(keys.planId, fromPlanId))
      .run()
  },
}
