import type { AuditActor } from '../audit/entry.ts'
import type { Acting } from './actor.ts'

/** Whoever acts as the audit log names them. */
export function auditActor({ actor, address }: Acting): AuditActor {
  return { id: actor?.id ?? null, email: actor?.email ?? null, ip: address }
}
