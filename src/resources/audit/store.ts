import { and, asc, count, desc, eq, gt, gte, lte, or, type SQL, sql } from 'drizzle-orm'
import { likePattern } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'
import type { Page } from '../../http/pagination.ts'
import { type AuditEntry, type AuditRecord, GENESIS, hashOf } from './entry.ts'
import { auditEntries } from './table.ts'

/** The order of the chain is the order in time. */
export const AUDIT_SORTS = ['at'] as const

/** What the list can be narrowed to; both ends in time belong to it. */
export interface AuditFilters {
  /** Id or e-mail address. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly objectType?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

type Row = typeof auditEntries.$inferSelect

export class AuditStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Appends an entry behind the last one and seals it to it, in one transaction. */
  async append(record: AuditRecord, id: string, atMs: number, key: Uint8Array): Promise<AuditEntry> {
    return this.#db.transaction((tx) => {
      const last = tx.select().from(auditEntries).orderBy(desc(auditEntries.seq)).limit(1).get()
      const unsealed = { ...record, id, atMs, seq: (last?.seq ?? 0) + 1, prevHash: last?.hash ?? GENESIS }
      const entry = { ...unsealed, hash: hashOf(unsealed, key) }
      tx.insert(auditEntries).values(rowOf(entry)).run()
      return entry
    })
  }

  /** The last entry; undefined when there is none. */
  async last(): Promise<AuditEntry | undefined> {
    const row = this.#db.select().from(auditEntries).orderBy(desc(auditEntries.seq)).limit(1).get()
    return row === undefined ? undefined : entryOf(row)
  }

  /** Up to `limit` entries after `seq`, oldest first. */
  async after(seq: number, limit: number): Promise<readonly AuditEntry[]> {
    const rows = this.#db.select().from(auditEntries).where(gt(auditEntries.seq, seq))
    return rows.orderBy(asc(auditEntries.seq)).limit(limit).all().map(entryOf)
  }

  async page(
    filters: AuditFilters,
    { offset, limit, order, q }: Page,
  ): Promise<{ items: readonly AuditEntry[]; total: number }> {
    const where = and(...conditions(filters), q === undefined ? undefined : containing(q))
    const direction = order === 'asc' ? asc : desc
    const rows = this.#db.select().from(auditEntries).where(where).orderBy(direction(auditEntries.seq))
    return { items: rows.limit(limit).offset(offset).all().map(entryOf), total: await this.count(where) }
  }

  async count(where?: SQL): Promise<number> {
    return this.#db.select({ total: count() }).from(auditEntries).where(where).get()?.total ?? 0
  }
}

function conditions({ actor, action, objectType, fromMs, toMs }: AuditFilters): (SQL | undefined)[] {
  return [
    actor === undefined ? undefined : or(eq(auditEntries.actorId, actor), eq(auditEntries.actorEmail, actor)),
    action === undefined ? undefined : eq(auditEntries.action, action),
    objectType === undefined ? undefined : eq(auditEntries.objectType, objectType),
    fromMs === undefined ? undefined : gte(auditEntries.atMs, fromMs),
    toMs === undefined ? undefined : lte(auditEntries.atMs, toMs),
  ]
}

function containing(q: string): SQL | undefined {
  const { action, actorEmail, actorIp, objectId, objectName, requestId } = auditEntries
  const pattern = likePattern(q)
  const columns = [action, actorEmail, actorIp, objectId, objectName, requestId]
  return or(...columns.map((column) => sql`${column} LIKE ${pattern} ESCAPE '\\'`))
}

function rowOf(entry: AuditEntry): Row {
  const { actor, object, before, after, ...rest } = entry
  return {
    ...rest,
    actorId: actor.id,
    actorEmail: actor.email,
    actorIp: actor.ip,
    objectType: object.type,
    objectId: object.id,
    objectName: object.name,
    before: before ?? null,
    after: after ?? null,
  }
}

function entryOf(row: Row): AuditEntry {
  const { actorId, actorEmail, actorIp, objectType, objectId, objectName, ...rest } = row
  return {
    ...rest,
    actor: { id: actorId, email: actorEmail, ip: actorIp },
    object: { type: objectType, id: objectId, name: objectName },
  }
}
