/**
 * Aliases: public names that stand for one model or a pool of them. What is stored is what was set. Invariant: no alias hides a real
 * model unless its owner says so, none has the name of a chain, and none leads back to itself.
 */
import type { Capability } from '../../catalog/provider.ts'
import {
  NO_PARAMS,
  type RouteRule,
  type RuleParams,
  type RuleTarget,
  type OrderingStrategy,
} from '../../routing/rule.ts'
import { USUAL } from '../chains/chain.ts'
import { movingOn } from '../chains/route-rule.ts'

export type AliasTarget = Pick<RuleTarget, 'model' | 'accountIds' | 'weight' | 'priority' | 'enabled'>

export interface AliasRules {
  /** What clients write as `model`; with a trailing `*`, every name that begins so. */
  readonly alias: string
  readonly targets: readonly AliasTarget[]
  readonly strategy: OrderingStrategy
  /** It may hide a real model. */
  readonly shadow: boolean
  /** Lists of models have it. */
  readonly listed: boolean
  /** Answers name the alias instead of the real model. */
  readonly rewriteModel: boolean
  /** Put in where the caller says nothing. */
  readonly params: RuleParams
  /** From then on the name means nothing. */
  readonly expiresAtMs: number | null
  /** What its callers should ask for instead. */
  readonly replacedBy: string | null
}

export interface Alias extends AliasRules {
  readonly id: string
  /** Found out from what it stands for. */
  readonly serves: Capability
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

/** How it goes on when something fails is not said of an alias: that is as chains within it say, as the settings do, or as usual. */
const UNSAID = { ...movingOn(USUAL), retry: null, fallbackOn: null, stream: null }

export function ruleOf(alias: Alias): RouteRule {
  return {
    id: alias.id,
    kind: 'alias',
    name: alias.alias,
    serves: alias.serves,
    enabled: true,
    strategy: alias.strategy,
    targets: alias.targets.map(targetOf),
    ...UNSAID,
    rewriteModel: alias.rewriteModel,
    params: alias.params,
    listed: alias.listed,
    ...(alias.expiresAtMs === null ? {} : { retires: { atMs: alias.expiresAtMs, replacedBy: alias.replacedBy } }),
  }
}

/** Records name a target by what it stands for; the same model twice is told apart by its place. */
function targetOf(target: AliasTarget, at: number, targets: readonly AliasTarget[]): RuleTarget {
  const { model } = target
  const isAgain = targets.findIndex((other) => other.model === model) < at
  return { ...target, id: isAgain ? `${model}#${at + 1}` : model, when: null, params: NO_PARAMS, timeouts: {} }
}
