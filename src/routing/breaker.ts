/**
 * A circuit breaker as pure steps. Closed, everything passes; after too many failures it is open and nothing does; then a few
 * requests at a time may try, and the first one that is answered closes it again. Only failures that are the provider's own count.
 * Invariant: it blocks for at most `openMs`, and for `PROBE_MS` more when a request that tries never says how it ended.
 * Times are monotonic, in milliseconds.
 */
import type { FailureKind } from '../core/failure.ts'
import { EMPTY_WINDOW, plus, usedOf, type Window } from './shaping.ts'

export interface CircuitRules {
  /** Failures within `windowMs` after which it opens. */
  readonly errors: number
  readonly windowMs: number
  readonly openMs: number
  /** Requests at once that may try while it is half open. */
  readonly halfOpen: number
}

export type Circuit = ClosedCircuit | OpenCircuit

export interface ClosedCircuit {
  readonly state: 'closed'
  /** When the last failures were, at most `errors` of them. */
  readonly failuresMs: readonly number[]
  readonly calls: Window
  readonly failed: Window
}

export interface OpenCircuit {
  readonly state: 'open'
  /** From here on requests may try it: it is half open. */
  readonly untilMs: number
  /** When those that try now began. */
  readonly probesMs: readonly number[]
}

export type CircuitState = 'closed' | 'open' | 'half_open'

export const CLOSED: ClosedCircuit = { state: 'closed', failuresMs: [], calls: EMPTY_WINDOW, failed: EMPTY_WINDOW }

/** Of all calls in the window, so many must have failed, too: among thousands, a handful of failures is what networks do. */
export const FAILED_SHARE_MIN = 0.1
/** A request that tries and is not answered by then no longer keeps others from trying. */
export const PROBE_MS = 60_000

const COUNTED: ReadonlySet<FailureKind> = new Set(['connect', 'timeout', 'overloaded', 'server'])

/** Does a failure say that the provider itself is in trouble? */
export function isOutage(kind: FailureKind): boolean {
  return COUNTED.has(kind)
}

export function stateOf(circuit: Circuit, nowMs: number): CircuitState {
  if (circuit.state === 'closed') return 'closed'
  return nowMs < circuit.untilMs ? 'open' : 'half_open'
}

/** How long until a request may pass: 0 when one may now. */
export function passesAfterMs(circuit: Circuit, rules: CircuitRules, nowMs: number): number {
  if (circuit.state === 'closed') return 0
  if (nowMs < circuit.untilMs) return circuit.untilMs - nowMs
  const probes = underWay(circuit, nowMs)
  const [oldest] = probes
  return oldest === undefined || probes.length < rules.halfOpen ? 0 : oldest + PROBE_MS - nowMs
}

/** After a request was let through. It tries the provider when the circuit is open by then. */
export function afterPass(circuit: Circuit, rules: CircuitRules, nowMs: number): Circuit {
  if (circuit.state === 'closed') return { ...circuit, calls: plus(circuit.calls, 1, nowMs, rules.windowMs) }
  return { ...circuit, probesMs: [...underWay(circuit, nowMs), nowMs] }
}

/** How a request ended that began at `startedMs`; `unknown` says nothing about the provider. */
export type Verdict = 'answered' | 'failed' | 'unknown'

export function afterVerdict(
  circuit: Circuit,
  verdict: Verdict,
  startedMs: number,
  rules: CircuitRules,
  nowMs: number,
): Circuit {
  if (circuit.state === 'closed') return verdict === 'failed' ? afterFailure(circuit, rules, nowMs) : circuit
  if (!circuit.probesMs.includes(startedMs)) return circuit // it began before the circuit opened, and says nothing new
  if (verdict === 'answered') return CLOSED
  if (verdict === 'failed') return opened(rules, nowMs)
  return { ...circuit, probesMs: without(circuit.probesMs, startedMs) }
}

function afterFailure(circuit: ClosedCircuit, rules: CircuitRules, nowMs: number): Circuit {
  const recent = circuit.failuresMs.filter((atMs) => nowMs - atMs < rules.windowMs)
  const failuresMs = [...recent, nowMs].slice(-rules.errors)
  const failed = plus(circuit.failed, 1, nowMs, rules.windowMs)
  const calls = usedOf(circuit.calls, nowMs, rules.windowMs)
  const isShare = usedOf(failed, nowMs, rules.windowMs) >= FAILED_SHARE_MIN * calls
  return failuresMs.length >= rules.errors && isShare ? opened(rules, nowMs) : { ...circuit, failuresMs, failed }
}

function opened({ openMs }: CircuitRules, nowMs: number): OpenCircuit {
  return { state: 'open', untilMs: nowMs + openMs, probesMs: [] }
}

function underWay({ probesMs }: OpenCircuit, nowMs: number): readonly number[] {
  return probesMs.filter((atMs) => nowMs - atMs < PROBE_MS)
}

function without(times: readonly number[], gone: number): readonly number[] {
  const at = times.indexOf(gone)
  return times.toSpliced(at, 1)
}
