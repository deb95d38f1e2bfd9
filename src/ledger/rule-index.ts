/** Which rules a spender falls under, found without asking all of them. */
import { matchesPattern } from '../core/model-pattern.ts'
import type { Spender, SpendScope } from './spending.ts'

interface Scoped {
  readonly scope: SpendScope
}

/** Models whose patterns are remembered: names come from clients. */
const REMEMBERED_MODELS_MAX = 1_000

/** Made anew when rules change. */
export class RuleIndex<Rule extends Scoped> {
  readonly #byScope = new Map<string, Rule[]>()
  readonly #globs: Rule[] = []
  readonly #globsOf = new Map<string, readonly Rule[]>()

  constructor(rules: Iterable<Rule>) {
    for (const rule of rules) {
      const name = nameOf(rule.scope)
      if (name === undefined) this.#globs.push(rule)
      else this.#byScope.set(name, [...(this.#byScope.get(name) ?? []), rule])
    }
  }

  /** All rules that count what `spender` spends; each once. */
  matching(spender: Spender): readonly Rule[] {
    if (this.#byScope.size === 0 && this.#globs.length === 0) return []
    const names = namesOf(spender)
    const found = scopesOf(spender, names).flatMap((name) => this.#byScope.get(name) ?? [])
    const all = this.#globs.length === 0 ? found : [...found, ...this.#matchingGlobs(names)]
    return all.length > 1 ? [...new Set(all)] : all
  }

  /** Those that match whatever the target. */
  matchingKey({ keyId, planId, tags }: Pick<Spender, 'keyId' | 'planId' | 'tags'>): readonly Rule[] {
    return scopesOfKey(keyId, planId, tags).flatMap((name) => this.#byScope.get(name) ?? [])
  }

  #matchingGlobs(names: readonly string[]): readonly Rule[] {
    const model = names.join('\n')
    const known = this.#globsOf.get(model)
    if (known !== undefined) return known
    const found = this.#globs.filter(({ scope }) => scope.kind === 'model' && matchesAny(scope.pattern, names))
    if (this.#globsOf.size >= REMEMBERED_MODELS_MAX) this.#globsOf.clear()
    this.#globsOf.set(model, found)
    return found
  }
}

/** For a rule that is not in an index. */
export function isWithin(scope: SpendScope, spender: Spender): boolean {
  return new RuleIndex([{ scope }]).matching(spender).length > 0
}

function matchesAny(pattern: string, names: readonly string[]): boolean {
  return names.some((name) => matchesPattern(pattern, name))
}

function namesOf({ provider, model, names }: Spender): readonly string[] {
  return [`${provider}/${model}`, ...names]
}

/** Undefined: a pattern that stands for several models. */
function nameOf(scope: SpendScope): string | undefined {
  switch (scope.kind) {
    case 'global':
      return 'global'
    case 'model':
      return scope.pattern.includes('*') ? undefined : `model ${scope.pattern}`
    case 'tag':
      return `tag ${scope.name}=${scope.value}`
    default:
      return `${scope.kind} ${scope.id}`
  }
}

function scopesOf(spender: Spender, names: readonly string[]): readonly string[] {
  const { keyId, planId, tags, provider, accountId, chainIds } = spender
  const scopes = [...scopesOfKey(keyId, planId, tags), `provider ${provider}`]
  if (accountId !== null) scopes.push(`account ${accountId}`)
  for (const id of chainIds) scopes.push(`chain ${id}`)
  for (const name of names) scopes.push(`model ${name}`)
  return scopes
}

function scopesOfKey(keyId: string | null, planId: string | null, tags: Spender['tags']): string[] {
  const scopes = ['global']
  if (keyId !== null) scopes.push(`key ${keyId}`)
  if (planId !== null) scopes.push(`plan ${planId}`)
  for (const [name, value] of Object.entries(tags)) scopes.push(`tag ${name}=${value}`)
  return scopes
}
