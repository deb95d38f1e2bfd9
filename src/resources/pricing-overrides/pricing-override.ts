/**
 * What operators say that models cost: a price in place of the catalogue's, or a multiple of it, for all or for one key, plan,
 * account or provider, from one moment to another. Rows in the ledger stay as they were priced. Invariants: of several overrides the
 * most specific counts, which one that is does not depend on the order of their creation alone; an override without a price in
 * the catalogue to complete it never makes a model free.
 */
import type { ServiceTierFactors } from '../../catalog/price.ts'
import type { PicoUsd } from '../../core/money.ts'

/** The most specific first: that is the order in which they count. */
export const OVERRIDE_SCOPES = ['account', 'key', 'plan', 'provider', 'global'] as const
export type OverrideScope = (typeof OVERRIDE_SCOPES)[number]

/** `multiply`: a discount or a margin on whatever would count without it. */
export const OVERRIDE_MODES = ['set', 'multiply'] as const
export type OverrideMode = (typeof OVERRIDE_MODES)[number]

/** Pico-dollars per token, search or request; null keeps what the catalogue says. */
export interface SetPrices {
  readonly input: PicoUsd | null
  readonly output: PicoUsd | null
  readonly cacheRead: PicoUsd | null
  readonly cacheWrite5m: PicoUsd | null
  readonly cacheWrite1h: PicoUsd | null
  readonly reasoning: PicoUsd | null
  readonly audioIn: PicoUsd | null
  readonly audioOut: PicoUsd | null
  readonly imageIn: PicoUsd | null
  readonly perRequest: PicoUsd | null
  readonly webSearch: PicoUsd | null
}

/** Above a number of input tokens; null: as below it. */
export interface SetTier {
  readonly aboveInputTokens: number
  readonly input: PicoUsd | null
  readonly output: PicoUsd | null
  readonly cacheRead: PicoUsd | null
  readonly cacheWrite: PicoUsd | null
}

export interface OverrideRules {
  /** `provider/model` as the provider names it, or a glob over that. */
  readonly model: string
  readonly scope: OverrideScope
  /** Null for `global`. */
  readonly scopeId: string | null
  readonly mode: OverrideMode
  readonly multiplier: number
  readonly prices: SetPrices
  /** Ascending; none: the catalogue's, with `prices` laid over each. */
  readonly tiers: readonly SetTier[]
  readonly serviceTiers: ServiceTierFactors
  /** What the operator wants to remember: the contract's currency, the rate of exchange. */
  readonly currencyNote: string
  readonly effectiveFromMs: number
  /** The first moment at which it does not count any more; null: none. */
  readonly effectiveToMs: number | null
}

export interface PricingOverride extends OverrideRules {
  readonly id: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

export function isExact({ model }: Pick<OverrideRules, 'model'>): boolean {
  return !model.includes('*')
}

/** Above zero where `a` counts before `b`: by scope, then an exact name before a glob, then the newest. */
export function compareSpecificity(a: PricingOverride, b: PricingOverride): number {
  return (
    OVERRIDE_SCOPES.indexOf(b.scope) - OVERRIDE_SCOPES.indexOf(a.scope) ||
    Number(isExact(a)) - Number(isExact(b)) ||
    a.effectiveFromMs - b.effectiveFromMs ||
    a.createdAtMs - b.createdAtMs ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  )
}

const STEPS_PER_SCOPE = 2

/** What operators see of that order: 1 to 10, the higher counts first; among equal ones the newest. */
export function priorityOf(override: Pick<OverrideRules, 'model' | 'scope'>): number {
  const rank = OVERRIDE_SCOPES.length - 1 - OVERRIDE_SCOPES.indexOf(override.scope)
  return rank * STEPS_PER_SCOPE + (isExact(override) ? STEPS_PER_SCOPE : 1)
}

export function countsAt({ effectiveFromMs, effectiveToMs }: OverrideRules, atMs: number): boolean {
  return atMs >= effectiveFromMs && (effectiveToMs === null || atMs < effectiveToMs)
}
