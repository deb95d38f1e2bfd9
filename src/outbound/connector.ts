/**
 * The one way out. A request is checked when it is sent, not when its URL was saved; its name is looked up once, every answer
 * must pass its policy, and the address that passed is the one that is dialled.
 */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Address } from './address.ts'
import type { Client, ClientDeps, Dial } from './client.ts'
import { cancelled, connectTimeout } from './connect-failure.ts'
import { makeFetchClient } from './fetch-client.ts'
import { makeHttp1Client } from './http1/client.ts'
import {
  checkAddresses,
  checkProxiedName,
  checkProxyAddresses,
  checkTarget,
  isPlainlyLocal,
  mayBePrivate,
  type PolicyDeps,
} from './policy.ts'
import { proxyFor, type ProxyConfig } from './proxy.ts'
import { makeResolver, type Resolve, type ResolverDeps } from './resolver.ts'
import { makeTargetParser, parsedTarget, targetOf, type Target } from './target.ts'
import type { ConnectionPolicy, OutboundReply, OutboundRequest, Send } from './transport.ts'

export interface SendDeps extends PolicyDeps, ClientDeps, ResolverDeps {
  readonly proxy: ProxyConfig | undefined
  /** What speaks HTTP when no proxy is in between. */
  readonly client: 'fetch' | 'http1'
}

/** A name with many addresses is not tried to its end: the next target is the better hope. */
const ADDRESSES_TRIED_MAX = 3

interface Route {
  readonly target: Target
  /** Checked, best first; `undefined` where the client looks the name up itself. */
  readonly addresses: readonly (string | undefined)[]
  readonly proxy: string | undefined
}

const UNLOOKED = [undefined] as const

export function makeSend(deps: SendDeps): Send {
  const route = makeRouter(deps)
  const proxied = makeFetchClient(deps)
  const direct = deps.client === 'http1' ? makeHttp1Client(deps) : proxied
  return async (request) => {
    if (request.signal.aborted) return err(cancelled())
    const startedMs = deps.clock.monotonicMs()
    const chosen = await route(request)
    if (!chosen.ok) return chosen
    const leftMs = request.connectMs - (deps.clock.monotonicMs() - startedMs)
    return await dialEach(chosen.value, request, leftMs, chosen.value.proxy === undefined ? direct : proxied)
  }
}

/** Tries the addresses in turn, as long as a failure says that the request cannot have been sent. */
async function dialEach(
  { target, addresses, proxy }: Route,
  request: OutboundRequest,
  connectMs: number,
  client: Client,
): Promise<Result<OutboundReply, Failure>> {
  const tries = Math.min(addresses.length, ADDRESSES_TRIED_MAX)
  let outcome: Result<OutboundReply, Failure> = err(connectTimeout(target.where))
  for (let index = 0; index < tries; index++) {
    const dial: Dial = { target, address: addresses[index], proxy, connectMs: connectMs / tries }
    outcome = await client(dial, request)
    if (outcome.ok || (outcome.error.kind !== 'connect' && outcome.error.kind !== 'timeout')) break
  }
  return outcome
}

type Routing = Result<Route, Failure>

/** Decides where a request goes; at once, unless a name has to be looked up. */
function makeRouter(deps: SendDeps): (request: OutboundRequest) => Routing | Promise<Routing> {
  const resolve = makeResolver(deps)
  const parse = makeTargetParser()
  return (request) => {
    // A stranger's addresses are not worth remembering, and would push the providers' out.
    const target = request.policy.kind === 'public' ? parsedTarget(request.url) : parse(request.url)
    if (target === undefined) return err(failure('forbidden', 'The address to be called is not a URL.'))
    const refusal = checkTarget(target, request.policy, deps)
    if (refusal !== undefined) return err(refusal)
    const proxy = proxyFor(target, deps.proxy)
    const goesDirect = proxy === undefined || (mayBePrivate(request.policy) && isPlainlyLocal(target))
    if (!goesDirect) return proxiedRoute(target, proxy, request, deps, resolve)
    if (request.policy.kind === 'trusted') return ok({ target, addresses: UNLOOKED, proxy: undefined })
    if (target.literal === undefined) return lookedUpRoute(target, request, deps, resolve)
    return checkedRoute(target, [target.literal], request.policy, deps)
  }
}

async function lookedUpRoute(
  target: Target,
  request: OutboundRequest,
  deps: SendDeps,
  resolve: Resolve,
): Promise<Routing> {
  const addresses = await resolve(target.host, request.connectMs, request.signal)
  return addresses.ok ? checkedRoute(target, addresses.value, request.policy, deps) : addresses
}

function checkedRoute(
  target: Target,
  addresses: readonly Address[],
  policy: ConnectionPolicy,
  deps: SendDeps,
): Routing {
  const refused = checkAddresses(addresses, target, policy, deps)
  if (refused !== undefined) return err(refused)
  return ok({ target, addresses: addresses.map(({ address }) => address), proxy: undefined })
}

/** The proxy looks the target up, so the target's name is all that can be judged here. */
async function proxiedRoute(
  target: Target,
  proxy: URL,
  request: OutboundRequest,
  deps: SendDeps,
  resolve: Resolve,
): Promise<Routing> {
  const refusal = checkProxiedName(target)
  if (refusal !== undefined) return err(refusal)
  const via = targetOf(proxy)
  const addresses = await addressesOf(via, request, resolve)
  if (!addresses.ok) return addresses
  const refused = checkProxyAddresses(addresses.value, via.port, deps)
  if (refused !== undefined) return err(refused)
  return ok({ target, addresses: UNLOOKED, proxy: pinnedProxy(via, addresses.value[0]) })
}

async function addressesOf(
  { host, literal }: Target,
  request: OutboundRequest,
  resolve: Resolve,
): Promise<Result<readonly Address[], Failure>> {
  if (literal !== undefined) return ok([literal])
  return await resolve(host, request.connectMs, request.signal)
}

/** An https proxy keeps its name, which its certificate binds. */
function pinnedProxy({ url, isTls }: Target, to: Address | undefined): string {
  if (isTls || to === undefined) return url.href
  const pinned = new URL(url)
  pinned.hostname = to.address.includes(':') ? `[${to.address}]` : to.address
  return pinned.href
}
