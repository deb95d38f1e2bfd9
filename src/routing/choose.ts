/** From a route to what to try, best first, one at a time. */
import { accountsFor } from './account-choice.ts'
import type { Choosing, Considered, RankedAccount } from './candidates.ts'
import { leavesOf, namesOf, passedOver, type Leaf } from './leaves.ts'
import type { Route, RuleRoute } from './route.ts'

/**
 * What to try for a request and what is passed over before it, with why. The choice is made as it is read, so that the first costs
 * nothing for the others. A model that a client names itself is not judged here: there is no other to prefer, and what it is known not
 * to take is found out where the request is translated.
 */
export function candidatesOf<Account extends RankedAccount>(
  route: Route,
  choosing: Choosing<Account>,
): Iterable<Considered<Account>> {
  if (route.kind === 'rule') return byRule(route, choosing)
  return accountsFor({ step: route.step, via: [], worse: null }, route.name, choosing)
}

/** What serves worse waits until nothing better is left; it is listed with its reason before. */
function* byRule<Account extends RankedAccount>(
  route: RuleRoute,
  choosing: Choosing<Account>,
): Generator<Considered<Account>> {
  const later: Leaf[] = []
  for (const found of leavesOf(route, choosing)) {
    if ('skipped' in found) yield found
    else if (found.worse === null) yield* accountsFor(found, route.name, choosing)
    else {
      later.push(found)
      yield passedOver(found.step, found.step.model, found.via, found.worse, null)
    }
  }
  for (const leaf of later) yield* accountsFor(leaf, route.name, choosing)
}

/** Does everything that is behind the name lie outside what a key may use? `permits` as in `Choosing`. */
export function isForbidden(route: Route, permits: Choosing<RankedAccount>['permits']): boolean {
  if (route.kind === 'model') return !permits([`${route.step.provider.id}/${route.step.model}`])
  let isAny = false
  for (const names of namesOfModels(route, [])) {
    if (permits(names)) return false
    isAny = true
  }
  return isAny
}

/** For each model behind a route: what it is called, the rules on the way included. */
function* namesOfModels(route: Route, path: readonly string[]): Generator<readonly string[]> {
  if (route.kind === 'model') return yield [`${route.step.provider.id}/${route.step.model}`, ...path]
  for (const { to } of route.branches()) if (to !== null) yield* namesOfModels(to, [...path, ...namesOf(route.rule)])
}
