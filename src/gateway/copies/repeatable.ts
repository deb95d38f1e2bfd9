/** A request that its client gave a name: the name in its headers, and the answer that is kept under it. */
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import type { NamedRequest } from '../../ledger/named-requests.ts'
import { copied } from './copied.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'
import type { Call } from '../exchange.ts'
import { ANSWER_BYTES_MAX, digestOf, type KeptAnswer, nameOf } from './idempotency.ts'
import type { ReadBody } from '../read.ts'

const HEADER = 'idempotency-key'
/** Names the request whose answer is given again. */
const REPLAYED = 'x-gateway-replayed'

type Deps = Pick<GatewayDeps, 'clock' | 'memory'>

/** What is known of the request once its answer has ended. */
export interface Ending {
  /** Undefined while it runs. */
  readonly status: string | undefined
}

/** The request by its client's name for it; undefined without one. Failure: `malformed`. */
export function namedIn(call: Call, key: GatewayKey, { scanned }: ReadBody): Result<NamedRequest | undefined, Failure> {
  const header = call.request.headers.get(HEADER)
  if (header === null) return ok(undefined)
  const name = nameOf(header)
  if (!name.ok) return name
  return ok({
    keyId: key.id,
    requestId: call.id,
    name: name.value,
    digest: digestOf(call.path + call.search, scanned.bytes),
  })
}

/** The answer as it was, with the id of this request and that of the one that it answered. */
export function replayed({ requestId, body, headers }: KeptAnswer, call: Pick<Call, 'id'>): Response {
  const response = new Response(body, { status: 200 })
  for (const [name, value] of headers) response.headers.set(name, value)
  for (const name of ['x-request-id', 'request-id']) response.headers.set(name, call.id)
  response.headers.set(REPLAYED, requestId)
  return response
}

/** The same response, kept under its name if it ends well. `ending` is asked once the last byte has been read. */
export function keptUnder(
  deps: Deps,
  named: NamedRequest,
  response: Response,
  isStream: boolean,
  ending: Ending,
): Promise<Response> {
  const { idempotency } = deps.memory
  return copied(response, isStream, ANSWER_BYTES_MAX, ({ bytes, isWhole }) => {
    const nowMs = deps.clock.monotonicMs()
    if (ending.status !== 'ok') return idempotency.forget(named, nowMs)
    const answer = { requestId: named.requestId, body: bytes, headers: [...response.headers] }
    idempotency.answered(named, isWhole ? answer : undefined, nowMs)
  })
}
