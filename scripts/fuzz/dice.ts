/** Chance that can be repeated: the same seed and case give the same throws (mulberry32, as fast as its use demands). */
export class Dice {
  #state: number

  constructor(seed: number, caseIndex: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(caseIndex + 1, 0x85ebca6b)) >>> 0
  }

  /** An integer from 0 to `sides - 1`; 0 when there are no sides. */
  below(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return sides <= 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }

  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }

  once(inAbout: number): boolean {
    return this.below(inAbout) === 0
  }
}
