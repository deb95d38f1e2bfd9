/** A journey through exits: each is checked like a target, and the next one is tried when one does not lead anywhere. */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Address } from './address.ts'
import type { ClientDeps, Dial, ExitReport } from './client.ts'
import { exitFailure, exitWords } from './connect-failure.ts'
import type { Exits } from './exits/exit-pool.ts'
import type { Exit } from './exits/exit.ts'
import { checkAddresses, checkExitAddresses, checkProxiedName, type PolicyDeps } from './policy.ts'
import type { Resolve } from './resolver.ts'
import type { Target } from './target.ts'
import type { ConnectionPolicy } from './transport.ts'

/** Where to, under which policy, and until when on the monotonic clock the connection has to stand. */
export interface Journey {
  readonly target: Target
  readonly policy: ConnectionPolicy
  readonly signal: AbortSignal
  readonly deadlineMs: number
}

export interface By {
  readonly exits: Exits
  readonly stickyKey: string
}

export interface ThroughDeps<T> extends PolicyDeps, ClientDeps {
  readonly resolve: Resolve
  /** For pools that are not strict, when no exit is alive. */
  readonly goDirect: () => Promise<Result<T, Failure>>
}

/** More would only make the client wait: another account or provider is the better hope. */
const EXITS_TRIED_MAX = 3
/** Of a name that is looked up here, by one exit: it may have no way to the first, which is often one of IPv6. */
const ADDRESSES_TRIED_MAX = 2

/**
 * By the first exit that leads to the target. Failures: `forbidden` (the target must not be handed to a proxy); `connect`, naming whose exits they are; and those of the attempt once the way was open.
 */
export async function dialThrough<T>(
  { exits, stickyKey }: By,
  journey: Journey,
  attempt: (dial: Dial) => Promise<Result<T, Failure>>,
  deps: ThroughDeps<T>,
): Promise<Result<T, Failure>> {
  const refusal = refusalOfAll(exits, journey.target)
  if (refusal !== undefined) return err(refusal)
  const chosen = exits.choose(stickyKey, EXITS_TRIED_MAX)
  let outcome: Result<T, Failure> = err(noneAlive(exits))
  let areAllDead = true
  for (const [index, exit] of chosen.entries()) {
    const others = chosen.length - index - 1 + (exits.strict ? 0 : 1)
    const shareMs = (journey.deadlineMs - deps.clock.monotonicMs()) / (others + 1)
    const step = await dialBy(exits, exit, journey, shareMs, attempt, deps)
    outcome = step.outcome
    areAllDead &&= step.blamesExit
    if (outcome.ok || outcome.error.kind !== 'connect') return outcome
  }
  if (exits.strict || !areAllDead) return outcome
  exits.wentDirect(journey.target.where)
  return await deps.goDirect()
}

/**
 * Why no exit may be told of the target; undefined when one may. Judged before anybody looks at which are alive, so that a target
 * that no exit carries is not called directly just because all exits are dead.
 */
function refusalOfAll({ all }: Exits, target: Target): Failure | undefined {
  const refusal = checkProxiedName(target)
  return all.length > 0 && all.every(looksNamesUp) ? refusal : undefined
}

/** It is handed a name, and we never see what address it means. */
function looksNamesUp({ kind }: Exit): boolean {
  return kind !== 'socks5'
}

function noneAlive({ by }: Exits): Failure {
  return failure('connect', `${by} did not reach the provider: none of its exits is alive.`, {
    detail: 'no exit alive',
    reason: 'exit',
  })
}

interface Step<T> {
  readonly outcome: Result<T, Failure>
  /** The exit itself does not work, whatever the target does. */
  readonly blamesExit: boolean
}

