import type { Endpoint } from '../../components/access-fields.tsx'
import { LIMIT_NAMES, type Limits, NO_LIMITS } from '../../limit-words.ts'
import type { Plan, PlanChange } from '../../wire.ts'

/** A plan as a form holds it: empty lists of what may be used are "all of them", empty texts are "not set". */
export interface PlanForm extends Limits {
  readonly name: string
  readonly description: string
  readonly is_default: boolean
  readonly models_allow: readonly string[]
  readonly models_deny: readonly string[]
  readonly endpoints_allow: readonly Endpoint[]
  readonly default_model: string
  /** Empty: none. */
  readonly chain_id: string
  readonly skill_ids: readonly string[]
  readonly priority: number | null
  readonly log_content: Plan['log_content']
}

const EVERYTHING = '*'

export const EMPTY_PLAN: PlanForm = {
  ...NO_LIMITS,
  name: '',
  description: '',
  is_default: false,
  models_allow: [],
  models_deny: [],
  endpoints_allow: [],
  default_model: '',
  chain_id: '',
  skill_ids: [],
  priority: 0,
  log_content: 'inherit',
}

export function formOf(plan: Plan): PlanForm {
  return {
    ...limitsOf(plan),
    name: plan.name,
    description: plan.description,
    is_default: plan.is_default,
    models_allow: unlessAll(plan.models_allow),
    models_deny: plan.models_deny,
    endpoints_allow: unlessAll(plan.endpoints_allow) as Endpoint[], // the server writes only words that it reads
    default_model: plan.default_model ?? '',
    chain_id: plan.chain_id ?? '',
    skill_ids: plan.skill_ids,
    priority: plan.priority,
    log_content: plan.log_content,
  }
}

/** The limits of a plan, without the rest of it. */
export function limitsOf(plan: Limits): Limits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, plan[name]])) as unknown as Limits // all of its names
}

/** The body of a PATCH or POST: what is not there is left alone; `null` is the default. */
export function draftOf(form: Partial<PlanForm>): PlanChange {
  const { models_allow, models_deny, endpoints_allow, skill_ids, default_model, chain_id, ...plain } = form
  return {
    ...plain,
    ...(models_allow && { models_allow: orAll(models_allow) }),
    ...(models_deny && { models_deny: [...models_deny] }),
    ...(endpoints_allow && { endpoints_allow: orAll(endpoints_allow) }),
    ...(skill_ids && { skill_ids: [...skill_ids] }),
    ...(default_model !== undefined && { default_model: default_model.trim() || null }),
    ...(chain_id !== undefined && { chain_id: chain_id || null }),
  }
}

function unlessAll(list: readonly string[]): readonly string[] {
  return list.includes(EVERYTHING) ? [] : list
}

function orAll<T>(list: readonly T[]): T[] | null {
  return list.length === 0 ? null : [...list]
}
