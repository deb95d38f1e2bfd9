import type { ActedBy } from '../audit/entry.ts'
import type { Acting } from './actor.ts'

/** Whoever acts as the audit log names them. */
export function actedBy({ actor, address, requestId }: Acting): ActedBy {
  return { actor: { id: actor?.id ?? null, email: actor?.email ?? null, ip: address }, requestId }
}
