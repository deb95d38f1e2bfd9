/** The wire shapes of keys. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import type { JsonObject } from '../../core/json.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { CONTENT_LOGGING } from '../contents/content.ts'
import { EndpointsField, PatternsField } from '../plans/allow-fields.ts'
import { limitFields, limitsToWire } from '../plans/limit-fields.ts'
import { type OwnBudget, OwnBudgetWire, ownBudgetToWire } from '../plans/own-budget.ts'
import { isExpired, rotationDueAtMs, SKILLS_MODES, type StoredKey } from './key.ts'

const Tags = Type.Record(Type.String({ pattern: '^[a-z0-9_.-]{1,40}$' }), Type.String({ maxLength: 120 }), {
  ...CLOSED,
  maxProperties: 20,
})
const RotationWire = Type.Object(
  {
    every_days: Type.Integer({ minimum: 1, maximum: 365 }),
    grace_hours: optional(Type.Integer({ minimum: 0, maximum: 720, description: 'default 24' })),
  },
  CLOSED,
)

const ACCOUNTS_MAX = 1_000
/** What differs from the plan. */
const LimitsWire = Type.Object(limitFields, CLOSED)

/** What may be changed. `null` is the default; a PUT without a field means the same, a PATCH leaves it as it is. */
const writable = {
  owner_id: optional(Type.String({ maxLength: 64 })),
  status: optional(choice(['active', 'disabled'])),
  expires_at: optional(Type.String({ maxLength: 40, description: 'RFC 3339, in the future' })),
  ip_allowlist: optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 })),
  plan_id: optional(Type.String({ maxLength: 64, description: 'null: the default plan' })),
  limits: optional(LimitsWire),
  account_ids: optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: ACCOUNTS_MAX })),
  models_allow: optional(PatternsField),
  models_deny: optional(PatternsField),
  endpoints_allow: optional(EndpointsField),
  skill_ids: optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 })),
  skills_mode: optional(choice(SKILLS_MODES)),
  tags: optional(Tags),
  metadata: optional(Type.Record(Type.String(), Type.Unknown())),
  rotation: optional(RotationWire),
  log_content: optional(choice(CONTENT_LOGGING)),
  secret: optional(
    Type.String({ maxLength: 200, description: 'your own at creation; later only its masked form, for "unchanged"' }),
  ),
}
const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })

export const CreateKeyBody = Type.Object({ name: Name, ...writable }, CLOSED)
export const PutKeyBody = CreateKeyBody
export const PatchKeyBody = Type.Object({ name: Type.Optional(Name), ...writable }, CLOSED)
export const RotateKeyBody = Type.Object(
  {
    grace_hours: optional(
      Type.Integer({ minimum: 0, maximum: 720, description: 'default: that of `rotation`, else 24' }),
    ),
  },
  CLOSED,
)
export type KeyDraft = Static<typeof PatchKeyBody>

const fields = {
  id: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  version: Type.Integer(),
  name: Type.String(),
  prefix: Type.String(),
  secret_masked: Type.String(),
  secret_set: Type.Boolean(),
  owner_id: nullable(Type.String()),
  status: choice(['active', 'disabled', 'expired', 'over_budget']),
  expires_at: nullable(Type.String()),
  ip_allowlist: Type.Array(Type.String()),
  plan_id: nullable(Type.String()),
  limits: nullable(LimitsWire),
  account_ids: nullable(Type.Array(Type.String())),
  models_allow: nullable(Type.Array(Type.String())),
  models_deny: nullable(Type.Array(Type.String())),
  endpoints_allow: nullable(Type.Array(Type.String())),
  skill_ids: Type.Array(Type.String()),
  skills_mode: choice(SKILLS_MODES),
  tags: Type.Record(Type.String(), Type.String()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  rotation: nullable(Type.Object({ every_days: Type.Integer(), grace_hours: Type.Integer() }, CLOSED)),
  log_content: nullable(choice(CONTENT_LOGGING)),
  rotation_due_at: nullable(Type.String()),
  rotation_due: Type.Boolean(),
  budget: nullable(OwnBudgetWire),
  last_used_at: nullable(Type.String()),
  last_ip: nullable(Type.String()),
  spend_usd: Type.Number(),
  requests_total: Type.Integer(),
}

export const KeyWire = Type.Object(fields, CLOSED)
export const KeyWithSecretWire = Type.Object({ ...fields, secret: Type.String() }, CLOSED)
export const RevealedKeyWire = Type.Object({ id: Type.String(), secret: Type.String() }, CLOSED)

/** What a key has been used for, over its life. */
export interface KeyUsage {
  readonly requests: number
  readonly costUsd: number
}

/** How the spending of a key stands. */
export interface KeySpending {
  /** A budget that the key falls under is spent, its own or another one. */
  readonly isOver: boolean
  /** Null: neither the key nor its plan has an amount. */
  readonly budget: OwnBudget | null
}

export function keyToWire(
  key: StoredKey,
  usage: KeyUsage,
  { isOver, budget }: KeySpending,
  nowMs: number,
): Static<typeof KeyWire> {
  const dueAtMs = rotationDueAtMs(key)
  return {
    id: key.id,
    created_at: time(key.createdAtMs),
    updated_at: time(key.updatedAtMs),
    version: key.version,
    ...rulesToWire(key),
    prefix: key.prefix,
    secret_masked: key.secretMasked,
    secret_set: true,
    status: statusOf(key, isOver, nowMs),
    rotation_due_at: timeOrNull(dueAtMs),
    rotation_due: dueAtMs !== null && dueAtMs <= nowMs,
    budget: budget && ownBudgetToWire(budget),
    last_used_at: timeOrNull(key.lastUsedAtMs),
    last_ip: key.lastIp,
    spend_usd: usage.costUsd,
    requests_total: usage.requests,
  }
}

function statusOf(key: StoredKey, isOver: boolean, nowMs: number): Static<typeof KeyWire>['status'] {
  if (key.status !== 'active') return key.status
  if (isExpired(key, nowMs)) return 'expired'
  return isOver ? 'over_budget' : 'active'
}

/** The rules alone, as reads show them and the audit log compares them. */
export function rulesToWire(key: StoredKey) {
  return {
    name: key.name,
    owner_id: key.ownerId,
    status: key.status,
    expires_at: timeOrNull(key.expiresAtMs),
    ip_allowlist: [...key.ipAllowlist],
    plan_id: key.planId,
    limits: key.limits && limitsToWire(key.limits),
    account_ids: copyOrNull(key.accountIds),
    models_allow: copyOrNull(key.modelsAllow),
    models_deny: copyOrNull(key.modelsDeny),
    endpoints_allow: copyOrNull(key.endpointsAllow),
    skill_ids: [...key.skillIds],
    skills_mode: key.skillsMode,
    tags: { ...key.tags },
    metadata: { ...(key.metadata satisfies JsonObject) },
    log_content: key.logContent,
    rotation: key.rotation && { every_days: key.rotation.everyDays, grace_hours: key.rotation.graceHours },
  }
}

function copyOrNull(list: readonly string[] | null): string[] | null {
  return list === null ? null : [...list]
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : time(ms)
}
