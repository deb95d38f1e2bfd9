/** From what was sent to a key's rules: defaults, and the bounds that a schema cannot say. Pure. */
import { isPattern } from '../../core/model-pattern.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { parseCidr } from '../../http/cidr.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { readInstant } from '../../http/query-fields.ts'
import { limitProblems, readLimits } from '../plans/limit-fields.ts'
import type { KeyRules } from './key.ts'
import type { KeyDraft } from './schema.ts'

const METADATA_BYTES_MAX = 4_096
export const GRACE_HOURS_DEFAULT = 24

/** Everything that a new key has unless told otherwise. `planId`: the default plan, if there is one. */
export function defaultRules(name: string, ownerId: string | null, planId: string | null): KeyRules {
  return {
    name,
    ownerId,
    status: 'active',
    expiresAtMs: null,
    ipAllowlist: [],
    planId,
    limits: null,
    accountIds: null,
    modelsAllow: null,
    modelsDeny: null,
    endpointsAllow: null,
    skillIds: [],
    skillsMode: 'add',
    tags: {},
    metadata: {},
    rotation: null,
    logContent: null,
  }
}

/**
 * The rules after a write: what was sent, `null` read as the default, and `base` where nothing was sent. `base` is the key as it
 * is for a PATCH, the defaults for a POST or PUT; `current` is the key as it is, null for a new one. Errors are by dotted path.
 */
export function readRules(
  draft: KeyDraft,
  base: KeyRules,
  defaults: KeyRules,
  current: KeyRules | null,
  nowMs: number,
): Result<KeyRules, FieldErrors> {
  const expiresAtMs = readTime(draft.expires_at, base.expiresAtMs)
  const pick = <Field extends keyof KeyRules>(field: Field, sent: KeyRules[Field] | null | undefined) =>
    sent === undefined ? base[field] : (sent ?? defaults[field])
  const rules: KeyRules = {
    name: draft.name?.trim() ?? base.name,
    ownerId: pick('ownerId', draft.owner_id),
    status: pick('status', draft.status),
    expiresAtMs: expiresAtMs ?? null,
    ipAllowlist: pick('ipAllowlist', draft.ip_allowlist),
    planId: pick('planId', draft.plan_id),
    limits: draft.limits ? readLimits(draft.limits) : pick('limits', draft.limits),
    accountIds: pick('accountIds', draft.account_ids),
    modelsAllow: pick('modelsAllow', draft.models_allow),
    modelsDeny: pick('modelsDeny', draft.models_deny),
    endpointsAllow: pick('endpointsAllow', draft.endpoints_allow),
    skillIds: pick('skillIds', draft.skill_ids),
    skillsMode: pick('skillsMode', draft.skills_mode),
    tags: pick('tags', draft.tags),
    metadata: pick('metadata', draft.metadata as JsonObject | null | undefined), // parsed JSON
    logContent: pick('logContent', draft.log_content),
    rotation: draft.rotation ? rotationOf(draft.rotation) : pick('rotation', draft.rotation),
  }
  const isSet = draft.expires_at !== undefined && draft.expires_at !== null
  const errors = {
    ...problemsOf(rules),
    ...(isSet ? timeProblem(expiresAtMs, current?.expiresAtMs ?? null, nowMs) : {}),
  }
  return Object.keys(errors).length === 0 ? ok(rules) : err(errors)
}

function rotationOf(sent: { every_days: number; grace_hours?: number | null }): KeyRules['rotation'] {
  return { everyDays: sent.every_days, graceHours: sent.grace_hours ?? GRACE_HOURS_DEFAULT }
}

/** Undefined for a text that is no time. */
function readTime(sent: string | null | undefined, base: number | null): number | null | undefined {
  if (sent === undefined) return base
  if (sent === null) return null
  return readInstant(sent)
}

/** A time that has passed is refused when it is set, not when it is sent back unchanged. */
function timeProblem(ms: number | null | undefined, current: number | null, nowMs: number): FieldErrors {
  if (ms === undefined || ms === null) return { expires_at: ['must be a time such as 2027-01-31T00:00:00Z'] }
  return ms <= nowMs && ms !== current ? { expires_at: ['must be in the future'] } : {}
}

function problemsOf(rules: KeyRules): FieldErrors {
  const bad = (list: readonly string[] | null, isGood: (text: string) => boolean) => list?.find((text) => !isGood(text))
  const problems: readonly (readonly [field: string, problem: string | false | undefined])[] = [
    [
      'ip_allowlist',
      bad(rules.ipAllowlist, isCidr) !== undefined && 'must hold addresses or blocks such as 10.0.0.0/8',
    ],
    ['models_allow', bad(rules.modelsAllow, isPattern) !== undefined && 'must hold model patterns without spaces'],
    ['models_deny', bad(rules.modelsDeny, isPattern) !== undefined && 'must hold model patterns without spaces'],
    ['skill_ids', new Set(rules.skillIds).size < rules.skillIds.length && 'must not name a skill twice'],
    [
      'metadata',
      bytesOf(rules.metadata) > METADATA_BYTES_MAX && `must have at most ${METADATA_BYTES_MAX} bytes as JSON`,
    ],
  ]
  const limits = Object.entries(limitProblems(rules.limits ?? {})).map(([field, said]) => [`limits.${field}`, said])
  return Object.fromEntries([
    ...limits,
    ...problems.flatMap(([field, problem]) => (problem ? [[field, [problem]]] : [])),
  ])
}

function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined
}

function bytesOf(value: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value))
}
