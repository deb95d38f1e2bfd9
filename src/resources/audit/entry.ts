import { createHmac } from 'node:crypto'

/** Who did it; all null for the program itself. */
export interface AuditActor {
  readonly id: string | null
  readonly email: string | null
  readonly ip: string | null
}

export interface AuditObject {
  readonly type: string
  readonly id: string | null
  readonly name: string | null
}

/** What happened. Never holds a secret: callers mask before they record. */
export interface AuditRecord {
  readonly actor: AuditActor
  /** A verb of the resource, as in `key.reveal`. */
  readonly action: string
  readonly object: AuditObject
  readonly before?: unknown
  readonly after?: unknown
  readonly requestId: string | null
  readonly outcome: 'ok' | 'refused'
}

/** Whose act it was, and by which request. */
export type ActedBy = Pick<AuditRecord, 'actor' | 'requestId'>

export interface AuditEntry extends AuditRecord {
  readonly seq: number
  readonly id: string
  readonly atMs: number
  readonly prevHash: string
  readonly hash: string
}

/** The hash before the first entry. */
export const GENESIS = '0'.repeat(64)

/** The MAC of an entry over all of its fields and the hash before it: a change, a gap or a swap breaks the chain. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>, key: Uint8Array): string {
  const { seq, id, atMs, actor, action, object, before, after, requestId, outcome, prevHash } = entry
  const who = [actor.id, actor.email, actor.ip]
  const what = [object.type, object.id, object.name, jsonOf(before), jsonOf(after)]
  return createHmac('sha256', key)
    .update(JSON.stringify([seq, id, atMs, ...who, action, ...what, requestId, outcome, prevHash]))
    .digest('hex')
}

/** As the column holds it, so that an entry hashes alike before it is written and after it is read. */
function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
