/**
 * One attempt at one target: send, then read until the answer is this target's to give: a plain reply when it is whole, a stream
 * when its first content has come. Everything before that is a failure value; every way out closes the attempt in the meter.
 */
import { failure, FAILURE_BODY_BYTES_MAX, type Failure } from '../core/failure.ts'
import type { Deadline } from '../core/deadlines.ts'
import { err, ok, type Result } from '../core/result.ts'
import { readAll, readerOf, type BodyReader } from '../outbound/body-reader.ts'
import type { OutboundReply } from '../outbound/transport.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { GatewayAccount } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { abortCause } from './live.ts'
import { readPlain, type PlainAnswer } from './plain.ts'
import { openStream, type StreamAnswer } from './stream.ts'
import type { UpstreamCall } from './translate.ts'

export type Answer = PlainAnswer | StreamAnswer

export interface Failed {
  readonly failure: Failure
  /** Whether the request had left for the provider. */
  readonly sent: boolean
  /** Whether the provider had answered with a status. */
  readonly answered: boolean
  readonly http?: number
}

/** A reply's head together with what ends it: the attempt's own abort and its deadline. */
export interface Opened {
  readonly exchange: Exchange
  readonly target: Candidate<GatewayAccount>
  readonly call: UpstreamCall
  readonly reply: OutboundReply
  readonly reader: BodyReader
  readonly deadline: Deadline
  /** The failure that a due deadline stands for. */
  readonly timedOut: () => Failure | undefined
  readonly sentMs: number
  readonly upstreamRequestId: string | null
  /** Lets go of everything the attempt holds but the body. */
  readonly release: () => void
}

export async function send(
  exchange: Exchange,
  target: Candidate<GatewayAccount>,
  call: UpstreamCall,
): Promise<Result<Answer, Failed>> {
  exchange.meter.openAttempt(target, call.dialect.id, call.dropped)
  const opened = await open(exchange, target, call)
  if (!opened.ok) {
    const sent = opened.error.kind !== 'connect' && opened.error.kind !== 'forbidden'
    return closeFailed(exchange, opened.error, { sent, answered: false }, null)
  }
  const { reply } = opened.value
  if (reply.status < 200 || reply.status > 299) return refused(opened.value)
  return exchange.body.stream ? openStream(opened.value) : readPlain(opened.value)
}

/** Sends the request and waits for the head. A deadline that falls due ends the attempt, not the client's request. */
async function open(
  exchange: Exchange,
  target: Candidate<GatewayAccount>,
  call: UpstreamCall,
): Promise<Result<Opened, Failure>> {
  const { deps } = exchange
  const { timeouts } = deps.settings()
  const abort = new AbortController()
  const follow = (): void => abort.abort(abortCause(exchange.abort.signal))
  exchange.abort.signal.addEventListener('abort', follow, { once: true })
  let due: Failure | undefined
  const deadline = deps.deadlines.start(exchange.body.stream ? timeouts.firstEventMs : timeouts.totalMs, () => {
    due = failure('timeout', 'The provider did not answer in time.')
    abort.abort(due)
  })
  const release = (): void => {
    deadline.clear()
    exchange.abort.signal.removeEventListener('abort', follow)
  }
  if (exchange.abort.signal.aborted) follow()
  const transport = target.provider.kind === 'demo' ? deps.demo : deps.send
  const reply = await transport({
    method: 'POST',
    url: call.url,
    headers: call.headers,
    body: call.body,
    signal: abort.signal,
    policy: call.policy,
    connectMs: timeouts.connectMs,
  })
  if (!reply.ok) {
    release()
    return err(due ?? reply.error)
  }
  return ok({
    exchange,
    target,
    call,
    reply: reply.value,
    reader: readerOf(reply.value),
    deadline,
    timedOut: () => due,
    sentMs: deps.clock.monotonicMs(),
    upstreamRequestId: reply.value.headers.get('request-id') ?? reply.value.headers.get('x-request-id'),
    release,
  })
}

/** The provider said no. */
async function refused(opened: Opened): Promise<Result<never, Failed>> {
  const { exchange, call, reply, target } = opened
  const body = await readAll(opened.reader, FAILURE_BODY_BYTES_MAX)
  opened.release()
  const text = body.ok ? redact(exchange, target, Buffer.from(body.value).toString('utf8')) : ''
  const cause =
    reply.status >= 300 && reply.status < 400
      ? failure('server', 'The provider answered with a redirect, which is not followed.')
      : call.dialect.decodeFailure(reply.status, reply.headers, text)
  return closeFailed(exchange, cause, { sent: true, answered: true, http: reply.status }, opened.upstreamRequestId)
}

/** Known secrets never reach a client, a log or a row, even when a provider echoes them. */
export function redact(exchange: Exchange, target: Candidate<GatewayAccount>, text: string): string {
  if (target.account === null) return text
  return exchange.deps.accounts
    .secretsOf(target.account)
    .reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text)
}

/** Ends an attempt that gave the client nothing. */
export function closeFailed(
  exchange: Exchange,
  cause: Failure,
  progress: Omit<Failed, 'failure'>,
  upstreamRequestId: string | null,
): { readonly ok: false; readonly error: Failed } {
  exchange.meter.closeAttempt({
    failure: cause,
    http: progress.http ?? null,
    upstreamRequestId,
    usage: undefined,
    outputTokensEstimate: 0,
    // A provider that answered with an error, or was never reached, charges nothing.
    mayHaveCost: progress.sent && !progress.answered && cause.kind !== 'cancelled',
  })
  return err({ failure: cause, ...progress })
}