async function dialBy<T>(
  exits: Exits,
  exit: Exit,
  journey: Journey,
  shareMs: number,
  attempt: (dial: Dial) => Promise<Result<T, Failure>>,
  deps: ThroughDeps<T>,
): Promise<Step<T>> {
  const { target, signal } = journey
  const untilMs = deps.clock.monotonicMs() + shareMs
  const fault = new Fault(exits, exit)
  exits.taken(exit)
  const onward = await onwardFor(exit, journey, shareMs, deps)
  if (!onward.ok) return { outcome: onward, blamesExit: false }
  const address = await exitAddress(exits, exit, signal, shareMs, fault.report, deps)
  if (!address.ok) return { outcome: address, blamesExit: fault.tell() }
  let outcome: Result<T, Failure> = err(noneAlive(exits))
  for (const [index, host] of onward.value.entries()) {
    const connectMs = (untilMs - deps.clock.monotonicMs()) / (onward.value.length - index)
    const via = { exit, address: address.value, onward: host, by: exits.by, report: fault.report }
    outcome = await attempt({ target, address: undefined, via, connectMs })
    if (outcome.ok || outcome.error.kind !== 'connect' || fault.isExits) break
  }
  return { outcome, blamesExit: fault.tell() }
}

/** What an exit has done wrong for one call. Told once, when the last address has been tried; what it did well is told at once. */
class Fault {
  readonly #exits: Exits
  readonly #exit: Exit
  #last: ExitReport | undefined

  constructor(exits: Exits, exit: Exit) {
    this.#exits = exits
    this.#exit = exit
  }

  readonly report = (report: ExitReport): void => {
    this.#last = report
    if (report.kind === 'reached') this.#exits.report(this.#exit, report)
  }

  get isExits(): boolean {
    return this.#last?.kind === 'failed' && this.#last.blame === 'exit'
  }

  /** Whether it is the exit that does not work. */
  tell(): boolean {
    if (this.#last?.kind === 'failed') this.#exits.report(this.#exit, this.#last)
    return this.isExits
  }
}

/**
 * What the exit is told to connect to, best first. Where it looks names up we cannot see the answer, so only a name of the public
 * internet is handed over, whatever the policy allows; else the addresses are looked up, checked and pinned here.
 */
async function onwardFor<T>(
  exit: Exit,
  { target, policy, signal }: Journey,
  timeoutMs: number,
  deps: ThroughDeps<T>,
): Promise<Result<readonly string[], Failure>> {
  if (looksNamesUp(exit)) {
    const refusal = checkProxiedName(target)
    return refusal === undefined ? ok([target.host]) : err(refusal)
  }
  const addresses = await addressesOf(target, timeoutMs, signal, deps.resolve)
  if (!addresses.ok) return addresses
  const refusal = checkAddresses(addresses.value, target, policy, deps)
  return refusal === undefined
    ? ok(addresses.value.slice(0, ADDRESSES_TRIED_MAX).map(({ address }) => address))
    : err(refusal)
}

/** The exit's own address, judged like an owner's host. Failures: `connect`, for which the exit is to blame; `cancelled`. */
async function exitAddress<T>(
  { by }: Exits,
  exit: Exit,
  signal: AbortSignal,
  timeoutMs: number,
  report: (report: ExitReport) => void,
  deps: ThroughDeps<T>,
): Promise<Result<string, Failure>> {
  const failed = (words: string, detail: string): Result<never, Failure> => {
    report({ kind: 'failed', blame: 'exit', words })
    return err(exitFailure(by, words, `${detail} exit ${exit.where}`, 'exit'))
  }
  const addresses = await addressesOf(exit, timeoutMs, signal, deps.resolve)
  if (addresses.ok) {
    const refusal = checkExitAddresses(addresses.value, exit.port, deps)
    if (refusal !== undefined) return failed('has an address that is never called', refusal.message)
    return ok(addresses.value[0]?.address ?? exit.host)
  }
  if (addresses.error.kind === 'cancelled') return addresses
  const code = addresses.error.kind === 'timeout' ? 'ETIMEDOUT' : 'ENOTFOUND'
  return failed(exitWords(code), code)
}

async function addressesOf(
  { host, literal }: Pick<Target, 'host' | 'literal'>,
  timeoutMs: number,
  signal: AbortSignal,
  resolve: Resolve,
): Promise<Result<readonly Address[], Failure>> {
  return literal === undefined ? await resolve(host, timeoutMs, signal) : ok([literal])
}
