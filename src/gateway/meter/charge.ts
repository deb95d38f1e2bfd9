/** What an attempt has cost: by what its provider says, by what was seen of it, or by what was set aside for it. */
import type { Failure } from '../../core/failure.ts'
import { inputTokens, NO_USAGE, sumOfUsage, type Usage } from '../../core/usage.ts'
import { leastCertain, TOKENS_MAX } from '../../ledger/cost.ts'
import type { Reservation } from '../../ledger/spending/spending.ts'
import type { CostSource } from '../../ledger/record.ts'

export interface AttemptResult {
  readonly failure: Failure | null
  readonly http: number | null
  readonly upstreamRequestId: string | null
  /** Undefined when the provider gave no figure. */
  readonly usage: Usage | undefined
  /** Local estimate of the output that was delivered, for when `usage` is missing. */
  readonly outputTokensEstimate: number
  /** Whether the provider can have worked: nothing is charged otherwise. */
  readonly mayHaveCost: boolean
}

export interface Charge {
  readonly usage: Usage
  readonly costNano: number
  readonly costSource: CostSource
}

/** What the tokens of an attempt come to. */
type PriceOf = (usage: Usage) => Pick<Charge, 'costNano' | 'costSource'>

const NOTHING: Charge = { usage: NO_USAGE, costNano: 0, costSource: 'free' }

/** `inputTokensEstimate`: of its request, for when the provider gave no figure. */
export function chargeFor(
  result: AttemptResult,
  reservation: Reservation,
  inputTokensEstimate: number,
  priceOf: PriceOf,
): Charge {
  if (result.usage === undefined && !result.mayHaveCost) return NOTHING
  const told = isTold(result.usage) ? result.usage : undefined
  if (told === undefined && isUnknown(result) && isMeasured(reservation)) return chargeOf(reservation)
  const { outputTokensEstimate: output } = result
  const usage = told ?? { ...NO_USAGE, inputUncached: inputTokensEstimate, output, estimated: true }
  return { usage, ...priceOf(usage) }
}

export function stateOf(result: AttemptResult, charge: Charge): 'settled' | 'estimated' | 'released' {
  if (result.usage === undefined && !result.mayHaveCost) return 'released'
  return charge.usage.estimated ? 'estimated' : 'settled'
}

/** The sum over all attempts; the least certain source names the whole. */
export function total(charges: readonly Charge[]): Charge {
  const [first, ...others] = charges
  return first === undefined ? NOTHING : others.reduce(add, first)
}

/** Figures that a provider can mean: it counted something, and nothing that cannot be. */
function isTold(usage: Usage | undefined): usage is Usage {
  if (usage === undefined) return false
  const counts = [inputTokens(usage), usage.inputUncached, usage.cacheRead, usage.output]
  return counts.every((count) => count >= 0 && count <= TOKENS_MAX) && inputTokens(usage) + usage.output > 0
}

/** It may have worked for nothing that anybody has seen. */
function isUnknown({ failure, outputTokensEstimate }: AttemptResult): boolean {
  return failure !== null && outputTokensEstimate === 0
}

/** Does anything count on what it may come to? */
function isMeasured({ inputTokens: input, outputTokens: output }: Reservation): boolean {
  return input + output > 0
}

/** Until the provider's bill says otherwise, all that was set aside is spent. */
function chargeOf({ costNano, inputTokens: inputUncached, outputTokens: output }: Reservation): Charge {
  return { usage: { ...NO_USAGE, inputUncached, output, estimated: true }, costNano, costSource: 'estimated' }
}

function add(a: Charge, b: Charge): Charge {
  const costSource = leastCertain(a.costSource, b.costSource)
  return { usage: sumOfUsage(a.usage, b.usage), costNano: a.costNano + b.costNano, costSource }
}
