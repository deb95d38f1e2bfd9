/** The attempts that may be made for a request, or for a part of it that runs beside others. */
export class Allowance {
  readonly #keptBack: number
  #made = 0

  /** `keptBack`: attempts of the whole request that are not for this part of it. */
  constructor(keptBack = 0) {
    this.#keptBack = keptBack
  }

  /** What counts against the attempts that the rules allow for the whole request. */
  get spent(): number {
    return this.#keptBack + this.#made
  }

  take(): void {
    this.#made++
  }
}
