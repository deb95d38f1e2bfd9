/**
 * How providers answer, seen from every call to them: their health, the circuit that leaves a failing one alone, and how much more
 * it is asked because it fails. An account with an address of its own has a circuit of its own. In memory alone: a restart is a
 * fresh look.
 */
import type { Clock } from '../../core/clock.ts'
import type { FailureKind } from '../../core/failure.ts'
import type { Log } from '../../core/log.ts'
import {
  afterPass,
  afterVerdict,
  CLOSED,
  isOutage,
  passesAfterMs,
  stateOf,
  type Circuit,
  type CircuitRules,
  type CircuitState,
  type Verdict,
} from '../../routing/breaker.ts'
import { type Health, HealthRecord } from '../../routing/health.ts'
import { afterFirst, afterRepeat, FULL_ALLOWANCE, type RetryAllowance } from '../../routing/retry-ratio.ts'
import type { SkipReason } from '../../routing/skip.ts'
import type { Hold, HeldAccount } from '../accounts/hold.ts'

/** Addresses that are watched; beyond it the one that was new first is forgotten. */
export const CIRCUITS_MAX = 4_096

/** Where a call goes: the provider's own address, or that of an account. */
export interface Destination {
  readonly provider: string
  readonly baseUrlOverride: string | null
}

/** One call to a provider. Each method counts once. */
export interface WatchedCall {
  /** The first content is there, or the whole answer. */
  answered(): void
  ended(failure: FailureKind | null): void
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
  readonly rules: () => CircuitRules
}

interface Watched {
  readonly circuits: Map<string, Circuit>
  readonly record: HealthRecord
  retries: RetryAllowance
}

export class ProviderWatch implements Hold {
  readonly #deps: Deps
  readonly #providers = new Map<string, Watched>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  why(account: HeldAccount): SkipReason | null {
    return this.returnsAfterMs(account) === 0 ? null : 'circuit_open'
  }

  returnsAfterMs(to: Destination): number {
    const circuit = this.#providers.get(to.provider)?.circuits.get(addressOf(to))
    return circuit === undefined ? 0 : passesAfterMs(circuit, this.#deps.rules(), this.#nowMs())
  }

  /** Why a request may not go there now. `isRepeat`: it has failed at this provider before, by the provider's fault. */
  refusal(to: Destination, isRepeat: boolean): SkipReason | null {
    if (this.returnsAfterMs(to) > 0) return 'circuit_open'
    const retries = this.#providers.get(to.provider)?.retries
    return isRepeat && retries !== undefined && afterRepeat(retries, this.#nowMs()) === undefined
      ? 'retries_spent'
      : null
  }

  /** Counts a call in that `refusal` has nothing against. */
  begin(to: Destination, isRepeat: boolean): WatchedCall {
    const watched = this.#watched(to.provider)
    const startedMs = this.#nowMs()
    watched.retries = (isRepeat ? afterRepeat : afterFirst)(watched.retries, startedMs) ?? watched.retries
    this.#move(watched, to, (circuit, rules) => afterPass(circuit, rules, startedMs))
    let isAnswered = false
    let isEnded = false
    return {
      answered: () => {
        if (isAnswered || isEnded) return
        isAnswered = true
        const nowMs = this.#nowMs()
        watched.record.answered(nowMs - startedMs, nowMs, this.#deps.clock.nowMs())
        this.#judge(watched, to, 'answered', startedMs)
      },
      ended: (failure) => {
        if (isEnded) return
        isEnded = true
        const isFailed = failure !== null && COUNTS_AS_FAILED.has(failure)
        if (isFailed) watched.record.failed(this.#nowMs())
        if (isAnswered) return
        this.#judge(watched, to, failure !== null && isOutage(failure) ? 'failed' : 'unknown', startedMs)
      },
    }
  }

  health(providerId: string): Health {
    const watched = this.#providers.get(providerId)
    const nowMs = this.#nowMs()
    return (watched?.record ?? new HealthRecord()).at(nowMs, circuitOf(watched, nowMs))
  }

  /** Providers of which at least one address is left alone now. */
  open(): readonly string[] {
    const nowMs = this.#nowMs()
    const isOpen = ({ circuits }: Watched): boolean =>
      [...circuits.values()].some((circuit) => stateOf(circuit, nowMs) === 'open')
    return [...this.#providers].filter(([, watched]) => isOpen(watched)).map(([id]) => id)
  }

  #judge(watched: Watched, to: Destination, verdict: Verdict, startedMs: number): void {
    this.#move(watched, to, (circuit, rules) => afterVerdict(circuit, verdict, startedMs, rules, this.#nowMs()))
  }

  #move(watched: Watched, to: Destination, step: (circuit: Circuit, rules: CircuitRules) => Circuit): void {
    const address = addressOf(to)
    const before = watched.circuits.get(address) ?? CLOSED
    const after = step(before, this.#deps.rules())
    watched.circuits.set(address, after)
    bound(watched.circuits)
    if (before.state !== after.state || isReopened(before, after)) this.#tell(to, after)
  }

  #tell({ provider, baseUrlOverride }: Destination, { state }: Circuit): void {
    const what = state === 'open' ? 'a provider fails and is left alone' : 'a provider answers again'
    const where = { provider, ...(baseUrlOverride === null ? {} : { own_address: true }) }
    this.#deps.log.write(state === 'open' ? 'warn' : 'info', 'provider', what, where)
  }

  #watched(providerId: string): Watched {
    const known = this.#providers.get(providerId)
    if (known !== undefined) return known
    const watched = { circuits: new Map<string, Circuit>(), record: new HealthRecord(), retries: FULL_ALLOWANCE }
    this.#providers.set(providerId, watched)
    return watched
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs()
  }
}

/** What the error rate counts besides outages: answers that came to nothing. */
const COUNTS_AS_FAILED: ReadonlySet<FailureKind> = new Set([
  'connect',
  'timeout',
  'overloaded',
  'server',
  'empty',
  'cut',
])

function addressOf({ baseUrlOverride }: Destination): string {
  return baseUrlOverride ?? ''
}

function isReopened(before: Circuit, after: Circuit): boolean {
  return before.state === 'open' && after.state === 'open' && before.untilMs !== after.untilMs
}

/** The best of its addresses: as long as one takes requests, the provider does. */
function circuitOf(watched: Watched | undefined, nowMs: number): CircuitState {
  const states = new Set([...(watched?.circuits.values() ?? [])].map((circuit) => stateOf(circuit, nowMs)))
  if (states.size === 0 || states.has('closed')) return 'closed'
  return states.has('half_open') ? 'half_open' : 'open'
}

function bound(circuits: Map<string, Circuit>): void {
  if (circuits.size <= CIRCUITS_MAX) return
  for (const first of circuits.keys()) {
    circuits.delete(first)
    return
  }
}
