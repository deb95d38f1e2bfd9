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
  /** From 0 (not reached) to 1 (not reached). */
  readonly uniform: () => number
}

/** The best exits, best first, at most `count`. */
export function chosenExits(
  strategy: ExitStrategy,
  exits: readonly WeightedExit[],
  facts: ChoiceFacts,
  count: number,
): readonly Exit[] {
  const scored = exits.map((one) => ({ one, score: SCORES[strategy](one, facts) }))
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, count)
  if (strategy === 'round_robin') facts.turns.took(exits, best[0]?.one)
  return best.map(({ one }) => one.exit)
}

/** The highest is taken first. */
const SCORES: Readonly<Record<ExitStrategy, (one: WeightedExit, facts: ChoiceFacts) => number>> = {
  sticky_account: ({ exit, weight }, { stickyKey }) => rendezvous(hashed(stickyKey, exit), weight),
  random: ({ weight }, { uniform }) => rendezvous(uniform(), weight),
  round_robin: ({ exit, weight }, { turns }) => turns.of(exit) + weight,
  // One that nobody has measured is tried, so that it is.
  least_latency: ({ exit }, { latencyMs }) => -(latencyMs(exit) ?? 0),
}

/**
 * Weighted rendezvous: each exit is the best with a probability by its weight, and an exit that comes or goes moves only the
 * accounts that are its own. https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf (read 2026-11-21)
 */
function rendezvous(uniform: number, weight: number): number {
  return -weight / Math.log(uniform)
}

/** The login counts: where one host has many exits, the user name says which. */
function hashed(key: string, exit: Exit): number {
  const bits = Bun.hash.xxHash32(`${key}\n${exit.kind}\n${exit.where}\n${exit.login?.user ?? ''}`)
  return (bits + 0.5) / 2 ** 32
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
