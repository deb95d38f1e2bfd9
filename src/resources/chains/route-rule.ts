import { type GoingOn, NO_PARAMS, type RouteRule } from '../../routing/rule.ts'
import type { Chain, MovingOn } from './chain.ts'

export function ruleOf(chain: Chain): RouteRule {
  return {
    id: chain.id,
    kind: 'chain',
    name: chain.slug,
    serves: chain.serves,
    enabled: chain.enabled,
    strategy: chain.strategy,
    targets: chain.steps,
    ensemble: chain.ensemble,
    ...movingOn(chain),
    rewriteModel: chain.rewriteModel,
    ...(chain.budgetNano === null ? {} : { budgetNano: chain.budgetNano }),
    params: NO_PARAMS,
  }
}

/** The part of a rule that says how it goes on. */
export function movingOn({ sticky, timeouts, stream, require, ...failing }: MovingOn) {
  return { sticky, ...goingOn(failing), timeouts, stream, require }
}

export function goingOn({ retry, fallbackOn }: Pick<MovingOn, 'retry' | 'fallbackOn'>): GoingOn {
  return { retry: { ...retry, on: new Set(retry.on) }, fallbackOn: new Set(fallbackOn) }
}
