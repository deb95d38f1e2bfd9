/**
 * Tokens as every vendor's bill can be derived from. `output` includes `reasoning`; the three inputs do not overlap.
 * All are integers ≥ 0. The total prompt is `inputUncached + cacheRead + cacheWrite5m + cacheWrite1h`.
 */
export interface Usage {
  readonly inputUncached: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly output: number
  readonly reasoning: number
  readonly audioIn: number
  readonly audioOut: number
  readonly imageIn: number
  readonly webSearches: number
  /** The tokens that are paid, where the vendor says that they are others than those read and written. */
  readonly billed?: BilledTokens
  /** The tier that the vendor says it used. */
  readonly tier?: string
  /** True when the vendor gave no figure and ours was estimated from bytes. */
  readonly estimated: boolean
}

export interface BilledTokens {
  /** All of the prompt that is paid, cached or not. */
  readonly input: number
  readonly output: number
}

export const NO_USAGE: Usage = {
  inputUncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  audioIn: 0,
  audioOut: 0,
  imageIn: 0,
  webSearches: 0,
  estimated: false,
}

/** All prompt tokens, cached or not. */
export function inputTokens(usage: Usage): number {
  return usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h
}

/** All counts of both; the later tier stands for both. */
export function sumOfUsage(a: Usage, b: Usage): Usage {
  const tier = b.tier ?? a.tier
  const billed = a.billed === undefined && b.billed === undefined ? undefined : sumOfBilled(billedOf(a), billedOf(b))
  return {
    inputUncached: a.inputUncached + b.inputUncached,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite5m: a.cacheWrite5m + b.cacheWrite5m,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    audioIn: a.audioIn + b.audioIn,
    audioOut: a.audioOut + b.audioOut,
    imageIn: a.imageIn + b.imageIn,
    webSearches: a.webSearches + b.webSearches,
    estimated: a.estimated || b.estimated,
    ...(billed === undefined ? {} : { billed }),
    ...(tier === undefined ? {} : { tier }),
  }
}

/** What is paid of an answer; all of it where the vendor does not say otherwise. */
function billedOf(usage: Usage): BilledTokens {
  return usage.billed ?? { input: inputTokens(usage), output: usage.output }
}

function sumOfBilled(a: BilledTokens, b: BilledTokens): BilledTokens {
  return { input: a.input + b.input, output: a.output + b.output }
}
