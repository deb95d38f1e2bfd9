/**
 * After the attempts: the response to the client. A plain answer is one body. A stream waits for its first content, so that an
 * early failure still is an HTTP status; when that takes longer than the keep-alive time, head and comments go out first.
 */
import type { Deadline } from '../core/deadlines.ts'
import type { Failure } from '../core/failure.ts'
import type { ClientDialect } from '../dialects/dialect.ts'
import { abandon, AnswerBody, internal } from './answer-body.ts'
import { answerHeaders, requestIds, routeHeaders } from './answer-headers.ts'
import type { Call, Exchange } from './exchange.ts'
import type { Answer, Outcome } from './send.ts'

const STREAM_HEADERS = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** `done` is called when nothing more happens for this request. Rejects for a mistake of ours alone, and then without `done`. */
export async function respond(exchange: Exchange, pending: Promise<Outcome>, done: () => void): Promise<Response> {
  try {
    return await (exchange.body.stream ? respondStreaming : respondPlain)(exchange, pending, done)
  } catch (bug) {
    abandon(exchange)
    exchange.meter.close('error', 500, internal(), null)
    throw bug
  }
}

async function respondPlain(exchange: Exchange, pending: Promise<Outcome>, done: () => void): Promise<Response> {
  const outcome = await pending
  done()
  return outcome.ok && outcome.value.kind === 'plain'
    ? plainResponse(exchange, outcome.value)
    : failed(exchange, outcome.ok ? internal() : outcome.error)
}

function plainResponse(exchange: Exchange, answer: Extract<Answer, { kind: 'plain' }>): Response {
  exchange.meter.close('ok', 200, null, answer.stopReason)
  const headers = { 'content-type': 'application/json', ...answerHeaders(exchange, answer) }
  return new Response(answer.body, { status: 200, headers })
}

/** A failure as a status and an envelope of the client's dialect, written down. */
function failed(exchange: Exchange, cause: Failure): Response {
  const response = failureResponse(exchange.endpoint.dialect, cause, exchange.call)
  for (const [name, value] of Object.entries(routeHeaders(exchange))) response.headers.set(name, value)
  const status = cause.kind === 'cancelled' ? 'cancelled' : 'error'
  exchange.meter.close(status, cause.kind === 'cancelled' ? 499 : response.status, cause, null)
  return response
}

/** `retry-after` is capped for clients that would sleep on it; the true time goes into `x-gateway-reset`. */
export function failureResponse(dialect: ClientDialect, cause: Failure, call: Pick<Call, 'id' | 'nowMs'>): Response {
  const { status, headers, body } = dialect.encodeFailure(cause, call.id)
  const response = new Response(body, { status, headers: { 'content-type': 'application/json' } })
  for (const [name, value] of headers) response.headers.set(name, value)
  response.headers.set('x-request-id', call.id)
  if (cause.retryAfterMs !== undefined)
    response.headers.set('x-gateway-reset', new Date(call.nowMs() + cause.retryAfterMs).toISOString())
  return response
}

async function respondStreaming(exchange: Exchange, pending: Promise<Outcome>, done: () => void): Promise<Response> {
  const { deadlines, settings } = exchange.deps
  let deadline: Deadline | undefined
  const waited = new Promise<undefined>((resolve) => {
    deadline = deadlines.start(settings().keepAliveMs, () => resolve(undefined))
  })
  const outcome = await Promise.race([pending, waited])
  deadline?.clear()
  if (outcome !== undefined && !outcome.ok) {
    done()
    return failed(exchange, outcome.error)
  }
  const body = new AnswerBody(exchange, pending, done)
  // A queue of nothing: the client's reading is what pulls the provider.
  const stream = new ReadableStream(body, { highWaterMark: 0 })
  if (outcome === undefined) body.startLate()
  const type = { 'content-type': exchange.endpoint.dialect.streamContentType }
  const known = outcome === undefined ? requestIds(exchange.call) : answerHeaders(exchange, outcome.value)
  const headers = { ...type, ...STREAM_HEADERS, ...known }
  return new Response(stream, { status: 200, headers })
}
