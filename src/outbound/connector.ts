/**
 * The one way out. A request is checked when it is sent, not when its URL was saved; its name is looked up once, every answer
 * must pass its policy, and the address that passed is the one that is dialled.
 */
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { classify } from './address.ts'
import { hostOf, portOf, type Client, type ClientDeps, type Dial } from './client.ts'
import { cancelled, connectTimeout } from './connect-failure.ts'
import { makeFetchClient } from './fetch-client.ts'
import { makeHttp1Client } from './http1/client.ts'
import {
  checkAddresses,
  checkProxiedName,
  checkProxyAddresses,
  checkUrl,
  isPlainlyLocal,
  mayBePrivate,
  type PolicyDeps,
} from './policy.ts'
import { proxyFor, type ProxyConfig } from './proxy.ts'
import { sendableHeaders } from './request-headers.ts'
import { makeResolver, type Lookup, type Resolve } from './resolver.ts'
import type { OutboundReply, OutboundRequest, Send } from './transport.ts'

export interface SendDeps extends PolicyDeps, ClientDeps {
  readonly lookup: Lookup
  readonly proxy: ProxyConfig | undefined
  /** What speaks HTTP when no proxy is in between. */
  readonly client: 'fetch' | 'http1'
}

/** A name with many addresses is not tried to its end: the next target is the better hope. */
const ADDRESSES_TRIED_MAX = 3

interface Route {
  readonly url: URL
  /** Checked, best first; `[undefined]` where the client looks the name up itself. */
  readonly addresses: readonly (string | undefined)[]
  readonly proxy: string | undefined
}

export function makeSend(deps: SendDeps): Send {
  const resolve = makeResolver(deps)
  const proxied = makeFetchClient(deps)
  const direct = deps.client === 'http1' ? makeHttp1Client(deps) : proxied
  return async (request) => {
    if (request.signal.aborted) return err(cancelled())
    const headers = sendableHeaders(request.headers)
    if (!headers.ok) return headers
    const startedMs = deps.clock.monotonicMs()
    const route = await routeOf(request, deps, resolve)
    if (!route.ok) return route
    const leftMs = request.connectMs - (deps.clock.monotonicMs() - startedMs)
    return await dialEach(
      route.value,
      { ...request, headers: headers.value },
      leftMs,
      route.value.proxy === undefined ? direct : proxied,
    )
  }
}

/** Tries the addresses in turn, as long as a failure says that the request cannot have been sent. */
async function dialEach(
  { url, addresses, proxy }: Route,
  request: OutboundRequest,
  connectMs: number,
  client: Client,
): Promise<Result<OutboundReply, Failure>> {
  const tried = addresses.slice(0, ADDRESSES_TRIED_MAX)
  let outcome: Result<OutboundReply, Failure> = err(connectTimeout(hostOf(url)))
  for (const address of tried) {
    const dial: Dial = { url, address, proxy, connectMs: connectMs / tried.length }
    outcome = await client(dial, request)
    if (outcome.ok || (outcome.error.kind !== 'connect' && outcome.error.kind !== 'timeout')) break
  }
  return outcome
}

async function routeOf(request: OutboundRequest, deps: SendDeps, resolve: Resolve): Promise<Result<Route, Failure>> {
  const url = URL.parse(request.url)
  if (url === null) return err(failure('forbidden', 'The address to be called is not a URL.'))
  const refusal = checkUrl(url, request.policy, deps)
  if (refusal !== undefined) return err(refusal)
  const proxy = proxyFor(url, deps.proxy)
  const goesDirect = proxy === undefined || (mayBePrivate(request.policy) && isPlainlyLocal(url))
  if (!goesDirect) return await proxiedRoute(url, proxy, request, deps, resolve)
  if (request.policy.kind === 'trusted') return ok({ url, addresses: [undefined], proxy: undefined })
  const addresses = await addressesOf(url, request, resolve)
  if (!addresses.ok) return addresses
  const refused = checkAddresses(addresses.value, url, request.policy, deps)
  return refused === undefined ? ok({ url, addresses: addresses.value, proxy: undefined }) : err(refused)
}

/** The proxy looks the target up, so the target's name is all that can be judged here. */
async function proxiedRoute(
  url: URL,
  proxy: URL,
  request: OutboundRequest,
  deps: SendDeps,
  resolve: Resolve,
): Promise<Result<Route, Failure>> {
  const refusal = checkProxiedName(url)
  if (refusal !== undefined) return err(refusal)
  const addresses = await addressesOf(proxy, request, resolve)
  if (!addresses.ok) return addresses
  const refused = checkProxyAddresses(addresses.value, portOf(proxy), deps)
  if (refused !== undefined) return err(refused)
  return ok({ url, addresses: [undefined], proxy: pinnedProxy(proxy, addresses.value[0]) })
}

/** An https proxy keeps its name, which its certificate binds. */
function pinnedProxy(proxy: URL, address: string | undefined): string {
  if (proxy.protocol === 'https:' || address === undefined) return proxy.href
  const pinned = new URL(proxy)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return pinned.href
}

async function addressesOf(
  url: URL,
  request: OutboundRequest,
  resolve: Resolve,
): Promise<Result<readonly string[], Failure>> {
  const host = hostOf(url)
  return classify(host) === undefined ? await resolve(host, request.connectMs, request.signal) : ok([host])
}
