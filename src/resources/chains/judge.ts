/**
 * Whether what rules name is there and leads somewhere. It asks routing itself, as if every rule and target were switched on, so
 * that what is judged here is what requests meet, and switching something on never makes a loop.
 */
import { CAPABILITIES, type Capability, type ProviderSpec } from '../../catalog/provider.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { canHold } from '../../routing/can-hold.ts'
import { resolveModel, type ModelDirectory } from '../../routing/resolve.ts'
import { NESTING_MAX, type Branch, type Route, type RuleRoute } from '../../routing/route.ts'
import { ruleBook } from '../../routing/rule-book.ts'
import { publicName, type RouteRule, type RuleTarget } from '../../routing/rule.ts'

/** What names mean apart from rules, and what is known about it. */
export interface Surroundings {
  readonly directory: () => Omit<ModelDirectory, 'rules' | 'retired'>
  /** The provider that an account is with; undefined when there is no such account. */
  readonly providerOfAccount: (accountId: string) => string | undefined
  /** Whether a model is on any list of its provider. Lists lag, so this refuses nothing. */
  readonly isListed: (provider: ProviderSpec, model: string) => boolean
}

/** The field that holds a rule's targets. */
export type TargetsField = 'steps' | 'targets'

/** All rules that there will be, and what names mean then. */
export class NameTable {
  readonly #all: readonly RouteRule[]
  readonly #directory: ModelDirectory
  readonly #surroundings: Surroundings
  #nesting: readonly RouteRule[] | undefined

  constructor(all: readonly RouteRule[], surroundings: Surroundings) {
    this.#all = all
    this.#directory = asIfEnabled(all, surroundings)
    this.#surroundings = surroundings
  }

