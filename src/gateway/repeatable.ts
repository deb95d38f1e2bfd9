/** A request that its client gave a name: the name in its headers, and the answer that is kept under it. */
import type { UnderlyingSource } from 'bun'
import type { Failure } from '../core/failure.ts'
import { ok, type Result } from '../core/result.ts'
import type { GatewayDeps, GatewayKey } from './deps.ts'
import type { Call } from './exchange.ts'
import { ANSWER_BYTES_MAX, digestOf, type KeptAnswer, nameOf, type NamedRequest } from './idempotency.ts'
import type { ReadBody } from './read.ts'

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
  return ok({ keyId: key.id, requestId: call.id, name: name.value, digest: digestOf(call.path, scanned.bytes) })
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
export async function keeping(
  deps: Deps,
  request: NamedRequest,
  response: Response,
  isStream: boolean,
  ending: Ending,
): Promise<Response> {
  const ended = (body: Uint8Array | undefined): void => settle(deps, request, response, body, ending)
  if (isStream && response.body !== null) return withBody(response, copied(response.body, ended))
  const body = await response.bytes()
  ended(body)
  return withBody(response, body)
}

function settle(
  { clock, memory }: Deps,
  request: NamedRequest,
  response: Response,
  body: Uint8Array | undefined,
  { status }: Ending,
): void {
  const nowMs = clock.monotonicMs()
  if (status !== 'ok') return memory.idempotency.forget(request, nowMs)
  const isKept = body !== undefined && body.length <= ANSWER_BYTES_MAX
  const answer = isKept ? { requestId: request.requestId, body, headers: [...response.headers] } : undefined
  memory.idempotency.answered(request, answer, nowMs)
}

function withBody({ status, headers }: Response, body: Uint8Array | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, headers })
}

/** Passes a body on as it is read. `ended` gets all of it; undefined when that is too much, or nobody read it to its end. */
function copied(
  body: ReadableStream<Uint8Array>,
  ended: (body: Uint8Array | undefined) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) {
        ended(bytes > ANSWER_BYTES_MAX ? undefined : Buffer.concat(chunks))
        controller.close()
        return
      }
      bytes += value.length
      if (bytes > ANSWER_BYTES_MAX) chunks.length = 0
      else chunks.push(value)
      controller.enqueue(value)
    },
    async cancel(reason) {
      await reader.cancel(reason)
      ended(undefined)
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
