/** Which of several exits is taken. Pure, but for the turns that are counted in `Turns`. */
import type { Exit } from './exit.ts'

export const EXIT_STRATEGIES = ['sticky_account', 'round_robin', 'random', 'least_latency'] as const
export type ExitStrategy = (typeof EXIT_STRATEGIES)[number]

export interface WeightedExit {
  readonly exit: Exit
  /** At least 1. */
  readonly weight: number
}

export interface ChoiceFacts {
  /** Who keeps the same exit with `sticky_account`. */
  readonly stickyKey: string
  readonly turns: Turns
  readonly latencyMs: (exit: Exit) => number | null
  /** That many random numbers of 32 bits. */
  readonly randomBits: (count: number) => Uint32Array
}

/** The best exits, best first, at most `count`. */
export function chosenExits(
  strategy: ExitStrategy,
  exits: readonly WeightedExit[],
  facts: ChoiceFacts,
  count: number,
): readonly Exit[] {
  const scores = SCORES[strategy](exits, facts)
  const best = highest(scores, count).flatMap((index) => exits[index] ?? [])
  if (strategy === 'round_robin') facts.turns.took(exits, best[0])
  return best.map(({ exit }) => exit)
}

/** One score for each exit; the highest is taken first. */
type Score = (exits: readonly WeightedExit[], facts: ChoiceFacts) => readonly number[]

const SCORES: Readonly<Record<ExitStrategy, Score>> = {
  sticky_account: (exits, { stickyKey }) => {
    const key = Bun.hash.xxHash32(stickyKey)
    return exits.map(({ exit, weight }) => rendezvous(mixed(key ^ exit.place), weight))
  },
  random: (exits, { randomBits }) => {
    const bits = randomBits(exits.length)
    return exits.map(({ weight }, index) => rendezvous(bits[index] ?? 0, weight))
  },
  round_robin: (exits, { turns }) => exits.map(({ exit, weight }) => turns.of(exit) + weight),
  // One that nobody has measured is tried, so that it is.
  least_latency: (exits, { latencyMs }) => exits.map(({ exit }) => -(latencyMs(exit) ?? 0)),
}

/**
 * Weighted rendezvous: each exit is the best with a probability by its weight, and an exit that comes or goes moves only the
 * accounts that are its own. `bits` are 32, as good as random.
 * https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf (read 2026-11-21)
 */
function rendezvous(bits: number, weight: number): number {
  return -weight / Math.log((bits + 0.5) / 2 ** 32)
}

/** The finalizer of MurmurHash3. https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp (read 2026-11-21) */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The places of the highest scores, the earlier one first among equals. `count` is small, so nothing is sorted. */
function highest(scores: readonly number[], count: number): readonly number[] {
  const places: number[] = []
  for (let taken = Math.min(count, scores.length); taken > 0; taken--) {
    let best = -1
    for (let place = 0; place < scores.length; place++) {
      const isFree = !places.includes(place)
      if (isFree && (best < 0 || (scores[place] ?? 0) > (scores[best] ?? 0))) best = place
    }
    places.push(best)
  }
  return places
}

/** Smooth weighted turns: each exit's share is its weight's, and no exit is taken in bursts. */
export class Turns {
  readonly #credit = new Map<string, number>()

  of({ key }: Exit): number {
    return this.#credit.get(key) ?? 0
  }

  /** Every exit earns its weight, and the one that was taken pays for all. */
  took(among: readonly WeightedExit[], taken: WeightedExit | undefined): void {
    const total = among.reduce((sum, { weight }) => sum + weight, 0)
    for (const { exit, weight } of among) this.#credit.set(exit.key, this.of(exit) + weight)
    if (taken !== undefined) this.#credit.set(taken.exit.key, this.of(taken.exit) - total)
  }
}
