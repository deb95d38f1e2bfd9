import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import type { ExitReport } from '../client.ts'
import { chosenExits, Turns, type ExitStrategy, type WeightedExit } from './choice.ts'
import type { Exit } from './exit.ts'
import type { ObservedExits } from './observed.ts'

/** Exits that a call may leave through. */
export interface Exits {
  /** What they are, as the beginning of a sentence: `The proxy pool "EU"`. */
  readonly by: string
  /** Without an exit: fail, rather than go direct. */
  readonly strict: boolean
  /** Hosts that are called directly, in the words of `NO_PROXY`. */
  readonly bypass: readonly string[]
  /** Alive or not. */
  readonly all: readonly Exit[]
  /** Those that are alive, best first, at most `count`. */
  choose(stickyKey: string, count: number): readonly Exit[]
  /** This one is about to be used. */
  taken(exit: Exit): void
  report(exit: Exit, report: ExitReport): void
  /** A call goes direct, because no exit is alive. */
  wentDirect(where: string): void
}

export interface ExitPoolRules {
  readonly by: string
  readonly strategy: ExitStrategy
  readonly strict: boolean
  readonly bypass: readonly string[]
  readonly exits: readonly WeightedExit[]
}

export interface ExitPoolDeps {
  readonly observed: ObservedExits
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Going direct is worth one line in a while, not one for each call. */
const SAID_AGAIN_MS = 60_000

/** The exits of one pool. */
export class ExitPool implements Exits {
  readonly by: string
  readonly strict: boolean
  readonly bypass: readonly string[]
  readonly all: readonly Exit[]
  readonly #rules: ExitPoolRules
  readonly #deps: ExitPoolDeps
  readonly #turns = new Turns()
  #saidAtMs = Number.NEGATIVE_INFINITY

  constructor(rules: ExitPoolRules, deps: ExitPoolDeps) {
    this.by = rules.by
    this.strict = rules.strict
    this.bypass = rules.bypass
    this.all = rules.exits.map(({ exit }) => exit)
    this.#rules = rules
    this.#deps = deps
  }

  choose(stickyKey: string, count: number): readonly Exit[] {
    const { observed, random } = this.#deps
    const alive = this.#rules.exits.filter(({ exit }) => observed.isAlive(exit))
    const facts = {
      stickyKey,
      turns: this.#turns,
      latencyMs: (exit: Exit) => observed.latencyMs(exit),
      randomBits: (bits: number) => new Uint32Array(Uint8Array.from(random.bytes(bits * 4)).buffer),
    }
    return chosenExits(this.#rules.strategy, alive, facts, count)
  }

  taken(exit: Exit): void {
    this.#deps.observed.taken(exit)
  }

  report(exit: Exit, report: ExitReport): void {
    this.#deps.observed.report(exit, report)
  }

  wentDirect(where: string): void {
    const nowMs = this.#deps.clock.monotonicMs()
    if (nowMs - this.#saidAtMs < SAID_AGAIN_MS) return
    this.#saidAtMs = nowMs
    this.#deps.log.write('warn', 'router', `${this.by} has no exit that is alive: calls go direct`, { where })
  }
}

/** One exit that is taken whatever is known of it: a check, or a proxy of the environment. */
export function onlyExit(
  by: string,
  exit: Exit,
  report: (report: ExitReport) => void = () => {},
  bypass: readonly string[] = [],
): Exits {
  return {
    by,
    strict: true,
    bypass,
    all: [exit],
    choose: () => [exit],
    taken: () => {},
    report: (_, outcome) => report(outcome),
    wentDirect: () => {},
  }
}
