/**
 * One attempt at one target: send, then read until the answer is this target's to give: a plain reply when it is whole, a stream
 * when its first content has come. Everything before that is a failure value; every way out closes the attempt in the meter.
 */
import { failure, FAILURE_BODY_BYTES_MAX, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { readAll, readerOf } from '../outbound/body-reader.ts'
import type { OutboundRequest } from '../outbound/transport.ts'
import { behalfOf } from '../outbound/upstream.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { GatewayAccount } from './deps.ts'
import type { Exchange } from './exchange.ts'
import type { HeldForAttempt, MeteredAttempt } from './meter/meter.ts'
import { closeFailed, redact, type Failed, type Opened } from './opened.ts'
import { readNeutral, readPlain, type NeutralAnswer, type PlainAnswer } from './plain.ts'
import { openStream, type StreamAnswer } from './streaming/stream.ts'
import { timeoutsFor } from './terms.ts'
import type { UpstreamCall } from './translate/translate.ts'

export type Answer = PlainAnswer | StreamAnswer | NeutralAnswer
/** What the attempts of a request came to. */
export type Outcome = Result<Answer, Failure>

export async function send(
  exchange: Exchange,
  target: Candidate<GatewayAccount>,
  call: UpstreamCall,
  held: HeldForAttempt,
): Promise<Result<Answer, Failed>> {
  const attempt = exchange.meter.openAttempt(target, call, held, exchange.begun !== undefined)
  const hindered = held.reservation.isBlocking ? await written(exchange, attempt) : undefined
  if (hindered !== undefined)
    return closeFailed({ exchange, target, attempt }, hindered, { sent: false, answered: false }, null)
  const opened = await open(exchange, target, call, attempt)
  if (!opened.ok) {
    const { failure: cause, sent } = opened.error
    return closeFailed({ exchange, target, attempt }, cause, { sent, answered: false }, null)
  }
  const { reply } = opened.value
  if (target.account !== null)
    exchange.deps.quotas.observed(target.provider, target.account, target.model, (name) => reply.header(name))
  if (reply.status < 200 || reply.status > 299) return refused(opened.value)
  if (exchange.answerForm === 'neutral') return readNeutral(opened.value)
  return exchange.body.stream ? openStream(opened.value) : readPlain(opened.value)
}

/** Where a budget refuses, nothing is spent that would not be known of after a crash. Undefined: it may be sent now. */
async function written({ cancellation }: Exchange, attempt: MeteredAttempt): Promise<Failure | undefined> {
  if (await attempt.onDisk()) return cancellation.cause
  return failure('internal', 'The gateway cannot write down what the request may cost, so it was not sent.')
}

/** Sends the request and waits for the head. A deadline that falls due ends the attempt, not the client's request. */
async function open(
  exchange: Exchange,
  target: Candidate<GatewayAccount>,
  call: UpstreamCall,
  attempt: MeteredAttempt,
): Promise<Result<Opened, Unanswered>> {
  const { deps } = exchange
  const timeouts = timeoutsFor(deps.settings(), target.terms)
  const signal = exchange.cancellation.begin()
  let due: Failure | undefined
  const deadline = deps.deadlines.start(exchange.body.stream ? timeouts.firstEventMs : timeouts.totalMs, () => {
    due = failure('timeout', 'The provider did not answer in time.')
    exchange.cancellation.abortAttempt()
  })
  const request: OutboundRequest = {
    method: 'POST',
    url: call.url,
    headers: call.headers,
    body: call.body,
    signal,
    policy: call.policy,
    behalf: behalfOf(target.provider, target.account),
    connectMs: timeouts.connectMs,
  }
  const signing = deps.accounts.sign(target.provider, target.account, request)
  const signed = signing && (await signing)
  if (signed?.ok === false) {
    deadline.clear()
    return err({ failure: due ?? signed.error, sent: false })
  }
  const transport = target.provider.kind === 'demo' ? deps.demo : deps.send
  const reply = await transport(signed === undefined ? request : { ...request, ...signed.value })
  if (!reply.ok) {
    deadline.clear()
    const { failure: cause, sent } = unanswered(reply.error)
    return err({ failure: due ?? cause, sent })
  }
  return ok({
    exchange,
    target,
    call,
    attempt,
    reply: reply.value,
    reader: readerOf(reply.value),
    deadline,
    timedOut: () => due,
    sentMs: deps.clock.monotonicMs(),
    timeouts,
    upstreamRequestId:
      reply.value.header('request-id') ?? reply.value.header('x-request-id') ?? reply.value.header('x-amzn-requestid'),
  })
}

interface Unanswered {
  readonly failure: Failure
  /** Whether the provider can have seen the request. */
  readonly sent: boolean
}

/** A timeout of the transport is one of connecting; the wait for an answer is bounded by our own deadline. */
function unanswered(cause: Failure): Unanswered {
  if (cause.kind === 'forbidden') return { failure: notCallable(cause), sent: false }
  const sent = cause.kind !== 'connect' && cause.kind !== 'timeout' && cause.reason !== 'unsent'
  return { failure: cause, sent }
}

/** Where an account points is its owner's business: to the client the provider just cannot be reached. */
function notCallable({ message }: Failure): Failure {
  return failure('connect', 'The address of the account at the provider is one that is not called.', {
    detail: message,
  })
}

/** The provider said no. */
async function refused(opened: Opened): Promise<Result<never, Failed>> {
  const { exchange, call, reply, target } = opened
  const body = await readAll(opened.reader, FAILURE_BODY_BYTES_MAX)
  opened.deadline.clear()
  const text = body.ok ? redact(exchange, target, Buffer.from(body.value).toString('utf8')) : ''
  const cause =
    reply.status >= 300 && reply.status < 400
      ? failure('server', 'The provider answered with a redirect, which is not followed.')
      : call.dialect.decodeFailure(reply.status, reply.headers, text)
  return closeFailed(opened, cause, { sent: true, answered: true, http: reply.status }, opened.upstreamRequestId)
}
