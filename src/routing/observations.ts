/** What is known of the moment: counters that requests leave behind, prices, quotas, and chance. Handed in by the app. */
import type { ModelFacts, ProviderSpec } from '../catalog/provider.ts'

export interface Observations {
  /** From 0 up to 1. */
  random(): number
  /** Requests under way. */
  inFlightOfAccount(accountId: string): number
  inFlightOfModel(providerId: string, model: string): number
  /** Milliseconds to the first content, lately; undefined: not measured. */
  latencyMs(providerId: string, model: string): number | undefined
  /** Undefined: nobody knows. Free models cost 0. */
  priceOf(provider: ProviderSpec, model: string): StepPrice | undefined
  factsOf(provider: ProviderSpec, model: string): ModelFacts
  /** The share of its quota that an account has left, 0 to 1; undefined: it does not say. */
  quotaLeft(accountId: string, model: string): number | undefined
  /** How often `counter` has been asked for before; asking counts, but not where a choice is only explained. */
  turn(counter: string): number
  /** What requests of `owner` (a gateway key) that belong together used last; undefined: nothing, or longer ago than `ttlMs`. */
  pinned(owner: string, scope: string, key: string, ttlMs: number): Pin | undefined
}

/** US dollars per million tokens. */
export interface StepPrice {
  readonly input: number
  readonly output: number
}

export interface Pin {
  /** The id of an account or of a rule's target. */
  readonly to: string
  /** Requests in a row that used it. */
  readonly requests: number
}
