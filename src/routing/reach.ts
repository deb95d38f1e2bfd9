import type { Route, Step } from './route.ts'

/**
 * Every model that a route may end at, each once, in the order of the targets; steps that are switched off lead nowhere. Whether a
 * model can be used now is not asked.
 */
export function reachedBy(route: Route): readonly Step[] {
  const found = new Map<string, Step>()
  collect(route, found)
  return [...found.values()]
}

function collect(route: Route, found: Map<string, Step>): void {
  if (route.kind === 'model') {
    const { provider, model } = route.step
    found.set(`${provider.id}/${model}`, route.step)
    return
  }
  for (const { to } of route.branches()) if (to !== null) collect(to, found)
}
