/**
 * Where a request comes in: checked strictly, held back until an owner exists, then given to one of the two faces. Whatever goes
 * wrong on the way, the caller gets an answer in its own envelope with a request id.
 */
import { SECOND_MS } from './core/duration.ts'
import { failure } from './core/failure.ts'
import type { Clock } from './core/clock.ts'
import { newId } from './core/id.ts'
import type { Log } from './core/log.ts'
import type { Random } from './core/random.ts'
import type { Build } from './config.ts'
import type { GatewayDeps } from './gateway/deps.ts'
import { failureResponse } from './gateway/output.ts'
import { dialectOfPath, GATEWAY_ROUTES, handleGateway } from './gateway/routes/routes.ts'
import { requestedBaseUrl } from './http/base-url.ts'
import { isInside } from './http/cidr.ts'
import { clientAddress } from './http/client-address.ts'
import { refusal, refused } from './http/refusal.ts'
import { REQUEST_ID_HEADER, RequestIds } from './http/request-id.ts'
import { pathOf, searchOf, strictFailure } from './http/strict.ts'
import { resourceRoutes, type ResourceDeps } from './resources/index.ts'
import type { Dashboard } from './web/serve.ts'

/** The socket that a request came over. */
export interface Peer {
  /** Null when it cannot be known. */
  readonly address: string | null
  /** The body is read: the server's timer for slow senders no longer applies. */
  readonly bodyRead: () => void
  /** The answer is over: from here on the timer bounds how long the connection may lie idle. */
  readonly answered: () => void
}

export interface FrontDoor {
  /** Always answers, never rejects. */
  handle(request: Request, peer: Peer): Promise<Response>
}

interface Deps extends Omit<
  ResourceDeps,
  'requestIds' | 'addressOf' | 'takesLong' | 'servedPaths' | 'baseUrlOf' | 'version' | 'foreignRoutes'
> {
  readonly build: Build
  readonly gateway: GatewayDeps
  readonly dashboard: Dashboard
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** All that is served before an owner exists: set-up, and the files that its page loads. */
const SET_UP_PATHS: ReadonlySet<string> = new Set(['/setup', '/v1/auth/setup'])
const ASSETS_PREFIX = '/assets/'
const SETUP_RETRY_MS = 10_000
/** Seconds: about as long as a restart takes when nothing streams. */
const DRAINING_RETRY_AFTER = '2'
const SETUP_NEEDED = 'this installation has no owner yet; open the set-up link that the console shows'

export function makeFrontDoor(deps: Deps): FrontDoor {
  const requestIds = new RequestIds(deps.random)
  const addresses = new WeakMap<Request, string | null>()
  const fromTrustedProxy = new WeakSet<Request>()
  const peers = new WeakMap<Request, Peer>()
  const resources = resourceRoutes({
    ...deps,
    requestIds,
    addressOf: (request) => addresses.get(request) ?? null,
    takesLong: (request) => peers.get(request)?.bodyRead(),
    baseUrlOf: (request) => requestedBaseUrl(request, fromTrustedProxy.has(request)),
    version: deps.build.version,
    foreignRoutes: GATEWAY_ROUTES,
    servedPaths: new Set(GATEWAY_ROUTES.map(({ path }) => path)),
  })
  const instance = newId('req', deps.random).slice('req_'.length)
  const startedMs = deps.clock.monotonicMs()
  const nowMs = () => deps.clock.nowMs()
  let isSetUp = false

  async function route(request: Request, peer: Peer): Promise<Response> {
    const path = pathOf(request.url)
    if (path === '/health') return health(request)
    if (!isSetUp && !SET_UP_PATHS.has(path) && !path.startsWith(ASSETS_PREFIX)) {
      isSetUp = !(await deps.auth.isSetUpNeeded())
      if (!isSetUp) return notSetUp(request)
    }
    const address = addressOf(request, peer)
    const answer = handleGateway(deps.gateway, {
      id: requestIds.of(request),
      request,
      path,
      search: searchOf(request.url),
      address,
      atMs: deps.clock.nowMs(),
      startedMs: deps.clock.monotonicMs(),
      nowMs,
      bodyRead: peer.bodyRead,
      answered: peer.answered,
    })
    if (answer !== undefined) return answer
    const page = deps.dashboard.serve(request)
    if (page !== undefined) return withRequestId(page, request)
    addresses.set(request, address)
    peers.set(request, peer)
    if (peer.address !== null && isInside(deps.gateway.settings().trustedProxies, peer.address))
      fromTrustedProxy.add(request)
    const response = await resources.handle(request)
    peer.answered()
    return withRequestId(response, request)
  }

  function withRequestId(response: Response, request: Request): Response {
    if (!response.headers.has(REQUEST_ID_HEADER)) response.headers.set(REQUEST_ID_HEADER, requestIds.of(request))
    return response
  }

  function notSetUp(request: Request): Response {
    const response = refused(refusal('unavailable', SETUP_NEEDED, { retryAfterMs: SETUP_RETRY_MS }))
    response.headers.set(REQUEST_ID_HEADER, requestIds.of(request))
    return response
  }

  function addressOf(request: Request, peer: Peer): string | null {
    const { trustedProxies } = deps.gateway.settings()
    if (trustedProxies.length === 0) return peer.address
    return clientAddress(peer.address, request.headers.get('x-forwarded-for'), trustedProxies)
  }

  function health(request: Request): Response {
    const draining = deps.gateway.live.draining
    const uptimeS = Math.floor((deps.clock.monotonicMs() - startedMs) / SECOND_MS)
    const body = draining
      ? { status: 'draining' }
      : { status: 'ok', version: deps.build.version, uptime_s: uptimeS, instance }
    const retryAfter = draining ? { 'retry-after': DRAINING_RETRY_AFTER } : {}
    const headers = { [REQUEST_ID_HEADER]: requestIds.of(request), 'cache-control': 'no-store', ...retryAfter }
    return Response.json(body, { status: draining ? 503 : 200, headers })
  }

  /** A refusal in the envelope of the surface that the path belongs to. */
  function refuse(request: Request, kind: 'malformed' | 'internal', message: string): Response {
    const id = requestIds.of(request)
    const dialect = dialectOfPath(pathOf(request.url))
    if (dialect !== undefined) return failureResponse(dialect, failure(kind, message), { id, nowMs })
    const response = refused(refusal(kind === 'malformed' ? 'malformed' : 'internal', message))
    response.headers.set(REQUEST_ID_HEADER, id)
    return response
  }

  return {
    async handle(request, peer) {
      try {
        const strict = strictFailure(request.url, request.headers)
        if (strict !== undefined) return refuse(request, 'malformed', strict.message)
        return await route(request, peer)
      } catch (cause) {
        const requestId = requestIds.of(request)
        deps.log.write('error', 'http', 'a request failed unexpectedly', {
          request_id: requestId,
          error: textOf(cause),
        })
        return refuse(request, 'internal', `something went wrong here; the log has it under ${requestId}`)
      }
    },
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
