/**
 * What a failure means for routing, by its kind and never by a bare status: whether another target may succeed, whether the
 * request may already have cost money, and what the account has to do with it. The table is the policy; nothing else decides.
 */
import type { Failure, FailureKind } from '../core/failure.ts'
import type { Passage } from './route.ts'
import type { GoingOn } from './rule.ts'

/**
 * `not-sent`: nothing reached the provider. `declined`: it answered that it did nothing. `unknown`: it may have worked and
 * billed. `delivered`: the client has content.
 */
export type RetryClass = 'not-sent' | 'declined' | 'unknown' | 'delivered'

const NEXT_TARGET: Record<FailureKind, boolean> = {
  malformed: false,
  unsupported: true,
  unauthenticated: false,
  forbidden: false,
  unconnected: true,
  idempotency_conflict: false,
  idempotency_mismatch: false,
  unknown_model: false,
  unknown_route: false,
  too_large: false,
  limited: false,
  over_budget: true,
  blocked: false,
  rejected: false,
  context_too_long: true,
  refused_content: false,
  auth: true,
  billing: true,
  not_entitled: true,
  rate_limit: true,
  overloaded: true,
  server: true,
  empty: true,
  connect: true,
  timeout: true,
  cut: false,
  exhausted: false,
  draining: false,
  paused: false,
  cancelled: false,
  internal: false,
}

/** Could another account or provider succeed where this one failed? */
export function movesOn(failure: Failure): boolean {
  return NEXT_TARGET[failure.kind]
}

/** What `fallback_on` of a rule or of the settings may name: for these, it alone decides whether the next target is tried. */
export const FALLBACK_KINDS = [
  'unsupported',
  'context_too_long',
  'refused_content',
  'auth',
  'billing',
  'not_entitled',
  'rate_limit',
  'overloaded',
  'server',
  'connect',
  'timeout',
  'empty',
] as const satisfies readonly FailureKind[]
const DECIDED: ReadonlySet<FailureKind> = new Set(FALLBACK_KINDS)

/** About the model, whoever's account it is asked with. */
const OF_THE_MODEL: ReadonlySet<FailureKind> = new Set(['unsupported', 'context_too_long'])

interface Place {
  readonly via: readonly Passage[]
  readonly terms: Pick<GoingOn, 'fallbackOn'>
}

/**
 * May `next` be tried after `failure` at `before`? Between accounts of one target of a rule the table decides; between targets of a
 * rule that rule does, between rules the one that holds both, and where none says it the settings.
 */
export function mayFollow(failure: Failure, before: Place, next: Place): boolean {
  const kinds = decidingKinds(before, next)
  if (kinds === undefined) return movesOn(failure) && !OF_THE_MODEL.has(failure.kind)
  return DECIDED.has(failure.kind) ? kinds.has(failure.kind) : movesOn(failure)
}

/** Undefined between accounts of one target of a rule. */
function decidingKinds({ via, terms }: Place, next: Place): GoingOn['fallbackOn'] | undefined {
  if (via.length === 0) return terms.fallbackOn
  const parting = via.findIndex(({ target }, depth) => next.via[depth]?.target !== target)
  if (parting < 0) return undefined
  const said = via.slice(0, parting + 1).flatMap(({ rule }) => rule.fallbackOn ?? [])
  return said.at(-1) ?? terms.fallbackOn
}

/** Kinds of a target that comes back by itself: only these can make a request `exhausted` instead of failed. */
const TEMPORARY: ReadonlySet<FailureKind> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'empty',
  'connect',
  'timeout',
])

/** Does waiting help? */
export function isTemporary(kind: FailureKind): boolean {
  return TEMPORARY.has(kind)
}

/** Kinds with which a provider says that this account has reached a limit. */
export function isLimit(kind: FailureKind): boolean {
  return kind === 'rate_limit' || kind === 'billing'
}

/** `sent`: whether the request had left when it failed; `answered`: whether the provider had answered with a status. */
export function retryClass(failure: Failure, sent: boolean, answered: boolean): RetryClass {
  if (failure.kind === 'connect' || !sent) return 'not-sent'
  if (failure.kind === 'timeout') return 'unknown'
  if (failure.kind === 'server' && !answered) return 'unknown'
  return failure.kind === 'cut' || failure.kind === 'cancelled' ? 'delivered' : 'declined'
}
