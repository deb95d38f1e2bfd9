import { type Static, Type } from '@sinclair/typebox'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { pageQuerySchema } from '../../http/pagination.ts'
import type { AuditEntry } from './entry.ts'
import { AUDIT_SORTS } from './store.ts'

const FILTER_LENGTH_MAX = 200

const Filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: FILTER_LENGTH_MAX, description }))
const Word = nullable(Type.String())

export const AuditQuery = pageQuerySchema(AUDIT_SORTS, {
  actor: Filter('id or e-mail address'),
  action: Filter('such as key.reveal'),
  object_type: Filter('such as key'),
  from: Type.Optional(Type.String({ description: 'RFC 3339; included' })),
  to: Type.Optional(Type.String({ description: 'RFC 3339; included' })),
})

/** What was recorded beside the entry is shown as it was recorded: whoever records masks secrets first. */
export const AuditWire = Type.Object(
  {
    id: Type.String(),
    seq: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    actor: Type.Object({ id: Word, email: Word, ip: Word }, CLOSED),
    action: Type.String(),
    object: Type.Object({ type: Type.String(), id: Word, name: Word }, CLOSED),
    before: Type.Unknown(),
    after: Type.Unknown(),
    request_id: Word,
    outcome: choice(['ok', 'refused']),
    prev_hash: Type.String(),
    hash: Type.String(),
  },
  CLOSED,
)

export function auditToWire(entry: AuditEntry): Static<typeof AuditWire> {
  const { id, seq, actor, action, object, outcome, hash } = entry
  return {
    id,
    seq,
    at: new Date(entry.atMs).toISOString(),
    actor: { ...actor },
    action,
    object: { ...object },
    before: entry.before ?? null,
    after: entry.after ?? null,
    request_id: entry.requestId,
    outcome,
    prev_hash: entry.prevHash,
    hash,
  }
}
