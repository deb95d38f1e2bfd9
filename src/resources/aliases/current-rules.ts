import type { Clock } from '../../core/clock.ts'
import { ruleBook, type RuleBook } from '../../routing/rule-book.ts'
import type { RouteRule } from '../../routing/rule.ts'
import type { Alias } from './alias.ts'

interface Deps {
  readonly chains: { rules(): readonly RouteRule[] }
  readonly aliases: { rules(): readonly RouteRule[]; all(): readonly Alias[] }
  readonly clock: Pick<Clock, 'nowMs'>
}

interface Made {
  readonly chains: readonly RouteRule[]
  readonly aliases: readonly RouteRule[]
  /** When the next alias expires. */
  readonly untilMs: number
  readonly book: RuleBook
}

/** Chains and aliases as routing reads them. Put together anew when one was written or an alias has expired, never for a request. */
export class CurrentRules {
  readonly #deps: Deps
  #made: Made | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  book(): RuleBook {
    const { chains, aliases, clock } = this.#deps
    const [made, nowMs] = [this.#made, clock.nowMs()]
    const isCurrent = made?.chains === chains.rules() && made.aliases === aliases.rules() && nowMs < made.untilMs
    if (made !== undefined && isCurrent) return made.book
    this.#made = this.#make(nowMs)
    return this.#made.book
  }

  #make(nowMs: number): Made {
    const { chains, aliases } = this.#deps
    const ends = aliases.all().flatMap(({ id, expiresAtMs }) => (expiresAtMs === null ? [] : [{ id, expiresAtMs }]))
    const expired = new Set(ends.filter(({ expiresAtMs }) => expiresAtMs <= nowMs).map(({ id }) => id))
    const live = aliases.rules().filter(({ id }) => !expired.has(id))
    return {
      chains: chains.rules(),
      aliases: aliases.rules(),
      untilMs: Math.min(...ends.filter(({ id }) => !expired.has(id)).map(({ expiresAtMs }) => expiresAtMs)),
      book: ruleBook([...live, ...chains.rules()]),
    }
  }
}
