/** From a rule to the models that it leads to, best first: conditions, permissions, requirements and strategies, one rule at a time. */
import { ruleKeyOf, withPin } from './affinity.ts'
import type { Choosing, PassedOver, RankedAccount } from './candidates.ts'
import { evaluate } from './evaluate.ts'
import { cannotServe, missesRequirement, servesWorse } from './needs.ts'
import type { Branch, Passage, Route, RuleRoute, Step } from './route.ts'
import type { RouteRule } from './rule.ts'
import type { SkipReason } from './skip.ts'
import { arrange } from './strategy/arrange.ts'
import { loadOf, scaleOfBranches } from './strategy/scale-of-branches.ts'
import { tiersOf } from './tiers.ts'

/** A model that may be tried. */
export interface Leaf {
  readonly step: Step
  readonly via: readonly Passage[]
  /** Why others come before it. */
  readonly worse: SkipReason | null
}

export type OpenBranch = Extract<Branch, { readonly to: Route }>
export type Parts = Choosing<RankedAccount>
type Found = Leaf | PassedOver<never>

/** The models behind a rule, with what is passed over on the way. */
export function* leavesOf(route: RuleRoute, parts: Parts, via: readonly Passage[] = []): Generator<Found> {
  const { rule } = route
  if (rule.strategy === 'priority' || rule.strategy === 'ensemble') return yield* inOrder(route, parts, via)
  const open: OpenBranch[] = []
  // Who cannot be chosen takes no part in sharing out, or its share would fall to its neighbour.
  for (const branch of route.branches()) {
    const why = whyNot(branch, [...via, { rule, target: branch.target }], parts)
    if (why !== null) yield why
    else if (branch.to !== null) open.push(branch)
  }
  for (const tier of tiersOf(open, ({ target }) => target)) {
    for (const branch of arranged(tier, rule, parts)) yield* behind(branch, rule, parts, via)
  }
}

/** As the operator wrote it, each target looked at when its turn comes. */
function* inOrder({ rule, branches }: RuleRoute, parts: Parts, via: readonly Passage[]): Generator<Found> {
  for (const branch of tiersOf(branches(), ({ target }) => target).flat()) {
    const why = whyNot(branch, [...via, { rule, target: branch.target }], parts)
    if (why !== null) yield why
    else if (branch.to !== null) yield* behind(branch, rule, parts, via)
  }
}

function* behind({ target, to }: OpenBranch, rule: RouteRule, parts: Parts, via: readonly Passage[]): Generator<Found> {
  const passages = [...via, { rule, target }]
  if (to.kind === 'rule') return yield* leavesOf(to, parts, passages)
  const { step } = to
  yield { step, via: passages, worse: servesWorse(parts.seen.factsOf(step.provider, step.model), parts.view) }
}

/** `via` ends with the branch itself. */
function whyNot(branch: Branch, via: readonly Passage[], parts: Parts): PassedOver<never> | null {
  const { target, to } = branch
  if (to === null) return passedOver(null, target.model, via, branch.why, branch.detail)
  const held = target.when === null ? 'yes' : evaluate(target.when, parts.view)
  const step = to.kind === 'model' ? to.step : null
  const why = held === 'yes' ? step && whyNotModel(step, via, parts) : (`condition_${CONDITION[held]}` as const)
  return why === null ? null : passedOver(step, target.model, via, why, null)
}

const CONDITION = { no: 'false', unknown: 'unknown' } as const

function whyNotModel({ provider, model }: Step, via: readonly Passage[], parts: Parts): SkipReason | null {
  const { permits, seen, view } = parts
  if (!permits([`${provider.id}/${model}`, ...via.flatMap(({ rule }) => namesOf(rule))])) return 'not_permitted'
  const facts = seen.factsOf(provider, model)
  const price = () => seen.priceOf(provider, model)
  for (const { rule } of via) {
    const missed = missesRequirement(rule.require, facts, price)
    if (missed !== null) return missed
  }
  return cannotServe(facts, view)
}

/** What clients and lists of models call a rule. */
export function namesOf({ kind, name }: RouteRule): readonly string[] {
  return kind === 'chain' ? [name, `chain/${name}`] : [name]
}

/** `step`: null where the target is no model. */
export function passedOver(
  step: Step | null,
  name: string,
  via: readonly Passage[],
  skipped: SkipReason,
  detail: string | null,
): PassedOver<never> {
  const model = step?.model ?? name
  return { provider: step?.provider ?? null, model, publicModel: model, account: null, skipped, detail, via }
}

/** One tier as the rule's strategy has it, with what belongs to this request in front. */
function arranged(tier: readonly OpenBranch[], rule: RouteRule, parts: Parts): Iterable<OpenBranch> {
  const { strategy } = rule
  if (tier.length < 2 || strategy === 'ensemble') return tier
  const { seen, view } = parts
  const key = ruleKeyOf(rule, view)
  const pin = key === null ? undefined : seen.pinned(view.keyId ?? '', rule.id, key, rule.sticky.ttlMs)
  const pinned = pin && tier.find(({ target }) => target.id === pin.to)
  const mayStay = rule.sticky.requests === null || (pin?.requests ?? 0) < rule.sticky.requests
  const occasion = {
    random: () => seen.random(),
    turn: () => seen.turn(`${rule.id} ${tier[0]?.target.priority}`),
    requestsEach: 1,
    key,
  }
  const scale = scaleOfBranches(parts)
  return withPin(
    tier,
    pinned,
    mayStay,
    ({ to }) => loadOf(to, parts),
    (others) => arrange(strategy, others, scale, occasion),
  )
}
