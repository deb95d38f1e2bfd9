/**
 * The one way out. A request is checked when it is sent, not when its URL was saved; its name is looked up once, every answer
 * must pass its policy, and the address that passed is the one that is dialled. An exit in between is checked like a target.
 */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Address } from './address.ts'
import type { ClientDeps, Dial } from './client.ts'
import { cancelledEarly, connectTimeout } from './connect-failure.ts'
import type { Exits } from './exits/exit-pool.ts'
import { makeHttp1Client } from './http1/client.ts'
import { dialSocket } from './http1/dial.ts'
import { checkAddresses, checkTarget, isPlainlyLocal, mayBePrivate, type PolicyDeps } from './policy.ts'
import { environmentExits, isBypassed, type ProxyConfig } from './proxy.ts'
import { makeResolver, type Resolve, type ResolverDeps } from './resolver.ts'
import { makeTargetParser, parsedTarget, type Target } from './target.ts'
import type { Behalf, ConnectionPolicy, OutboundRequest, Send } from './transport.ts'
import { dialThrough, type By, type Journey } from './through-exits.ts'

/** The exits that operators chose for a call. */
export interface ChosenExits {
  readonly exits: Exits
  /** Chosen for this account or provider, and not for whatever there is. */
  readonly isNamed: boolean
}

export interface SendDeps extends PolicyDeps, ClientDeps, ResolverDeps {
  /** What calls go through for which nobody chose exits. */
  readonly proxy: ProxyConfig | undefined
  /** Undefined: nobody chose; `direct`: none, whatever the environment says. */
  readonly exitsFor?: (behalf: Behalf | undefined) => ChosenExits | 'direct' | undefined
}

/** What is connected to, and how: a request without its HTTP. */
export type Connecting = Pick<OutboundRequest, 'url' | 'policy' | 'signal' | 'connectMs'>

export interface Connector {
  readonly send: Send
  /** `send` by these exits and no others, without ever going direct. */
  sendBy(exits: Exits, request: OutboundRequest): ReturnType<Send>
  /** Connects by these exits, for https up to the proof of identity, and closes. Failures: those of `send` that can come so early. */
  reachBy(exits: Exits, connecting: Connecting): Promise<Result<undefined, Failure>>
}

export function makeSend(deps: SendDeps): Send {
  return makeConnector(deps).send
}

/** A name with many addresses is not tried to its end: the next target is the better hope. */
const ADDRESSES_TRIED_MAX = 3
const UNLOOKED = [undefined] as const

/** Carries out one dial. */
type Attempt<T> = (dial: Dial) => Promise<Result<T, Failure>>

