/** The last values of something that never ends, for its percentiles. Adding one costs nothing; reading sorts. */
export class Reservoir {
  readonly #values: Float64Array
  #added = 0

  constructor(valuesMax: number) {
    this.#values = new Float64Array(valuesMax)
  }

  add(value: number): void {
    this.#values[this.#added++ % this.#values.length] = value
  }

  /** By nearest rank; null before the first value. */
  percentile(per: number): number | null {
    const count = Math.min(this.#added, this.#values.length)
    if (count === 0) return null
    const sorted = this.#values.slice(0, count).sort()
    return sorted[Math.max(0, Math.ceil((count * per) / 100) - 1)] ?? null
  }
}
