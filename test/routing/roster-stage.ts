/** Routing over the accounts of a real roster, with the rest of the moment held still. */
import { failure } from '../../src/core/failure.ts'
import type { AccountRoster } from '../../src/resources/accounts/roster.ts'
import { pinsOf } from '../../src/routing/affinity.ts'
import type { Candidate, Choosing, RankedAccount } from '../../src/routing/candidates.ts'
import { candidatesOf } from '../../src/routing/choose.ts'
import type { RequestView } from '../../src/routing/request-view.ts'
import type { HandClock } from '../support/clock.ts'
import { RoutingStage, type Scene, view } from './stage.ts'

export const MODEL = 'gpt-x'
export const NAME = `openai/${MODEL}`

export class RosterStage extends RoutingStage {
  readonly roster: AccountRoster

  constructor(roster: AccountRoster, clock: HandClock, scene: Scene = {}) {
    super(scene, clock)
    this.roster = roster
  }

  override choosing(request: RequestView = view()): Choosing<RankedAccount> {
    return { ...super.choosing(request), accounts: this.roster }
  }

  /** What would be tried, in order. */
  *candidates(name = NAME, request = view()): Generator<Candidate<RankedAccount>> {
    for (const one of candidatesOf(this.route(name), this.choosing(request))) if (one.skipped === null) yield one
  }

  /** The accounts of those. */
  tried(request = view()): readonly string[] {
    return [...this.candidates(NAME, request)].flatMap(({ account }) => account?.id ?? [])
  }

  /** Those that affinity kept. */
  kept(request = view()): readonly string[] {
    return [...this.candidates(NAME, request)].flatMap(({ account, isKept }) => (isKept && account?.id) || [])
  }

  /** As a request does: the first one answers, and is remembered. */
  use(request = view()): string {
    for (const one of this.candidates(NAME, request)) {
      this.remember(one, request)
      return one.account?.id ?? 'none'
    }
    return 'nothing'
  }

  remember(answered: Candidate<RankedAccount>, request: RequestView): void {
    for (const pin of pinsOf(answered, this.choosing(request))) this.counters.pin(pin)
  }

  /** The account's provider asks to be left alone. */
  limit(id: string, retryAfterMs: number, model = MODEL): void {
    const limited = failure('rate_limit', 'slow down', { retryAfterMs })
    this.roster.failed(id, { failure: limited, http: 429, model, atMs: this.clock.nowMs() })
  }
}
