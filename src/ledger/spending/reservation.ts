/** How much a request sets aside while it runs: what it may take by its size, at the dearest price that it can be charged by. */
import type { Price, Rates } from '../../catalog/price.ts'
import { nanoFromPico, type NanoUsd } from '../../core/money.ts'
import { TOKENS_MAX } from '../cost.ts'
import type { SpendRule } from './spending.ts'

/** What a request is before anybody has answered it. */
export interface Demand {
  readonly inputTokens: number
  /** Asked for, over all the answers it wants; null: it does not say. */
  readonly outputTokensMax: number | null
  readonly answers: number
  /** What such answers take lately; undefined: nobody knows. */
  readonly usualOutputTokens: number | undefined
  /** What the model can say at most; undefined: nobody knows. */
  readonly modelOutputTokensMax: number | undefined
  readonly images: boolean
  readonly audio: boolean
  /** It asks for a cache that is kept for an hour. */
  readonly longCache: boolean
  /** It can be served in a tier that costs more. */
  readonly priority: boolean
}

export interface Size {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A million dollars: nothing costs more, and sums of it stay exact. */
const COST_NANO_MAX: NanoUsd = 1_000_000_000_000_000
/** What the estimate of the input may be short of. */
export const INPUT_MARGIN = 1.25
/** What an answer is expected to take where nothing tells, and the most it may take where nothing else limits it. */
export const OUTPUT_TOKENS_UNKNOWN = 4_096

/**
 * `strict`: no answer is longer, when `forcedOutput` is asked for. `expected`: few are. Whole numbers that can be added up and taken
 * away again exactly, whatever a client asks for.
 */
export function sizeOf(demand: Demand, reserve: SpendRule['reserve']): Size {
  const inputTokens = Math.ceil(demand.inputTokens * INPUT_MARGIN)
  const usual = demand.answers * (demand.usualOutputTokens ?? OUTPUT_TOKENS_UNKNOWN)
  const most = demand.outputTokensMax ?? demand.answers * forcedOutput(demand)
  const expected = Math.min(demand.outputTokensMax ?? Infinity, usual)
  return { inputTokens, outputTokens: Math.min(reserve === 'strict' ? most : expected, TOKENS_MAX) }
}

/** The limit that a request without one is given, for each of its answers. */
export function forcedOutput({ modelOutputTokensMax }: Pick<Demand, 'modelOutputTokensMax'>): number {
  return modelOutputTokensMax ?? OUTPUT_TOKENS_UNKNOWN
}

/** By the dearest rates that can apply. Searches that the provider runs by itself are not among them: nobody knows how many. */
export function costOfSize({ inputTokens, outputTokens }: Size, price: Price, demand: Demand): NanoUsd {
  const factor = demand.priority ? Math.max(1, price.serviceTiers.priority ?? 1) : 1
  const tiers = [price, ...price.tiers.filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens)]
  const input = Math.max(...tiers.map((rates) => dearestInput(rates, demand)))
  const output = Math.max(...tiers.map((rates) => dearestOutput(rates, demand)))
  return Math.min(
    nanoFromPico((inputTokens * input + outputTokens * output) * factor + price.perRequest),
    COST_NANO_MAX,
  )
}

/** Whatever a provider caches by itself is written before it is read. */
function dearestInput(rates: Rates, { images, audio, longCache }: Demand): number {
  const usual = Math.max(rates.input, rates.cacheRead, rates.cacheWrite5m)
  const media = Math.max(images ? rates.imageIn : 0, audio ? rates.audioIn : 0)
  return Math.max(usual, media, longCache ? rates.cacheWrite1h : 0)
}

function dearestOutput({ output, reasoning, audioOut }: Rates, { audio }: Demand): number {
  return Math.max(output, reasoning ?? 0, audio ? audioOut : 0)
}
