import type { Endpoint } from '../../components/access-fields.tsx'
import type { Key, KeyChange, LimitChange } from '../../wire.ts'

export type SkillsMode = Key['skills_mode']

/** A key's rules as a form holds them: an empty list is "no rule of its own", times are the viewer's, days are text. */
export interface KeyForm {
  readonly name: string
  /** Empty: on none. Undefined: the default plan. */
  readonly plan_id: string | undefined
  /** What differs from the plan's; what is not there does not. */
  readonly limits: LimitChange
  /** Empty: all of them. */
  readonly account_ids: readonly string[]
  /** Empty: as its plan says. */
  readonly log_content: NonNullable<Key['log_content']> | ''
  readonly models_allow: readonly string[]
  readonly models_deny: readonly string[]
  readonly endpoints_allow: readonly Endpoint[]
  readonly ip_allowlist: readonly string[]
  /** `2027-01-31T12:00`; empty for never. */
  readonly expires_at: string
  readonly skills_mode: SkillsMode
  readonly skill_ids: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** Whole days; empty for no reminder. */
  readonly rotation: string
}

export const EMPTY_KEY: KeyForm = {
  name: '',
  plan_id: undefined,
  limits: {},
  account_ids: [],
  log_content: '',
  models_allow: [],
  models_deny: [],
  endpoints_allow: [],
  ip_allowlist: [],
  expires_at: '',
  skills_mode: 'add',
  skill_ids: [],
  tags: {},
  rotation: '',
}

export function formOf(key: Key): KeyForm {
  return {
    name: key.name,
    plan_id: key.plan_id ?? '',
    limits: key.limits ?? {},
    account_ids: key.account_ids ?? [],
    log_content: key.log_content ?? '',
    models_allow: key.models_allow ?? [],
    models_deny: key.models_deny ?? [],
    endpoints_allow: (key.endpoints_allow ?? []) as Endpoint[], // the server writes only words that it reads
    ip_allowlist: key.ip_allowlist,
    expires_at: key.expires_at === null ? '' : localTime(new Date(key.expires_at)),
    skills_mode: key.skills_mode,
    skill_ids: key.skill_ids,
    tags: key.tags,
    rotation: key.rotation === null ? '' : String(key.rotation.every_days),
  }
}

/** The body of a PATCH or POST. What is not there is left alone; `null` is the default. */
export function draftOf(form: Partial<KeyForm>, rotation: Key['rotation'] = null): KeyChange {
  const { name, ip_allowlist, skills_mode, skill_ids, tags } = form
  return {
    ...(name !== undefined && { name }),
    ...(form.plan_id !== undefined && { plan_id: form.plan_id || null }),
    ...(form.limits && { limits: Object.keys(form.limits).length === 0 ? null : form.limits }),
    ...(form.account_ids && { account_ids: listOrNull(form.account_ids) }),
    ...(form.log_content !== undefined && { log_content: form.log_content || null }),
    ...(ip_allowlist && { ip_allowlist: [...ip_allowlist] }),
    ...(skills_mode && { skills_mode }),
    ...(skill_ids && { skill_ids: [...skill_ids] }),
    ...(tags && { tags }),
    ...(form.models_allow && { models_allow: listOrNull(form.models_allow) }),
    ...(form.models_deny && { models_deny: listOrNull(form.models_deny) }),
    ...(form.endpoints_allow && { endpoints_allow: listOrNull(form.endpoints_allow) }),
    ...(form.expires_at !== undefined && { expires_at: timeOrNull(form.expires_at) }),
    ...(form.rotation !== undefined && { rotation: rotationOf(form.rotation, rotation) }),
  }
}

function listOrNull<T>(list: readonly T[]): T[] | null {
  return list.length === 0 ? null : [...list]
}

function timeOrNull(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString()
}

/** The grace stays as it was. */
function rotationOf(days: string, before: Key['rotation']): NonNullable<KeyChange['rotation']> | null {
  if (days.trim() === '') return null
  return { every_days: Number(days), ...(before && { grace_hours: before.grace_hours }) }
}

/** As `<input type="datetime-local">` writes it, in the viewer's zone. */
function localTime(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
