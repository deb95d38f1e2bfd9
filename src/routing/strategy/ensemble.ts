/**
 * The strategy that asks several: the steps of a panel get the request at the same time, and one more step judges what they answered.
 * Here is which steps those are and how many attempts each has; asking them is the gateway's.
 */
import type { Route, RuleRoute } from '../route.ts'

export const ENSEMBLE_MODES = ['pick', 'merge'] as const

export interface Ensemble {
  /** Ids of the rule's targets, the one to trust most in front. */
  readonly panel: readonly string[]
  /** The id of a target, which may be of the panel, too. */
  readonly judge: string
  /** `pick`: the judge chooses one of the answers. `merge`: it writes one out of them. */
  readonly mode: (typeof ENSEMBLE_MODES)[number]
}

export const PANEL_MIN = 2
export const PANEL_MAX = 8

export type EnsembleRoute = RuleRoute & { readonly ensemble: Ensemble }

/** Undefined where the name stands for anything else. */
export function ensembleBehind(route: Route): EnsembleRoute | undefined {
  if (route.kind !== 'rule' || route.rule.strategy !== 'ensemble') return undefined
  const { ensemble } = route.rule
  return ensemble === undefined || ensemble === null ? undefined : { ...route, ensemble }
}

/** The route as if its rule had this target alone. */
export function onlyTarget(route: RuleRoute, targetId: string): RuleRoute {
  return { ...route, branches: () => route.branches().filter(({ target }) => target.id === targetId) }
}

/** The least attempts a request needs: one for each of the panel, and one for the judge. */
export function attemptsNeeded({ panel }: Pick<Ensemble, 'panel'>): number {
  return panel.length + 1
}

/** Attempts that each of the panel may make of a request's `totalAttempts`: an even share of what the judge leaves. */
export function shareOfAttempts({ panel }: Pick<Ensemble, 'panel'>, totalAttempts: number): number {
  return Math.max(1, Math.floor((totalAttempts - 1) / panel.length))
}
