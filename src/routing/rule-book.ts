/** All rules at one moment, found by the names that clients write. Made once for each change of rules; reading never walks them all. */
import type { RouteRule } from './rule.ts'

export interface RuleBook {
  /** Enabled or not, in no particular order. */
  readonly all: readonly RouteRule[]
  /** Enabled or not. */
  withId(id: string): RouteRule | undefined
  /** An enabled alias of exactly this name. */
  alias(name: string): RouteRule | undefined
  /** An enabled chain by its bare slug. */
  chain(slug: string): RouteRule | undefined
  /** The enabled alias with a trailing `*` that fits, with the longest literal part. */
  wildcard(name: string): RouteRule | undefined
}

export function ruleBook(all: readonly RouteRule[]): RuleBook {
  const enabled = all.filter((rule) => rule.enabled)
  const aliases = new Map<string, RouteRule>()
  const chains = new Map<string, RouteRule>()
  const stems = new Map<string, RouteRule>()
  for (const rule of enabled) {
    if (rule.kind === 'chain') chains.set(rule.name, rule)
    else if (rule.name.endsWith('*')) stems.set(rule.name.slice(0, -1), rule)
    else aliases.set(rule.name, rule)
  }
  const byId = new Map(all.map((rule) => [rule.id, rule]))
  const lengths = [...new Set([...stems.keys()].map((stem) => stem.length))].toSorted((a, b) => b - a)
  return {
    all,
    withId: (id) => byId.get(id),
    alias: (name) => aliases.get(name),
    chain: (slug) => chains.get(slug),
    wildcard: (name) => longestStem(name, stems, lengths),
  }
}

/** One look-up for each length that some stem has; names are short, so there are few. */
function longestStem(
  name: string,
  stems: ReadonlyMap<string, RouteRule>,
  lengths: readonly number[],
): RouteRule | undefined {
  for (const length of lengths) {
    const found = length <= name.length ? stems.get(name.slice(0, length)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
