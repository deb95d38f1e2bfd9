import { asc, desc, gt } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { type AuditEntry, type AuditRecord, GENESIS, hashOf } from './entry.ts'
import { auditEntries } from './table.ts'

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

  /** Up to `limit` entries after `seq`, oldest first. */
  async after(seq: number, limit: number): Promise<readonly AuditEntry[]> {
    const rows = this.#db.select().from(auditEntries).where(gt(auditEntries.seq, seq))
    return rows.orderBy(asc(auditEntries.seq)).limit(limit).all().map(entryOf)
  }
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
