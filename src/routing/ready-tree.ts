/**
 * From when on each of many accounts can be used, so that the next usable one is found in time that grows with the logarithm of
 * their number: a tree of minima over moments. Moments are wall time in milliseconds, 0 for "now", Infinity for "not by waiting".
 */
export class ReadyTree {
  readonly #leaves: number
  /** The root at 1, the children of `n` at `2n` and `2n + 1`, the first leaf at `#leaves`. */
  readonly #minima: Float64Array

  constructor(readyAtMs: readonly number[]) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, readyAtMs.length)))
    this.#minima = new Float64Array(2 * this.#leaves).fill(Infinity)
    this.#minima.set(readyAtMs, this.#leaves)
    for (let node = this.#leaves - 1; node > 0; node--) this.#refresh(node)
  }

  readyAtMs(position: number): number {
    return this.#minima[this.#leaves + position] ?? Infinity
  }

  set(position: number, readyAtMs: number): void {
    let node = this.#leaves + position
    this.#minima[node] = readyAtMs
    for (node >>= 1; node > 0; node >>= 1) this.#refresh(node)
  }

  /** The first position from `from` on and before `to` that is ready; -1 when there is none. */
  next(from: number, to: number, nowMs: number): number {
    let node = from < to ? this.#subtreeFrom(from, nowMs) : 0
    if (node === 0) return -1
    while (node < this.#leaves) node = this.#isReady(2 * node, nowMs) ? 2 * node : 2 * node + 1
    const position = node - this.#leaves
    return position < to ? position : -1
  }

  /** The root of the leftmost subtree, none of it before `from`, that has a ready leaf; 0 when there is none. */
  #subtreeFrom(from: number, nowMs: number): number {
    let node = this.#leaves + from
    for (;;) {
      while (node % 2 === 0) node >>= 1
      if (this.#isReady(node, nowMs)) return node
      node++
      if (isFirstOfLevel(node)) return 0 // everything to the right was looked at
    }
  }

  #isReady(node: number, nowMs: number): boolean {
    return (this.#minima[node] ?? Infinity) <= nowMs
  }

  #refresh(node: number): void {
    this.#minima[node] = Math.min(this.#minima[2 * node] ?? Infinity, this.#minima[2 * node + 1] ?? Infinity)
  }
}

function isFirstOfLevel(node: number): boolean {
  return (node & (node - 1)) === 0
}
