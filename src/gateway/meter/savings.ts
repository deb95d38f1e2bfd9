import type { ProviderSpec } from '../../catalog/provider.ts'
import type { NanoUsd } from '../../core/money.ts'
import { inputTokens, type Usage } from '../../core/usage.ts'
import type { CostSource, Saved } from '../../ledger/record.ts'
import type { Candidate, Considered } from '../../routing/candidates.ts'
import type { GatewayAccount } from '../deps.ts'

interface Cost {
  readonly costNano: NanoUsd
  readonly costSource: CostSource
}

interface Charged extends Cost {
  readonly usage: Usage
}

/** What tokens cost at a candidate, now and for this request's key. */
export type PriceAt = (
  to: { readonly provider: ProviderSpec; readonly model: string; readonly account: GatewayAccount | null },
  usage: Usage,
) => Cost

/**
 * What a request was spared. By caches: the same tokens, had none been read from or written to a prompt cache, less what was paid;
 * over all its attempts. By affinity: the same of attempts whose account it kept, which caches then do not count, so that the parts
 * add up. By routing: the tokens of its answer at the price of the first model that was considered, less what the model that answered
 * was paid. Each is negative where it cost more. Where a price is not known, nothing is said.
 */
export class Savings {
  readonly #priceAt: PriceAt
  #first: Considered<GatewayAccount> | undefined
  #cacheNano = 0
  #affinityNano = 0
  readonly #answers = new Map<Candidate<GatewayAccount>, Charged>()

  constructor(priceAt: PriceAt) {
    this.#priceAt = priceAt
  }

  /** The first one counts; what is no model that exists does not. */
  considers(considered: Considered<GatewayAccount>): void {
    if (considered.provider !== null) this.#first ??= considered
  }

  /** An attempt is over. */
  charged(candidate: Candidate<GatewayAccount>, charged: Charged, isAnswer: boolean): void {
    if (isAnswer) this.#answers.set(candidate, charged)
    const { usage } = charged
    if (usage.inputUncached === inputTokens(usage) || !isPriced(charged)) return
    const savedNano = this.#priceAt(candidate, withoutCaches(usage)).costNano - charged.costNano
    if (candidate.isKept) this.#affinityNano += savedNano
    else this.#cacheNano += savedNano
  }

  of(answering: Candidate<GatewayAccount> | undefined): Saved {
    return { cacheNano: this.#cacheNano, affinityNano: this.#affinityNano, routingNano: this.#byRouting(answering) }
  }

  #byRouting(answering: Candidate<GatewayAccount> | undefined): NanoUsd {
    const charged = answering && this.#answers.get(answering)
    const { provider = null, model = '', account = null } = this.#first ?? {}
    if (charged === undefined || provider === null || !isPriced(charged)) return 0
    if (provider.id === answering?.provider.id && model === answering.model) return 0
    const first = this.#priceAt({ provider, model, account }, charged.usage)
    return first.costSource === 'unknown' ? 0 : first.costNano - charged.costNano
  }
}

function isPriced({ costSource }: Cost): boolean {
  return costSource !== 'unknown'
}

function withoutCaches(usage: Usage): Usage {
  return { ...usage, inputUncached: inputTokens(usage), cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }
}