export function makeConnector(deps: SendDeps): Connector {
  const resolve = makeResolver(deps)
  const parse = makeTargetParser()
  const fromEnvironment = environmentExits(deps.proxy)
  const client = makeHttp1Client(deps)

  function checkedTarget({ url, policy }: Connecting): Result<Target, Failure> {
    // A stranger's addresses are not worth remembering, and would push the providers' out.
    const target = policy.kind === 'public' ? parsedTarget(url) : parse(url)
    if (target === undefined) return err(failure('forbidden', 'The address to be called is not a URL.'))
    const refusal = checkTarget(target, policy, deps)
    return refusal === undefined ? ok(target) : err(refusal)
  }

  /** This machine and its network need no exit, unless one was chosen for just this account or provider. */
  function exitsFor(target: Target, { policy, behalf }: OutboundRequest): Exits | undefined {
    const chosen = deps.exitsFor?.(behalf)
    if (chosen === 'direct') return undefined
    const exits = chosen === undefined ? fromEnvironment(target) : chosen.exits
    const staysHere = chosen?.isNamed !== true && mayBePrivate(policy) && isPlainlyLocal(target)
    return exits === undefined || staysHere || isBypassed(target, exits.bypass) ? undefined : exits
  }

  async function goDirect<T>(journey: Journey, attempt: Attempt<T>): Promise<Result<T, Failure>> {
    const addresses = directAddresses(journey, deps, resolve)
    const checked = addresses instanceof Promise ? await addresses : addresses
    if (!checked.ok) return checked
    const leftMs = journey.deadlineMs - deps.clock.monotonicMs()
    return await dialEach(journey.target, checked.value, leftMs, attempt)
  }

  async function goBy<T>(by: By, journey: Journey, attempt: Attempt<T>): Promise<Result<T, Failure>> {
    return await dialThrough(by, journey, attempt, { ...deps, resolve, goDirect: () => goDirect(journey, attempt) })
  }

  async function checkedAndBy<T>(
    exits: Exits,
    connecting: Connecting,
    attempt: Attempt<T>,
  ): Promise<Result<T, Failure>> {
    const target = checkedTarget(connecting)
    if (!target.ok) return target
    return await goBy({ exits, stickyKey: target.value.host }, journeyTo(target.value, connecting), attempt)
  }

  function journeyTo(target: Target, { policy, signal, connectMs }: Connecting): Journey {
    return { target, policy, signal, deadlineMs: deps.clock.monotonicMs() + connectMs }
  }

  return {
    send: async (request) => {
      if (request.signal.aborted) return err(cancelledEarly())
      const target = checkedTarget(request)
      if (!target.ok) return target
      const journey = journeyTo(target.value, request)
      const exits = exitsFor(target.value, request)
      if (exits === undefined) return await goDirect(journey, (dial) => client(dial, request))
      const stickyKey = request.behalf?.accountId ?? target.value.host
      return await goBy({ exits, stickyKey }, journey, (dial) => client(dial, request))
    },
    sendBy: (exits, request) => checkedAndBy(exits, request, (dial) => client(dial, request)),
    reachBy: (exits, connecting) =>
      checkedAndBy(exits, connecting, async (dial) => {
        const wire = await dialSocket(dial, connecting.signal, deps)
        if (!wire.ok) return wire
        wire.value.terminate()
        return ok(undefined)
      }),
  }
}

type Addresses = Result<readonly (string | undefined)[], Failure>

/** Checked, best first; `undefined` where the certificate binds the name and the client looks it up itself. At once if it can be. */
function directAddresses(
  { target, policy, signal, deadlineMs }: Journey,
  deps: SendDeps,
  resolve: Resolve,
): Addresses | Promise<Addresses> {
  if (policy.kind === 'trusted') return ok(UNLOOKED)
  const checked = (addresses: readonly Address[]) => checkedAddresses(addresses, target, policy, deps)
  if (target.literal !== undefined) return checked([target.literal])
  const answer = resolve(target.host, deadlineMs - deps.clock.monotonicMs(), signal)
  return answer.then((addresses) => (addresses.ok ? checked(addresses.value) : addresses))
}

function checkedAddresses(
  addresses: readonly Address[],
  target: Target,
  policy: ConnectionPolicy,
  deps: PolicyDeps,
): Addresses {
  const refused = checkAddresses(addresses, target, policy, deps)
  return refused === undefined ? ok(addresses.map(({ address }) => address)) : err(refused)
}

/** Tries the addresses in turn, as long as a failure says that the request cannot have been sent. */
async function dialEach<T>(
  target: Target,
  addresses: readonly (string | undefined)[],
  connectMs: number,
  attempt: Attempt<T>,
): Promise<Result<T, Failure>> {
  const tries = Math.min(addresses.length, ADDRESSES_TRIED_MAX)
  let outcome: Result<T, Failure> = err(connectTimeout(target.where))
  for (let index = 0; index < tries; index++) {
    const dial: Dial = { target, address: addresses[index], via: undefined, connectMs: connectMs / tries }
    outcome = await attempt(dial)
    if (outcome.ok || (outcome.error.kind !== 'connect' && outcome.error.kind !== 'timeout')) break
  }
  return outcome
}
