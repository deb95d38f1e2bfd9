/** What a row of the inference surface is, and what every row needs. */
import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { ClientDialect } from '../../dialects/dialect.ts'
import { admit } from '../admit.ts'
import { keyOf } from '../authenticate.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'
import type { ChatEndpoint } from '../endpoint.ts'
import type { Call } from '../exchange.ts'
import { chat } from '../pipeline.ts'

export type Handler = (deps: GatewayDeps, call: Call) => Promise<Response>

export interface GatewayRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly dialect: ClientDialect
  readonly handle: Handler
}

export function chatRoute(path: string, summary: string, endpoint: ChatEndpoint): GatewayRoute {
  return {
    method: 'POST',
    path,
    summary,
    dialect: endpoint.dialect,
    handle: (deps, call) => chat(deps, endpoint, call),
  }
}

/** The key of a call, when it may use `endpoint`, a word of `endpoints_allow`. */
export function authenticateCall(deps: GatewayDeps, call: Call, endpoint: string): Result<GatewayKey, Failure> {
  const key = keyOf(deps, call)
  if (!key.ok) return key
  const admitted = admit(key.value, { endpoint, address: call.address, nowMs: call.atMs })
  return admitted.ok ? key : admitted
}

export function jsonResponse(call: Call, body: JsonObject): Response {
  return Response.json(body, { headers: { 'x-request-id': call.id, 'cache-control': 'no-store' } })
}
