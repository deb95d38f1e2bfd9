/** What a check would cost with all its addresses, without asking anybody anything. */
import type { Usage } from '../../core/usage.ts'
import { amountOf, NOTHING, sum, type Amount } from './amount.ts'
import { estimateFor } from './estimate.ts'
import type { EndpointPlan } from './plan.ts'
import { placeOf, type RunDeps, type Subject } from './provider-run.ts'

export interface Quote {
  /** By address, in the order of the plan; empty when the provider has to be asked for its models first. */
  readonly models: readonly string[]
  readonly calls: number
  readonly usual: Amount
  /** Every answer as long as it may be, and every quirk tried. */
  readonly most: Amount
}

type QuoteDeps = Pick<RunDeps, 'clock' | 'random' | 'prices' | 'dialectOf' | 'capabilitiesOf'>

export function quoteFor(subject: Subject, plans: readonly EndpointPlan[], deps: QuoteDeps): Quote {
  let quote: Quote = { models: [], calls: 0, usual: NOTHING, most: NOTHING }
  for (const { endpoint, models } of plans) {
    const place = placeOf(subject, endpoint, models[0], deps)
    const { calls, usual, most } = estimateFor(place, deps.random)
    const amount = (usage: Usage) => amountOf(usage, place.provider, place.model, deps)
    quote = {
      models: [...quote.models, place.model],
      calls: quote.calls + calls,
      usual: sum(quote.usual, amount(usual)),
      most: sum(quote.most, amount(most)),
    }
  }
  return quote
}
