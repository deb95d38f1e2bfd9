/** What lists of models tell of a name, whether a provider has that model or a rule stands for several. */
import { jointFacts } from '../../catalog/joint-facts.ts'
import { isForbidden } from '../../routing/choose.ts'
import { reachedBy } from '../../routing/reach.ts'
import { resolveModel } from '../../routing/resolve.ts'
import type { Route } from '../../routing/route.ts'
import { publicName, type RouteRule } from '../../routing/rule.ts'
import { mayUse } from '../admit.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'

type Deps = Pick<GatewayDeps, 'directory' | 'capabilitiesOf'>

export interface AboutModel {
  /** Who serves it: a provider, or `chain` and `alias` for names of the gateway's own. */
  readonly owner: string
  readonly name: string
  /** Of a rule: what all its models have in common. */
  readonly contextTokens: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly images: boolean
  readonly thinking: boolean
}

/** `id`: a name out of a list. */
export function aboutModel(deps: Deps, id: string): AboutModel {
  const route = routeTo(deps, id)
  const facts = jointFacts(
    (route === undefined ? [] : reachedBy(route)).map((step) => deps.capabilitiesOf(step.provider, step.model)),
  )
  return {
    ...namesOf(id, route),
    contextTokens: facts?.contextTokens,
    maxOutputTokens: facts?.maxOutputTokens,
    images: facts?.inputModalities.includes('image') === true,
    thinking: facts?.thinking === true,
  }
}

function namesOf(id: string, route: Route | undefined): Pick<AboutModel, 'owner' | 'name'> {
  if (route?.kind === 'rule') return { owner: route.rule.kind, name: route.rule.name }
  const slash = id.indexOf('/')
  return { owner: id.slice(0, slash), name: id.slice(slash + 1) }
}

/** The names of rules that lists show to a key: those with a model that some account serves, and that the key may use. */
export function listedRules(deps: Deps, key: GatewayKey): readonly string[] {
  const directory = deps.directory()
  const connected = new Set(directory.connected().map(({ provider }) => provider.id))
  const isShown = (rule: RouteRule): boolean => {
    if (!rule.enabled || rule.listed === false || rule.name.endsWith('*')) return false
    const name = publicName(rule)
    const route = routeTo(deps, name)
    if (route?.kind !== 'rule' || !reachedBy(route).some(({ provider }) => connected.has(provider.id))) return false
    return !isForbidden(route, (names) => mayUse(key, [name, ...names]))
  }
  return directory.rules.all.filter(isShown).map(publicName)
}

function routeTo({ directory }: Deps, name: string): Route | undefined {
  const route = resolveModel(name, directory(), 'chat', () => false)
  return route.ok ? route.value : undefined
}
