/**
 * How providers answer, seen from every call to them: their health, the circuit that leaves a failing one alone, and how much more
 * it is asked because it fails. The address of an account that has one of its own is watched apart. In memory alone: a restart
 * is a fresh look.
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

/** Addresses of one provider that are watched; beyond it the one that was new first is forgotten. */
export const ADDRESSES_MAX = 4_096

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
  readonly addresses: Map<string, Address>
  readonly record: HealthRecord
}

interface Address {
  circuit: Circuit
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
    const address = this.#known(to)
    return address === undefined ? 0 : passesAfterMs(address.circuit, this.#deps.rules(), this.#nowMs())
  }

  /** Why a request may not go there now. `isRepeat`: it has failed there before, by the provider's fault. */
  refusal(to: Destination, isRepeat: boolean): SkipReason | null {
    if (this.returnsAfterMs(to) > 0) return 'circuit_open'
    const address = isRepeat ? this.#known(to) : undefined
    if (address === undefined || afterRepeat(address.retries, this.#nowMs()) !== undefined) return null
    return 'retries_spent'
  }

  /** Counts a call in that `refusal` has nothing against. */
  begin(to: Destination, isRepeat: boolean): WatchedCall {
    const { record, addresses } = this.#watched(to.provider)
    const address = addressIn(addresses, to)
    const startedMs = this.#nowMs()
    address.retries = (isRepeat ? afterRepeat : afterFirst)(address.retries, startedMs) ?? address.retries
    address.circuit = afterPass(address.circuit, this.#deps.rules(), startedMs)
    let isAnswered = false
    let isEnded = false
    return {
      answered: () => {
        if (isAnswered || isEnded) return
        isAnswered = true
        const nowMs = this.#nowMs()
        record.answered(nowMs - startedMs, nowMs, this.#deps.clock.nowMs())
        this.#judge(address, to, 'answered', startedMs)
      },
      ended: (failure) => {
        if (isEnded) return
        isEnded = true
        const isFailed = failure !== null && COUNTS_AS_FAILED.has(failure)
        if (isFailed) record.failed(this.#nowMs())
        if (isAnswered) return
        this.#judge(address, to, failure !== null && isOutage(failure) ? 'failed' : 'unknown', startedMs)
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
    const isOpen = ({ addresses }: Watched): boolean =>
      [...addresses.values()].some(({ circuit }) => stateOf(circuit, nowMs) === 'open')
    return [...this.#providers].filter(([, watched]) => isOpen(watched)).map(([id]) => id)
  }

  #judge(address: Address, to: Destination, verdict: Verdict, startedMs: number): void {
    const before = address.circuit
    address.circuit = afterVerdict(before, verdict, startedMs, this.#deps.rules(), this.#nowMs())
    if (before.state !== address.circuit.state || isReopened(before, address.circuit)) this.#tell(to, address.circuit)
  }

  #tell({ provider, baseUrlOverride }: Destination, { state }: Circuit): void {
    const what = state === 'open' ? 'a provider fails and is left alone' : 'a provider answers again'
    const where = { provider, ...(baseUrlOverride === null ? {} : { own_address: true }) }
    this.#deps.log.write(state === 'open' ? 'warn' : 'info', 'provider', what, where)
  }

  #known(to: Destination): Address | undefined {
    return this.#providers.get(to.provider)?.addresses.get(to.baseUrlOverride ?? OWN)
  }

  #watched(providerId: string): Watched {
    const known = this.#providers.get(providerId)
    if (known !== undefined) return known
    const watched = { addresses: new Map<string, Address>(), record: new HealthRecord() }
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

/** The provider's own address, beside those of accounts. */
const OWN = ''

function addressIn(addresses: Map<string, Address>, { baseUrlOverride }: Destination): Address {
  const name = baseUrlOverride ?? OWN
  const known = addresses.get(name)
  if (known !== undefined) return known
  const [first] = addresses.keys()
  if (addresses.size >= ADDRESSES_MAX && first !== undefined) addresses.delete(first)
  const address = { circuit: CLOSED, retries: FULL_ALLOWANCE }
  addresses.set(name, address)
  return address
}

function isReopened(before: Circuit, after: Circuit): boolean {
  return before.state === 'open' && after.state === 'open' && before.untilMs !== after.untilMs
}

/** The best of its addresses: as long as one takes requests, the provider does. */
function circuitOf(watched: Watched | undefined, nowMs: number): CircuitState {
  const states = new Set([...(watched?.addresses.values() ?? [])].map(({ circuit }) => stateOf(circuit, nowMs)))
  if (states.size === 0 || states.has('closed')) return 'closed'
  return states.has('half_open') ? 'half_open' : 'open'
}
