import type { Caller } from '../auth/actor.ts'
import type { AuditActor } from './entry.ts'

/** A dashboard caller as the audit log names them. */
export function auditActor({ actor, address }: Caller): AuditActor {
  return { id: actor.id, email: actor.email, ip: address }
}
