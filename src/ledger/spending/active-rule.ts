import { Counter } from './counter.ts'
import type { Spender, SpendRule, SpendScope } from './spending.ts'

/** A rule with its counters. What it counts never changes; a rule that counts something else is another one, with a new name. */
export class ActiveRule {
  readonly shape: string
  /** What the names of its counters begin with. */
  readonly name: string
  /** Only its limits and what follows from them may change. */
  rule: SpendRule
  /** Has everything been added that was spent in its window before it began? */
  isFilled: boolean
  readonly #counters = new Map<string | null, Counter>()

  constructor(rule: SpendRule, name: string, isFilled: boolean) {
    this.rule = rule
    this.shape = shapeOf(rule)
    this.name = name
    this.isFilled = isFilled
  }

  get scope(): SpendScope {
    return this.rule.scope
  }

  get counters(): Iterable<Counter> {
    return this.#counters.values()
  }

  /** Made when it is first asked for. */
  counterOf({ keyId }: Pick<Spender, 'keyId'>): Counter {
    const owner = this.rule.each ? keyId : null
    const known = this.#counters.get(owner)
    if (known !== undefined) return known
    const counter = new Counter(owner === null ? this.name : `${this.name}.${owner}`, owner)
    this.#counters.set(owner, counter)
    return counter
  }

  /** The counter that a row names; undefined when it is not one of this rule's. */
  counterNamed(name: string): Counter | undefined {
    if (name === this.name) return this.rule.each ? undefined : this.counterOf({ keyId: null })
    return name.startsWith(`${this.name}.`) ? this.counterOf({ keyId: name.slice(this.name.length + 1) }) : undefined
  }
}

/** What it counts, apart from how much of it is allowed. */
export function shapeOf(rule: SpendRule): string {
  const { scope, each, window } = rule
  return JSON.stringify({ scope, each, window, unpriced: countsUnpriced(rule) })
}

/** Does the rule count what has no price of its own? Without a limit in money, prices do not matter to it. */
export function countsUnpriced({ includeEstimates, limit }: SpendRule): boolean {
  return includeEstimates || limit.costNano === null
}
