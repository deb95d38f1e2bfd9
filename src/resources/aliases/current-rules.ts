import type { Clock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'
import { ruleBook, type RuleBook } from '../../routing/rule-book.ts'
import { RETIREMENT_NOTICE_MS, type RouteRule } from '../../routing/rule.ts'

interface Deps {
  readonly chains: { rules(): readonly RouteRule[] }
  readonly aliases: { rules(): readonly RouteRule[] }
  readonly clock: Pick<Clock, 'nowMs' | 'every'>
}

interface Made {
  readonly chains: readonly RouteRule[]
  readonly aliases: readonly RouteRule[]
  /** When the next alias expires. */
  readonly untilMs: number
  readonly books: RuleBooks
}

/** Those that count, and the aliases that have expired. */
export interface RuleBooks {
  readonly rules: RuleBook
  readonly retired: RuleBook
}

/** Chains and aliases as routing reads them. Put together anew when one was written or an alias has expired, never for a request. */
export class CurrentRules {
  readonly #deps: Deps
  #made: Made | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  books(): RuleBooks {
    const { chains, aliases, clock } = this.#deps
    const [made, nowMs] = [this.#made, clock.nowMs()]
    const isCurrent = made?.chains === chains.rules() && made.aliases === aliases.rules() && nowMs < made.untilMs
    if (made !== undefined && isCurrent) return made.books
    this.#made = this.#make(nowMs)
    return this.#made.books
  }

  /** Tells the console, now and daily, which names end soon; the returned function ends that. */
  remind(log: Log): () => void {
    const tell = (): void => {
      const nowMs = this.#deps.clock.nowMs()
      for (const { name, retires } of this.books().rules.all) {
        if (retires === undefined || retires.atMs - nowMs > RETIREMENT_NOTICE_MS) continue
        const fields = {
          alias: name,
          expires_at: new Date(retires.atMs).toISOString(),
          replaced_by: retires.replacedBy,
        }
        log.write('warn', 'router', 'an alias ends soon', fields)
      }
    }
    tell()
    return this.#deps.clock.every(DAY_MS, tell)
  }

  #make(nowMs: number): Made {
    const { chains, aliases } = this.#deps
    const endOf = ({ retires }: RouteRule): number => retires?.atMs ?? Number.POSITIVE_INFINITY
    const live = aliases.rules().filter((rule) => endOf(rule) > nowMs)
    return {
      chains: chains.rules(),
      aliases: aliases.rules(),
      untilMs: Math.min(...live.map(endOf)),
      books: {
        rules: ruleBook([...live, ...chains.rules()]),
        retired: ruleBook(aliases.rules().filter((rule) => endOf(rule) <= nowMs)),
      },
    }
  }
}
