/** How long answers are lately, by key and model: what the next one may be expected to be. In memory, bounded, forgotten at a stop. */

/** Answers of a key and a model that are remembered. */
export const ANSWERS_KEPT = 100
/** Keys with a model that are remembered; about 500 bytes each. Those not heard of for the longest go first. */
const PAIRS_MAX = 4_096
/** So many of a hundred are not longer. */
const PERCENTILE = 0.95

interface Recent {
  readonly outputs: Uint32Array
  count: number
  /** Undefined when an answer came since it was computed that may have changed it. */
  usual: number | undefined
}

export class AnswerSizes {
  readonly #pairs = new Map<string, Recent>()

  note(keyId: string | null, model: string, outputTokens: number): void {
    const name = `${keyId} ${model}`
    const recent = this.#pairs.get(name) ?? { outputs: new Uint32Array(ANSWERS_KEPT), count: 0, usual: undefined }
    this.#pairs.delete(name)
    this.#pairs.set(name, recent)
    const at = recent.count % ANSWERS_KEPT
    const replaced = recent.count < ANSWERS_KEPT ? undefined : recent.outputs[at]
    recent.outputs[at] = outputTokens
    recent.count++
    if (!isBeside(recent.usual, replaced, outputTokens)) recent.usual = undefined
    if (this.#pairs.size > PAIRS_MAX) this.#forgetOldest()
  }

  /** The 95th percentile in tokens; undefined without history. */
  usual(keyId: string | null, model: string): number | undefined {
    const recent = this.#pairs.get(`${keyId} ${model}`)
    if (recent === undefined) return undefined
    recent.usual ??= percentileOf(recent.outputs.slice(0, Math.min(recent.count, ANSWERS_KEPT)))
    return recent.usual
  }

  #forgetOldest(): void {
    for (const name of this.#pairs.keys()) return void this.#pairs.delete(name)
  }
}

/** One takes the place of another on the same side of what is usual: then that is the same again. */
function isBeside(usual: number | undefined, replaced: number | undefined, added: number): boolean {
  if (usual === undefined || replaced === undefined) return false
  return Math.sign(replaced - usual) === Math.sign(added - usual)
}

/** The nearest rank: an answer that there was, never less. */
function percentileOf(outputs: Uint32Array): number {
  const sorted = outputs.sort()
  return sorted[Math.ceil(PERCENTILE * sorted.length) - 1] ?? 0
}
