/** What the form of a chain holds, and what it sends. Pure. The fields are those of the API, in its shapes. */
import type { Chain, ChainChange, NewChain } from '../../wire.ts'

export type ChainFields = Omit<Chain, 'id' | 'created_at' | 'updated_at' | 'version'>
export type StepFields = Chain['steps'][number]

/** Steps that the server has not named yet. It names them when they are saved, so that none takes over another's record. */
const UNNAMED = /^new-(\d+)$/

export const NEW_CHAIN: ChainFields = {
  name: '',
  slug: '',
  description: '',
  kind: 'chat',
  enabled: true,
  strategy: 'priority',
  steps: [newStep([])],
  ensemble: null,
  sticky: { by: 'prompt_prefix', ttl_s: 300, requests: null },
  retry: {
    per_step: 1,
    total_attempts: 6,
    base_ms: 300,
    max_ms: 5_000,
    jitter: 0.2,
    on: ['rate_limit', 'overloaded', 'server', 'connect', 'timeout'],
  },
  fallback_on: [
    'unsupported',
    'context_too_long',
    'auth',
    'billing',
    'not_entitled',
    'rate_limit',
    'overloaded',
    'server',
    'connect',
    'timeout',
    'empty',
  ],
  timeouts: noTimeouts(),
  stream: { commit: 'first_content', buffer_kib: 256, min_tokens_per_s: null, on_cut: 'error' },
  require: {
    tools: false,
    vision: false,
    pdf: false,
    audio: false,
    json_schema: false,
    thinking: false,
    min_context: null,
    max_price_in: null,
    max_price_out: null,
    regions: [],
    no_training: false,
  },
  rewrite_model: false,
  budget_usd: null,
}

export function fieldsOf({
  id: _id,
  created_at: _made,
  updated_at: _set,
  version: _nth,
  ...fields
}: Chain): ChainFields {
  return fields
}

export function newStep(others: readonly StepFields[], model = ''): StepFields {
  const taken = others.map(({ id }) => Number(UNNAMED.exec(id)?.[1] ?? 0))
  return {
    id: `new-${Math.max(0, ...taken) + 1}`,
    model,
    account_ids: null,
    weight: 1,
    priority: 0,
    when: null,
    params: {},
    timeouts: noTimeouts(),
    enabled: true,
  }
}

function noTimeouts(): Chain['timeouts'] {
  return { connect_ms: null, first_token_ms: null, idle_ms: null, total_ms: null }
}

/** The list with one in another place; the same list where there is no such place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length || from === to) return list
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}

/**
 * The body of a PATCH for these fields. An empty slug is made from the name. Steps that an ensemble speaks of before the server has
 * named them get names that no earlier step had: by the moment.
 */
export function changeOf(changes: Partial<ChainFields>, nowMs: number = Date.now()): ChainChange {
  const { slug, steps, ...fields } = named(changes, nowMs)
  return {
    ...fields,
    ...(slug !== undefined && { slug: slug === '' ? null : slug }),
    ...(steps !== undefined && { steps: steps.map(sentStep) }),
  } as ChainChange // the words of the API, as it sent them or as they are offered here
}

export function newOf({ name, ...fields }: ChainFields): NewChain {
  return { ...changeOf(fields), name } as NewChain // as above
}

function named(changes: Partial<ChainFields>, nowMs: number): Partial<ChainFields> {
  const { steps, ensemble } = changes
  if (steps === undefined || ensemble === undefined || ensemble === null) return changes
  const ids = new Map(steps.map(({ id }) => [id, id.replace(UNNAMED, `step-${nowMs.toString(36)}-$1`)]))
  const idOf = (id: string): string => ids.get(id) ?? id
  return {
    ...changes,
    steps: steps.map((step) => ({ ...step, id: idOf(step.id) })),
    ensemble: { ...ensemble, panel: ensemble.panel.map(idOf), judge: idOf(ensemble.judge) },
  }
}

/** As it is tried: with every step named, so that what is found out of it can be put beside it. */
export function trialOf(fields: ChainFields): NewChain {
  const { steps, ensemble } = fields
  return { ...newOf(fields), name: fields.name === '' ? 'untitled' : fields.name, steps, ensemble } as NewChain
}

function sentStep({ id, ...step }: StepFields) {
  return UNNAMED.test(id) ? step : { id, ...step }
}
