/**
 * After the attempts: the response to the client. A plain answer is one body. A stream waits for its first content, so that an
 * early failure still is an HTTP status; when that takes longer than the keep-alive time, head and comments go out first.
 */
import type { UnderlyingSource } from 'bun'
import type { Deadline } from '../core/deadlines.ts'
import { failure, type Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'
import type { ClientDialect } from '../dialects/dialect.ts'
import type { Warning } from '../ledger/purse.ts'
import { clientLeft } from './cancellation.ts'
import { readOn } from './drains.ts'
import type { Call, Exchange } from './exchange.ts'
import { retirementHeaders } from './retirement.ts'
import type { Answer } from './send.ts'
import type { StreamAnswer } from './stream.ts'
import type { StreamStep } from './stream-mode.ts'

type Outcome = Result<Answer, Failure>

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

/** After a mistake of ours: providers are let go, and no attempt stays open in the records. */
function abandon({ cancellation, meter }: Exchange): void {
  cancellation.abortAttempt()
  meter.abandonAttempts(internal())
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
export function failureResponse(dialect: ClientDialect, cause: Failure, call: Pick<Call, 'id' | 'atMs'>): Response {
  const { status, headers, body } = dialect.encodeFailure(cause, call.id)
  const response = new Response(body, { status, headers: { 'content-type': 'application/json' } })
  for (const [name, value] of headers) response.headers.set(name, value)
  response.headers.set('x-request-id', call.id)
  if (cause.retryAfterMs !== undefined)
    response.headers.set('x-gateway-reset', new Date(call.atMs + cause.retryAfterMs).toISOString())
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

/** What the client reads: each pull is one read of the provider, passed on at once. */
class AnswerBody implements UnderlyingSource<Uint8Array> {
  readonly #exchange: Exchange
  readonly #pending: Promise<Outcome>
  readonly #done: () => void
  #answer: StreamAnswer | undefined
  /** The read that is under way. */
  #reading: Promise<StreamStep> | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #keepAlive: Deadline | undefined
  #closed = false

  constructor(exchange: Exchange, pending: Promise<Outcome>, done: () => void) {
    this.#exchange = exchange
    this.#pending = pending
    this.#done = done
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#exchange.cancellation.onCancel(() => this.#cancelled())
    this.#armKeepAlive()
  }

  /** The head goes out with the first bytes alone, so an answer that is late begins with a comment. */
  startLate(): void {
    this.#sayAlive()
  }

  async pull(): Promise<void> {
    try {
      await this.#next()
    } catch (bug) {
      await this.#broke(bug)
    }
  }

  async #next(): Promise<void> {
    if (this.#closed) return
    if (this.#answer === undefined && (await this.#begin())) return
    while (this.#answer !== undefined) {
      this.#reading = this.#answer.live.step()
      const step = await this.#reading
      this.#reading = undefined
      if (this.#closed) return
      const more = await this.#forward(this.#answer, step)
      if (!more || step.bytes.length > 0) return
    }
  }

  /** The client is gone. */
  async cancel(): Promise<void> {
    this.#exchange.cancellation.cancel(clientLeft())
    await this.#leave()
  }

  /** True once the client has something, or all. Nobody pulls again before: an answer may begin with what its format does not show. */
  async #begin(): Promise<boolean> {
    const outcome = await this.#pending
    if (this.#closed) return true
    if (!outcome.ok || outcome.value.kind !== 'stream') {
      this.#fail(outcome.ok ? internal() : outcome.error, false)
      return true
    }
    this.#answer = outcome.value
    this.#write(outcome.value.head)
    const more = await this.#forward(outcome.value, outcome.value.first)
    return !more || outcome.value.head.length > 0
  }

  /** Passes one step on; false when it was the last. */
  async #forward(answer: StreamAnswer, step: StreamStep): Promise<boolean> {
    if (step.bytes.length > 0) this.#write(step.bytes)
    if (step.failure !== undefined) {
      await answer.live.close(step.failure)
      this.#fail(step.failure, true)
      return false
    }
    if (!step.ended) return true
    await answer.live.close(null)
    this.#exchange.meter.close('ok', 200, null, answer.live.stopReason ?? null)
    this.#end()
    return false
  }

  #write(bytes: Uint8Array): void {
    if (this.#closed || bytes.length === 0) return
    this.#controller?.enqueue(bytes)
    this.#keepAlive?.extend(this.#exchange.deps.settings().keepAliveMs)
  }

  #armKeepAlive(): void {
    const { deadlines, settings } = this.#exchange.deps
    this.#keepAlive = deadlines.start(settings().keepAliveMs, () => {
      if (this.#closed) return
      this.#sayAlive()
      this.#armKeepAlive()
    })
  }

  #sayAlive(): void {
    const text = this.#exchange.endpoint.dialect.keepAlive(this.#answer !== undefined)
    // The head goes out with the first bytes: where a format has nothing to say meanwhile, its clients wait for both.
    if (text !== '') this.#controller?.enqueue(Buffer.from(text, 'utf8'))
  }

  /** An error inside the stream: the client must never take a broken answer for a whole one. */
  #fail(cause: Failure, started: boolean): void {
    const { endpoint, call, meter } = this.#exchange
    if (this.#closed) return
    const text = endpoint.dialect.encodeStreamFailure(cause, call.id, started)
    this.#controller?.enqueue(Buffer.from(text, 'utf8'))
    meter.close(started ? 'cut' : 'error', 200, cause, null)
    this.#end()
  }

  /** A mistake of ours: the log has it, and the client and the provider are not left waiting. */
  async #broke(bug: unknown): Promise<void> {
    const { call, deps } = this.#exchange
    const error = bug instanceof Error ? (bug.stack ?? bug.message) : String(bug)
    deps.log.write('error', 'gateway', 'a stream failed unexpectedly', { request_id: call.id, error })
    const started = this.#answer !== undefined
    await this.#answer?.live.close(internal())
    abandon(this.#exchange)
    this.#fail(internal(), started)
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#keepAlive?.clear()
    this.#controller?.close()
    this.#done()
  }

  /** The request was cancelled from outside: by the client's signal, or by the process that is going down. True: it is read on. */
  #cancelled(): boolean {
    // When the process goes down the client still reads: the read that the abort ends tells it so.
    if (this.#closed || this.#cause().kind !== 'cancelled') return false
    const answer = this.#answer
    const drained = answer === undefined ? undefined : this.#drained(answer)
    void this.#leave(drained) // rejects never: it only closes what is lost
    return drained !== undefined
  }

  /** Reads the answer on for its usage, as long as the settings say. Undefined where that is not done. True when it came to its end. */
  #drained({ live }: StreamAnswer): Promise<boolean> | undefined {
    const { deps, cancellation } = this.#exchange
    const { drainMs } = deps.settings()
    const stop = (): void => cancellation.abortAttempt()
    const leave = drainMs === 0 ? undefined : deps.live.drains.enter(stop)
    if (leave === undefined) return undefined
    const deadline = deps.deadlines.start(drainMs, stop)
    return readOn(live, this.#reading).finally(() => {
      deadline.clear()
      leave()
    })
  }

  #cause(): Failure {
    return this.#exchange.cancellation.cause ?? clientLeft()
  }

  /** The answer that nobody began to read, or the end of the attempt that the abort ends: what it cost belongs to the record. */
  async #unread(): Promise<StreamAnswer | undefined> {
    const outcome = await this.#pending.catch(() => undefined) // a mistake of ours that nobody is left to be told
    return outcome?.ok === true && outcome.value.kind === 'stream' ? outcome.value : undefined
  }

  async #leave(drained?: Promise<boolean>): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#keepAlive?.clear()
    const cause = this.#cause()
    const answer = this.#answer ?? (await this.#unread())
    const isWhole = (await drained) ?? false
    await answer?.live.close(isWhole ? null : cause)
    this.#exchange.meter.close('cancelled', 499, cause, null)
    this.#done()
  }
}

