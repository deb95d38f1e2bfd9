/** Every candidate of a request with what became of it, in the order in which they were considered. */
import type { Failure } from '../../core/failure.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { RequestRules, RouteStep, RouteVia } from '../../ledger/record.ts'
import type { Candidate, Considered } from '../../routing/candidates.ts'
import type { RouteRule } from '../../routing/rule.ts'
import type { GatewayAccount } from '../deps.ts'

/** Beyond it, those that are passed over for one reason at one model count as one. */
export const SKIPS_LISTED_MAX = 50
/** Models and reasons that are kept apart even then. */
const SUMS_MAX = 50

type About = Pick<RouteStep, 'outcome' | 'reason' | 'detail' | 'ms' | 'costNano'>

export interface Attempted {
  readonly ms: number
  readonly costNano: NanoUsd
  /** It was to go on with an answer that had been cut. */
  readonly continues: boolean
}

const CONTINUED = 'It was asked to go on with the answer that had been cut.'

export class RouteRecord {
  readonly #steps: RouteStep[] = []
  readonly #sums = new Map<string, number>()
  #skips = 0

  get steps(): readonly RouteStep[] {
    return this.#steps
  }

  skip(considered: Considered<GatewayAccount>, reason: string): void {
    const detail = considered.skipped === null ? null : considered.detail
    const step = stepOf(considered, { outcome: 'skipped', reason, ...(detail === null ? {} : { detail }) })
    if (++this.#skips <= SKIPS_LISTED_MAX) this.#steps.push(step)
    else this.#sum(step)
  }

  tried(candidate: Candidate<GatewayAccount>, failure: Failure | null, { ms, costNano, continues }: Attempted): void {
    const outcome = failure === null ? 'ok' : 'failed'
    const detail = continues ? { detail: CONTINUED } : {}
    const about = { outcome, reason: failure?.kind ?? null, ms: Math.round(ms), costNano, ...detail } as const
    this.#steps.push(stepOf(candidate, about))
  }

  #sum(step: RouteStep): void {
    const name = `${step.provider}/${step.model} ${step.reason}`
    const at = this.#sums.get(name)
    const sum = at === undefined ? undefined : this.#steps[at]
    if (at !== undefined && sum !== undefined) this.#steps[at] = { ...sum, count: (sum.count ?? 1) + 1 }
    else if (this.#sums.size < SUMS_MAX) {
      this.#sums.set(name, this.#steps.length)
      this.#steps.push({ ...step, accountId: null })
    }
  }
}

function stepOf({ provider, model, account, via }: Considered<GatewayAccount>, about: About): RouteStep {
  const step = { provider: provider?.id ?? '', model, accountId: account?.id ?? null, ...about }
  return via.length === 0 ? step : { ...step, via: viaOf({ via }) }
}

type Led = Pick<Candidate<GatewayAccount>, 'via'>
type Named = Pick<RouteRule, 'kind' | 'id' | 'name'>

export function viaOf({ via }: Led): readonly RouteVia[] {
  return via.map(({ rule, target }) => ({ rule: rule.id, target: target.id }))
}

/** What a request's row says of rules: of those that led to `tried`; where nothing was tried, of the one `asked` for. */
export function rulesOf(tried: Led | undefined, asked: Named | null): { readonly rules?: RequestRules } {
  const path = tried?.via ?? []
  const named = path.length > 0 || asked === null ? path.map(({ rule }) => rule) : [asked]
  if (named.length === 0) return {}
  return {
    rules: {
      chainId: named.find(({ kind }) => kind === 'chain')?.id ?? null,
      stepId: path.find(({ rule }) => rule.kind === 'chain')?.target.id ?? null,
      alias: named.find(({ kind }) => kind === 'alias')?.name ?? null,
    },
  }
}