  /** What makes a rule of the table impossible, by dotted path; empty when nothing does. */
  problems(rule: RouteRule, field: TargetsField): FieldErrors {
    const route = this.#routeOf(rule)
    if (route === undefined) return { [field]: ['are never reached: the name means something else'] }
    const errors: Record<string, readonly string[]> = {}
    for (const [at, branch] of route.branches().entries()) {
      const model = missing(branch) ?? unfit(branch, rule.serves)
      const accounts = accountProblem(branch, this.#surroundings)
      if (model !== undefined) errors[`${field}.${at}.model`] = [model]
      if (accounts !== undefined) errors[`${field}.${at}.account_ids`] = [accounts]
    }
    const around = rule.strategy === 'ensemble' ? this.nesting(rule) : undefined
    if (around !== undefined) errors['strategy'] = [`cannot be ensemble: the ${around.kind} ${around.name} names it`]
    const loop = loopIn(route, rule.id) ?? this.#loopAmongOthers(rule)
    return loop === undefined ? errors : { ...errors, [field]: [loop] }
  }

  /** What a rule's owner should know although it is possible. */
  warnings(rule: RouteRule, field: TargetsField): readonly string[] {
    const connected = new Set(this.#directory.connected().map(({ provider }) => provider.id))
    const disabled = new Set(this.#all.filter(({ enabled }) => !enabled).map(({ id }) => id))
    return (this.#routeOf(rule)?.branches() ?? []).flatMap((branch, at) => {
      const warning = warningOf(branch, connected, disabled, this.#surroundings)
      return [
        ...(warning === undefined ? [] : [`${field}.${at}.model: ${warning}`]),
        ...unreachable(rule, branch.target).map((why) => `${field}.${at}${why}`),
      ]
    })
  }

  /** Whether `model`, as a target or a default names it, means this rule. */
  means(model: string, rule: RouteRule): boolean {
    const route = this.#routeNamed(model, rule.serves)
    return route?.kind === 'rule' && route.rule.id === rule.id
  }

  /** The first kind of request that a name serves; undefined when it means nothing. */
  servedBy(model: string): Capability | undefined {
    return CAPABILITIES.find((capability) => {
      const route = this.#routeNamed(model, capability)
      return route?.kind === 'rule' || (route !== undefined && serves(route.step.provider, capability))
    })
  }

  /** The rules other than `rule` of which one target means it; undefined when there is none. */
  nesting(rule: RouteRule): RouteRule | undefined {
    return this.#all.find(({ id, targets }) => id !== rule.id && targets.some(({ model }) => this.means(model, rule)))
  }

  /** Other rules that lead here may become too deep, or loop, by what this one names. */
  #loopAmongOthers({ id }: RouteRule): string | undefined {
    this.#nesting ??= this.#all.filter((rule) =>
      this.#routeOf(rule)
        ?.branches()
        .some(({ to }) => to?.kind !== 'model'),
    )
    for (const other of this.#nesting) {
      const route = other.id === id ? undefined : this.#routeOf(other)
      const found = route && loopIn(route, id)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** A name with a `*` is met by itself, as it is by any name that fits. */
  #routeOf(rule: RouteRule): RuleRoute | undefined {
    const route = this.#routeNamed(publicName(rule), rule.serves)
    return route?.kind === 'rule' && route.rule.id === rule.id ? route : undefined
  }

  #routeNamed(name: string, serves: Capability): Route | undefined {
    const found = resolveModel(name, this.#directory, serves, () => false)
    return found.ok ? found.value : undefined
  }
}

function asIfEnabled(all: readonly RouteRule[], { directory }: Surroundings): ModelDirectory {
  const on = (target: RuleTarget): RuleTarget => ({ ...target, enabled: true })
  const rules = ruleBook(all.map((rule) => ({ ...rule, enabled: true, targets: rule.targets.map(on) })))
  return { ...directory(), rules }
}

function serves({ kind, capabilities }: ProviderSpec, capability: Capability): boolean {
  return kind === 'demo' ? capability === 'chat' : capabilities.includes(capability)
}

function missing(branch: Branch): string | undefined {
  if (branch.to !== null) return undefined
  if (branch.why === 'unknown_target') return 'names no model of a provider, no alias and no chain'
  if (branch.why === 'ensemble_inside') return 'names an ensemble, which answers only under its own name'
  return branch.why === 'other_capability' ? 'names a rule for requests of another kind' : undefined
}

function unfit({ to }: Branch, capability: Capability): string | undefined {
  if (to?.kind !== 'model' || serves(to.step.provider, capability)) return undefined
  return `${to.step.provider.name} does not serve ${capability}`
}

function accountProblem({ target, to }: Branch, { providerOfAccount }: Surroundings): string | undefined {
  const { accountIds } = target
  if (accountIds === null) return undefined
  const unknown = accountIds.find((id) => providerOfAccount(id) === undefined)
  if (unknown !== undefined) return `there is no account ${unknown}`
  if (to?.kind !== 'model') return undefined
  const { id, name } = to.step.provider
  const foreign = accountIds.find((accountId) => providerOfAccount(accountId) !== id)
  return foreign === undefined ? undefined : `the account ${foreign} is not one of ${name}`
}

/** The first loop, or nesting that is too deep, below a rule on a way that leads `through` the rule in question. */
function loopIn(route: RuleRoute, through: string, isBehind = false): string | undefined {
  const isPast = isBehind || route.rule.id === through
  for (const branch of route.branches()) {
    const here = isPast ? loopAt(branch) : undefined
    const found = branch.to?.kind === 'rule' ? loopIn(branch.to, through, isPast) : here
    if (found !== undefined) return found
  }
  return undefined
}

function loopAt(branch: Branch): string | undefined {
  if (branch.to !== null) return undefined
  if (branch.why === 'cycle') return sentence(branch.detail)
  return branch.why === 'too_deep' ? `are nested deeper than ${NESTING_MAX}: ${branch.detail}` : undefined
}

/** `There is a cycle via a → b.` → `cycle via a → b`, which reads on from the name of the field. */
function sentence(detail: string): string {
  return detail.replace(/^There is a /, '').replace(/\.$/, '')
}

/** Why no request ever gets to a target, after its path. */
function unreachable({ ensemble = null }: RouteRule, { id, when }: RuleTarget): readonly string[] {
  const isOutside = ensemble !== null && id !== ensemble.judge && !ensemble.panel.includes(id)
  return [
    ...(when === null || canHold(when) ? [] : ['.when: never holds, whatever is asked']),
    ...(isOutside ? [': is neither on the panel nor the judge, so that it is never asked'] : []),
  ]
}

function warningOf(
  { to }: Branch,
  connected: ReadonlySet<string>,
  disabled: ReadonlySet<string>,
  { isListed }: Surroundings,
): string | undefined {
  if (to?.kind === 'rule') return disabled.has(to.rule.id) ? `${to.name} is switched off` : undefined
  if (to === null) return undefined
  const { provider, model } = to.step
  if (!connected.has(provider.id)) return `${provider.name} has no account that can be used`
  return isListed(provider, model) ? undefined : `${model} is not on the list of ${provider.name}`
}
