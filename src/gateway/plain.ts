/** A plain reply: read whole, looked at for its usage or a hidden error, handed on as it came or encoded for the client. */
import { failure, FAILURE_BODY_BYTES_MAX, type Failure } from '../core/failure.ts'
import { scanObject } from '../core/json-scan.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Usage } from '../core/usage.ts'
import type { PassThrough } from '../dialects/dialect.ts'
import type { ChatReply } from '../dialects/neutral.ts'
import { readAll } from '../outbound/body-reader.ts'
import { brokenCallsIn } from './broken-arguments.ts'
import { clientContext } from './client-context.ts'
import { parseBody } from './exchange.ts'
import { closeFailed, logBrokenCalls, redact, renamerOf, type Failed, type Opened } from './opened.ts'
import { keepReply, noteIssuer } from './remember.ts'

/** The longest plain reply that is accepted: several inline images. */
export const REPLY_BYTES_MAX = 64 * 1024 * 1024
/** What the log shows of an answer that is none. */
const DETAIL_CHARACTERS_MAX = 250

export interface PlainAnswer {
  readonly kind: 'plain'
  readonly opened: Opened
  readonly body: Uint8Array
  readonly stopReason: string | null
}

interface Rendered {
  readonly body: Uint8Array
  readonly usage: Usage | undefined
  readonly stopReason: string | null
  readonly outputTokensEstimate: number
}

export async function readPlain(opened: Opened): Promise<Result<PlainAnswer, Failed>> {
  const { exchange, reply } = opened
  const body = await readAll(opened.reader, REPLY_BYTES_MAX)
  opened.deadline.clear()
  const progress = { sent: true, answered: body.ok, http: reply.status }
  if (!body.ok) {
    const cause = opened.timedOut() ?? broken(body.error)
    return closeFailed(opened, cause, { ...progress, answered: false }, opened.upstreamRequestId)
  }
  const rendered = render(opened, body.value)
  if (!rendered.ok) return closeFailed(opened, rendered.error, progress, opened.upstreamRequestId)
  const { usage, stopReason, outputTokensEstimate } = rendered.value
  exchange.meter.firstToken()
  opened.attempt.firstToken()
  opened.attempt.close({
    failure: null,
    http: reply.status,
    upstreamRequestId: opened.upstreamRequestId,
    usage,
    outputTokensEstimate,
    mayHaveCost: true,
  })
  return ok({ kind: 'plain', opened, body: rendered.value.body, stopReason })
}

/** Before the client has anything, a broken connection is a server's failure, not a cut answer. */
function broken(cause: Failure): Failure {
  return cause.kind === 'cut' ? { ...cause, kind: 'server' } : cause
}

function render(opened: Opened, body: Uint8Array): Result<Rendered, Failure> {
  const { passThrough } = opened.call
  return passThrough === undefined ? rewrite(opened, body) : passOn(opened, body, passThrough)
}

function passOn(opened: Opened, body: Uint8Array, native: PassThrough): Result<Rendered, Failure> {
  const scanned = scanObject(body)
  if (!scanned.ok) return err(notAnAnswer(opened, body))
  const inspected = native.inspectReply(scanned.value, opened.call.replyContext)
  if (!inspected.ok) return inspected
  const { usage, stopReason, answerId } = inspected.value
  noteIssuer(opened.exchange, opened.target, answerId)
  const sent = renamerOf(opened)?.(body) ?? body
  return ok({ body: sent, usage, stopReason: stopReason ?? null, outputTokensEstimate: Math.ceil(body.length / 4) })
}

function rewrite(opened: Opened, body: Uint8Array): Result<Rendered, Failure> {
  const { exchange, call } = opened
  const parsed = parseBody(body)
  if (!parsed.ok) return err(notAnAnswer(opened, body))
  const reply = call.dialect.decodeReply(parsed.value, call.replyContext)
  if (!reply.ok) return reply
  if (isEmpty(reply.value)) return err(failure('empty', 'The provider ended its answer without any content.'))
  const context = clientContext(exchange, opened.target)
  if (!context.ok) return context
  const { usage, finish } = reply.value
  const answer = exchange.endpoint.dialect.encodeReply(reply.value, context.value)
  keepReply(exchange, reply.value, answer)
  logBrokenCalls(opened, brokenCallsIn(reply.value))
  return ok({
    body: Buffer.from(JSON.stringify(answer), 'utf8'),
    usage: usage.estimated ? undefined : usage,
    stopReason: finish.raw ?? finish.reason,
    outputTokensEstimate: Math.ceil(body.length / 4),
  })
}

/** An answer without any content that claims to be a normal one. A refusal or a limit may well come without content. */
export function isEmpty(reply: ChatReply): boolean {
  return reply.parts.length === 0 && (reply.finish.reason === 'stop' || reply.finish.reason === 'other')
}

/** HTML, plain text or broken JSON under a status of success. */
function notAnAnswer({ exchange, target, reply }: Opened, body: Uint8Array): Failure {
  const start = Buffer.from(body.subarray(0, FAILURE_BODY_BYTES_MAX)).toString('utf8')
  const contentType = reply.header('content-type') ?? 'no content type'
  // Cut only after it is redacted: half of a secret is no longer known as one.
  const detail = redact(exchange, target, `${contentType}: ${start}`).slice(0, DETAIL_CHARACTERS_MAX)
  return failure('server', 'The provider sent something that is not an answer.', { detail })
}
