import type { AuditActor } from '../audit/entry.ts'
import type { Caller } from './actor.ts'

/** A dashboard caller as the audit log names them. */
export function auditActor({ actor, address }: Caller): AuditActor {
  return { id: actor.id, email: actor.email, ip: address }
}
