/** A plain reply: read whole, looked at for its usage or a hidden error, handed on as it came or encoded for the client. */
import { failure, FAILURE_BODY_BYTES_MAX, type Failure } from '../core/failure.ts'
import { scanObject } from '../core/json-scan.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Usage } from '../core/usage.ts'
import { emptyAnswer } from '../dialects/answer/broken-answer.ts'
import type { PassThrough } from '../dialects/dialect.ts'
import type { ChatReply } from '../dialects/neutral.ts'
import { readAll } from '../outbound/body-reader.ts'
import { brokenCallsIn } from './streaming/broken-arguments.ts'
import { clientContext } from './client-context.ts'
import { parseBody } from './exchange.ts'
import { closeFailed, logBrokenCalls, redact, renamerOf, type Failed, type Opened } from './opened.ts'
import { keepReply, noteIssuer } from './translate/remember.ts'

/** The longest plain reply that is accepted: several inline images. */
export const REPLY_BYTES_MAX = 64 * 1024 * 1024
/** Of those that stay here, since several are held for one request. */
const NEUTRAL_REPLY_BYTES_MAX = 8 * 1024 * 1024
/** What the log shows of an answer that is none. */
const DETAIL_CHARACTERS_MAX = 250

export interface PlainAnswer {
  readonly kind: 'plain'
  readonly opened: Opened
  readonly body: Uint8Array
  readonly stopReason: string | null
}

/** For the gateway itself, which renders it later, or not at all. */
export interface NeutralAnswer {
  readonly kind: 'neutral'
  readonly opened: Opened
  readonly reply: ChatReply
}

interface Figures {
  readonly usage: Usage | undefined
  readonly outputTokensEstimate: number
}

interface Rendered {
  readonly body: Uint8Array
  readonly stopReason: string | null
}

export async function readPlain(opened: Opened): Promise<Result<PlainAnswer, Failed>> {
  const body = await readWhole(opened, REPLY_BYTES_MAX)
  if (!body.ok) return body
  const rendered = render(opened, body.value)
  if (!rendered.ok) return refuse(opened, rendered.error)
  opened.exchange.meter.firstToken()
  closeAnswered(opened, rendered.value)
  return ok({ kind: 'plain', opened, body: rendered.value.body, stopReason: rendered.value.stopReason })
}

export async function readNeutral(opened: Opened): Promise<Result<NeutralAnswer, Failed>> {
  const body = await readWhole(opened, NEUTRAL_REPLY_BYTES_MAX)
  if (!body.ok) return body
  const reply = decode(opened, body.value)
  if (!reply.ok) return refuse(opened, reply.error)
  closeAnswered(opened, figuresOf(reply.value, body.value))
  return ok({ kind: 'neutral', opened, reply: reply.value })
}

async function readWhole(opened: Opened, bytesMax: number): Promise<Result<Uint8Array, Failed>> {
  const body = await readAll(opened.reader, bytesMax)
  opened.deadline.clear()
  if (body.ok) return body
  const cause = opened.timedOut() ?? broken(body.error)
  const progress = { sent: true, answered: false, http: opened.reply.status }
  return closeFailed(opened, cause, progress, opened.upstreamRequestId)
}

/** What came is not an answer. */
function refuse(opened: Opened, cause: Failure) {
  const progress = { sent: true, answered: true, http: opened.reply.status }
  return closeFailed(opened, cause, progress, opened.upstreamRequestId)
}

function closeAnswered({ attempt, reply, upstreamRequestId }: Opened, figures: Figures): void {
  attempt.firstToken()
  const { usage, outputTokensEstimate } = figures
  attempt.close({
    failure: null,
    http: reply.status,
    upstreamRequestId,
    usage,
    outputTokensEstimate,
    mayHaveCost: true,
  })
}

function figuresOf({ usage }: ChatReply, body: Uint8Array): Figures {
  return { usage: usage.estimated ? undefined : usage, outputTokensEstimate: Math.ceil(body.length / 4) }
}

/** Before the client has anything, a broken connection is a server's failure, not a cut answer. */
function broken(cause: Failure): Failure {
  return cause.kind === 'cut' ? { ...cause, kind: 'server' } : cause
}

function render(opened: Opened, body: Uint8Array): Result<Rendered & Figures, Failure> {
  const { passThrough } = opened.call
  return passThrough === undefined ? rewrite(opened, body) : passOn(opened, body, passThrough)
}

function passOn(opened: Opened, body: Uint8Array, native: PassThrough): Result<Rendered & Figures, Failure> {
  const scanned = scanObject(body)
  if (!scanned.ok) return err(notAnAnswer(opened, body))
  const inspected = native.inspectReply(scanned.value, opened.call.replyContext)
  if (!inspected.ok) return inspected
  const { usage, stopReason, answerId } = inspected.value
  noteIssuer(opened.exchange, opened.target, answerId)
  const sent = renamerOf(opened)?.(body) ?? body
  return ok({ body: sent, usage, stopReason: stopReason ?? null, outputTokensEstimate: Math.ceil(body.length / 4) })
}

function rewrite(opened: Opened, body: Uint8Array): Result<Rendered & Figures, Failure> {
  const reply = decode(opened, body)
  if (!reply.ok) return reply
  const rendered = renderReply(opened, reply.value)
  return rendered.ok ? ok({ ...rendered.value, ...figuresOf(reply.value, body) }) : rendered
}

function decode(opened: Opened, body: Uint8Array): Result<ChatReply, Failure> {
  const { call } = opened
  const parsed = parseBody(body)
  if (!parsed.ok) return err(notAnAnswer(opened, body))
  const reply = call.dialect.decodeReply(parsed.value, call.replyContext)
  if (!reply.ok) return reply
  if (isEmpty(reply.value)) return err(emptyAnswer(reply.value.usage))
  logBrokenCalls(opened, brokenCallsIn(reply.value))
  return reply
}

/** The reply for the client, kept where the conversation may go on from it. Failures: those of decoding the client's body. */
export function renderReply(
  { exchange, target }: Pick<Opened, 'exchange' | 'target'>,
  reply: ChatReply,
): Result<Rendered, Failure> {
  const context = clientContext(exchange, target)
  if (!context.ok) return context
  const answer = exchange.endpoint.dialect.encodeReply(reply, context.value)
  keepReply(exchange, reply, answer)
  const { finish } = reply
  return ok({ body: Buffer.from(JSON.stringify(answer), 'utf8'), stopReason: finish.raw ?? finish.reason })
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
