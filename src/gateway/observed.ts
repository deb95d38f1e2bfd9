/** The moment as routing observes it, out of the parts that know. */
import type { Price } from '../catalog/price.ts'
import type { ModelFacts, ProviderSpec } from '../catalog/provider.ts'
import type { Clock } from '../core/clock.ts'
import { usdPerMtok } from '../core/money.ts'
import { chanceOf, type Random } from '../core/random.ts'
import type { RoutingCounters } from '../routing/counters.ts'
import type { Observations, StepPrice } from '../routing/observations.ts'

export interface Observed extends Pick<Observations, 'quotaLeft'> {
  readonly clock: Clock
  readonly random: Random
  readonly counters: RoutingCounters
  readonly capabilitiesOf: (provider: ProviderSpec, model: string) => ModelFacts
  readonly priceOf: (provider: ProviderSpec, model: string, atMs: number) => Price | undefined
}

const FREE: StepPrice = { input: 0, output: 0 }

export function observationsOf(parts: Observed): Observations {
  const { clock, random, counters, priceOf, capabilitiesOf } = parts
  return {
    random: () => chanceOf(random),
    inFlightOfAccount: (id) => counters.inFlightOfAccount(id),
    inFlightOfModel: (provider, model) => counters.inFlightOfModel(provider, model),
    latencyMs: (provider, model) => counters.latencyMs(provider, model),
    priceOf: (provider, model) => {
      if (provider.kind !== 'open-api') return FREE
      const price = priceOf(provider, model, clock.nowMs())
      return price && { input: usdPerMtok(price.input), output: usdPerMtok(price.output) }
    },
    factsOf: capabilitiesOf,
    quotaLeft: (accountId, model) => parts.quotaLeft(accountId, model),
    turn: (counter) => counters.turn(counter),
    pinned: (owner, scope, key, ttlMs) => counters.pinned(owner, scope, key, ttlMs),
  }
}

/** The same for a choice that is only explained: nobody's turn is taken. */
export function observedOnly(observations: Observations, counters: RoutingCounters): Observations {
  return { ...observations, turn: (counter) => counters.nextTurn(counter) }
}
