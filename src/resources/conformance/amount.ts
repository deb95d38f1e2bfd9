/** Tokens and what they cost, of a check that is to come or has been. */
import type { PriceBook } from '../../catalog/pricing.ts'
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { NanoUsd } from '../../core/money.ts'
import { inputTokens, type Usage } from '../../core/usage.ts'
import { costOf } from '../../ledger/cost.ts'

export interface Amount {
  readonly tokens: number
  /** Null where no price is known. */
  readonly costNano: NanoUsd | null
}

export interface AmountDeps {
  readonly clock: Clock
  readonly prices: Pick<PriceBook, 'priceOf'>
}

export const NOTHING: Amount = { tokens: 0, costNano: 0 }

export function amountOf(usage: Usage, provider: ProviderSpec, model: string, { clock, prices }: AmountDeps): Amount {
  const price = prices.priceOf(provider, model, clock.nowMs())
  const { costNano, costSource } = costOf(usage, price && { price, source: 'priced' }, provider.kind)
  return { tokens: inputTokens(usage) + usage.output, costNano: costSource === 'unknown' ? null : costNano }
}

/** What has no price makes the whole have none. */
export function sum(a: Amount, b: Amount): Amount {
  const costNano = a.costNano === null || b.costNano === null ? null : a.costNano + b.costNano
  return { tokens: a.tokens + b.tokens, costNano }
}
