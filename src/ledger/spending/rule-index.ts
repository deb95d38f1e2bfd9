/** Which rules a spender falls under, found without asking all of them. */
import { matchesPattern } from '../../core/model-pattern.ts'
import type { Spender, SpendScope } from './spending.ts'

interface Scoped {
  readonly scope: SpendScope
}

type Kind = SpendScope['kind']
type SpenderOfKey = Pick<Spender, 'keyId' | 'planId' | 'tags'>

/** Models whose patterns are remembered: names come from clients. */
const REMEMBERED_MODELS_MAX = 1_000
const EVERYTHING = ''

/** Made anew when rules change. Asked for every attempt: what no rule is about is not looked at. */
export class RuleIndex<Rule extends Scoped> {
  readonly #byKind = new Map<Kind, Map<string, Rule[]>>()
  readonly #globs: Rule[] = []
  readonly #globsOf = new Map<string, readonly Rule[]>()

  constructor(rules: Iterable<Rule>) {
    for (const rule of rules) {
      const { scope } = rule
      if (scope.kind === 'model' && scope.pattern.includes('*')) this.#globs.push(rule)
      else this.#put(scope.kind, idOf(scope), rule)
    }
  }

  /** All rules that count what `spender` spends; each once. */
  matching(spender: Spender): readonly Rule[] {
    const found = this.matchingKey(spender)
    this.#take('provider', [spender.provider], found)
    this.#take('account', [spender.accountId], found)
    this.#take('chain', spender.chainIds, found)
    if (this.#globs.length === 0 && !this.#byKind.has('model')) return found
    const names = [`${spender.provider}/${spender.model}`, ...spender.names]
    this.#take('model', names, found)
    found.push(...this.#matchingGlobs(names))
    return found
  }

  /** Those that match whatever the target. */
  matchingKey({ keyId, planId, tags }: SpenderOfKey): Rule[] {
    const found: Rule[] = []
    this.#take('global', [EVERYTHING], found)
    this.#take('key', [keyId], found)
    this.#take('plan', [planId], found)
    if (this.#byKind.has('tag')) this.#take('tag', Object.entries(tags).map(tagOf), found)
    return found
  }

  #put(kind: Kind, id: string, rule: Rule): void {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, Rule[]>()
    this.#byKind.set(kind, ofKind)
    ofKind.set(id, [...(ofKind.get(id) ?? []), rule])
  }

  /** Of several names of one thing some may be the same. */
  #take(kind: Kind, ids: readonly (string | null)[], found: Rule[]): void {
    const ofKind = this.#byKind.get(kind)
    if (ofKind === undefined) return
    for (const id of ids)
      for (const rule of (id === null ? undefined : ofKind.get(id)) ?? []) if (!found.includes(rule)) found.push(rule)
  }

  #matchingGlobs(names: readonly string[]): readonly Rule[] {
    if (this.#globs.length === 0) return []
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

function idOf(scope: SpendScope): string {
  switch (scope.kind) {
    case 'global':
      return EVERYTHING
    case 'model':
      return scope.pattern
    case 'tag':
      return tagOf([scope.name, scope.value])
    default:
      return scope.id
  }
}

function tagOf([name, value]: readonly [string, string]): string {
  return `${name}=${value}`
}