/** Headers of the provider's reply that mean something to the client; all others describe our side of the connection. */
const KEPT_HEADERS =
  /^(?:openai-(?:processing-ms|version|model)|anthropic-(?:organization-id|ratelimit-.+)|x-ratelimit-.+|retry-after(?:-ms)?)$/

function answerHeaders(exchange: Exchange, answer: Answer): Record<string, string> {
  const { reply, upstreamRequestId, call, target } = answer.opened
  const headers: Record<string, string> = {
    ...requestIds(exchange.call),
    'x-gateway-provider': target.provider.id,
    'x-gateway-model': headerToken(`${target.provider.id}/${target.model}`),
    ...routeHeaders(exchange),
    ...retirementHeaders(exchange.route, exchange.call.atMs),
  }
  if (upstreamRequestId !== null) headers['x-gateway-upstream-request-id'] = upstreamRequestId
  const budgets = exchange.meter.warnings
  if (budgets.length > 0) headers['x-gateway-budget'] = budgets.map(budgetToken).join(',')
  if (call.dropped.length > 0) headers['x-gateway-dropped'] = call.dropped.map(headerToken).join(',')
  // Rate limits describe our account: they go on only when no other account could have answered.
  if (call.passThrough === undefined || hasAlternatives(exchange)) return headers
  for (const [name, value] of reply.headerPairs()) if (KEPT_HEADERS.test(name)) headers[name] = value
  return headers
}

function hasAlternatives({ route, deps }: Exchange): boolean {
  return route.kind === 'rule' || deps.accounts.of(route.step.provider.id).length > 1
}

/** Ours under both names, whichever the client's library reads: OpenAI's the first, Anthropic's the second. */
function requestIds({ id }: Call): Record<string, string> {
  return { 'x-request-id': id, 'request-id': id }
}

function routeHeaders(exchange: Exchange): Record<string, string> {
  const attempts = { 'x-gateway-attempts': String(exchange.meter.attempts) }
  if (exchange.call.request.headers.get('x-gateway-explain') !== '1') return attempts
  const steps = exchange.meter.route.map(
    ({ provider, model, accountId, outcome, reason }) =>
      `${headerToken(provider === '' ? model : `${provider}/${model}`)}@${accountId ?? '-'}=${outcome === 'ok' ? 'ok' : (reason ?? outcome)}`,
  )
  return { ...attempts, 'x-gateway-route': steps.join(',') }
}

/** `Team=83%`: of which budget how much is spent. */
function budgetToken({ name, share }: Warning): string {
  return `${headerToken(name)}=${Math.floor(100 * share)}%`
}

const NOT_A_TOKEN = /[^\x21-\x2b\x2d-\x7e]/

/** Visible ASCII without separators: what comes from a client or a provider cannot break a header. */
function headerToken(text: string): string {
  const token = NOT_A_TOKEN.test(text) ? text.replaceAll(new RegExp(NOT_A_TOKEN, 'g'), '_') : text
  return token.slice(0, 200)
}

function internal(): Failure {
  return failure('internal', 'The gateway made a mistake; it has been written down.')
}
