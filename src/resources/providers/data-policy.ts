/** What becomes of requests at a provider, on the wire. Null: nobody says, and then it does not count as kept. */
import { type Static, Type } from '@sinclair/typebox'
import type { DataPolicy } from '../../catalog/provider.ts'
import { nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'

const RETENTION_DAYS_MAX = 36_500

export const DataPolicyField = Type.Object(
  {
    trains: optional(Type.Boolean({ description: 'whether models learn from requests' })),
    retention_days: optional(
      Type.Integer({ minimum: 0, maximum: RETENTION_DAYS_MAX, description: 'how long they are kept at most' }),
    ),
    zdr: optional(Type.Boolean({ description: 'nothing of them is kept once they are answered' })),
  },
  { ...CLOSED, description: 'what becomes of requests there; what is left out or null, nobody says' },
)

export const DataPolicyWire = Type.Object(
  {
    trains: nullable(Type.Boolean()),
    retention_days: nullable(Type.Integer({ minimum: 0 })),
    zdr: nullable(Type.Boolean()),
  },
  { ...CLOSED, description: 'what the vendor says, if nothing else is agreed with it; null: it does not say' },
)

export function readDataPolicy(sent: Static<typeof DataPolicyField>): DataPolicy {
  const { trains = null, retention_days: retentionDays = null, zdr = null } = sent
  return {
    ...(trains !== null && { trains }),
    ...(retentionDays !== null && { retentionDays }),
    ...(zdr !== null && { zdr }),
  }
}

export function dataPolicyToWire(policy: DataPolicy = {}): Static<typeof DataPolicyWire> {
  const { trains = null, retentionDays = null, zdr = null } = policy
  return { trains, retention_days: retentionDays, zdr }
}
