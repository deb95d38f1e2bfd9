/**
 * A streamed answer: read until its first content commits it to the client, then step by step for as long as the client reads. What
 * lives here is about answers while they are written; asking for them is the attempt's. Invariant: whatever becomes of the provider,
 * what a client has read is the beginning of one whole stream of its format.
 */
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { framerOf } from '../../core/framing/index.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Usage } from '../../core/usage.ts'
import { emptyAnswer } from '../../dialects/answer/broken-answer.ts'
import { unfoldReply } from '../../dialects/answer/fold.ts'
import type { PassThrough, StreamEncoder } from '../../dialects/dialect.ts'
import type { ChatEvent, ChatReply } from '../../dialects/neutral.ts'
import type { CommitPoint } from '../../routing/rule.ts'
import { readAll } from '../../outbound/body-reader.ts'
import { Begun } from './begun.ts'
import { clientContext } from '../client-context.ts'
import { isContinuable } from './continuable.ts'
import { parseBody } from '../exchange.ts'
import { closeFailed, type Failed, logBrokenCalls, type Opened, placeOf, redactFailure, renamerOf } from '../opened.ts'
import { REPLY_BYTES_MAX } from '../plain.ts'
import { keeping, noting } from '../translate/remember.ts'
import type { StreamPreferences } from '../deps.ts'
import { Pace } from './pace.ts'
import type { Seam } from './seam.ts'
import { streamPreferencesFor } from '../terms.ts'
import { RawMode, RewrittenMode, type RawOptions, type StreamMode, type StreamStep } from './stream-mode.ts'

export interface StreamAnswer {
  readonly kind: 'stream'
  readonly opened: Opened
  readonly live: Live
  /** Everything up to and including the first content. */
  readonly head: Uint8Array
  /** How the read that brought the first content ended. */
  readonly first: StreamStep
  /** Kept where it is gone on with when it is cut. */
  readonly begun?: Begun | undefined
}

/** What is still to come of an answer that has begun. */
export interface Live {
  /** Reads once. After an end or a failure it is not called again. */
  step(): Promise<StreamStep>
  /** Ends the attempt in the meter and gives the provider's connection up. Later calls do nothing. */
  close(cause: Failure | null): Promise<void>
  readonly stopReason: string | undefined
}

const NO_BYTES = new Uint8Array(0)
const NORMAL_ENDS: ReadonlySet<string | undefined> = new Set([undefined, 'stop', 'end_turn', 'completed', 'other'])

export async function openStream(opened: Opened): Promise<Result<StreamAnswer, Failed>> {
  const contentType = opened.reply.header('content-type') ?? ''
  const isPlain = isPlainReply(opened, contentType)
  if (contentType.includes('html')) return fail(opened, failure('server', 'The provider answered with a web page.'))
  const { passThrough } = opened.call
  if (passThrough !== undefined && !isPlain) return commit(opened, new LiveStream(opened, rawMode(opened, passThrough)))
  const rendering = renderingOf(opened)
  if (!rendering.ok) return fail(opened, rendering.error)
  const mode = rewrittenMode(opened, rendering.value)
  const answer = await (isPlain ? synthesise(opened, mode) : commit(opened, new LiveStream(opened, mode)))
  return answer.ok ? ok({ ...answer.value, begun: rendering.value.begun }) : answer
}

/** One whole JSON value where events were asked for. */
function isPlainReply({ call }: Opened, contentType: string): boolean {
  return contentType.startsWith('application/json') && call.framing === 'sse'
}

function rawMode(opened: Opened, native: PassThrough): RawMode {
  const { call, exchange, target } = opened
  const watcher = noting(exchange, target, native.streamWatcher(call.replyContext, call.omitUsage))
  return new RawMode(framerOf(call.framing), watcher, native.streamEnd, rawOptions(opened))
}

/** Where decoded events go. */
interface Rendering {
  readonly encoder: StreamEncoder
  /** Between what was cut and what goes on. */
  readonly seam: Seam | undefined
  readonly begun: Begun | undefined
}

/** Failures: those of decoding the client's body. */
function renderingOf({ exchange, target }: Opened): Result<Rendering, Failure> {
  const { begun } = exchange
  if (begun !== undefined) return ok({ encoder: begun.encoder, seam: begun.seam(), begun })
  const context = clientContext(exchange, target)
  if (!context.ok) return context
  const encoder = keeping(exchange, exchange.endpoint.dialect.streamEncoder(context.value))
  if (!isContinuable(exchange, target)) return ok({ encoder, seam: undefined, begun: undefined })
  const started = new Begun(encoder)
  return ok({ encoder: started.encoder, seam: undefined, begun: started })
}

function rewrittenMode({ call }: Opened, { encoder, seam }: Rendering): RewrittenMode {
  return new RewrittenMode(framerOf(call.framing), call.dialect.streamDecoder(call.replyContext), encoder, seam)
}

function rawOptions(opened: Opened): RawOptions {
  const { call } = opened
  const rename = renamerOf(opened)
  const tells = preferencesOf(opened).commit === 'first_text_or_tool'
  return {
    ...(tells ? { observer: call.dialect.streamDecoder(call.replyContext) } : {}),
    ...(rename === undefined ? {} : { rename }),
  }
}

function preferencesOf({ exchange, target }: Opened): StreamPreferences {
  return streamPreferencesFor(exchange.deps.settings(), target.terms)
}

const COMMITS: Readonly<Record<CommitPoint, (step: StreamStep) => boolean>> = {
  first_content: ({ content }) => content,
  first_text_or_tool: ({ answers }) => answers,
  immediate: ({ bytes, content }) => content || bytes.length > 0,
}

/** Reads until the answer is this target's. Until then every way to end is a failure that may move on to another target. */
async function commit(opened: Opened, live: LiveStream): Promise<Result<StreamAnswer, Failed>> {
  const { commit: point, bufferBytes } = preferencesOf(opened)
  const held: Uint8Array[] = []
  let heldBytes = 0
  let isEmpty = true
  for (;;) {
    const step = await live.step()
    held.push(step.bytes)
    heldBytes += step.bytes.length
    isEmpty &&= !step.content
    if (COMMITS[point](step) || heldBytes > bufferBytes) {
      live.commit()
      return ok({ kind: 'stream', opened, live, head: Buffer.concat(held), first: { ...step, bytes: NO_BYTES } })
    }
    if (step.failure !== undefined) return fail(opened, beforeContent(step.failure), live.usage)
    if (!step.ended) continue
    // What goes on may find that nothing was missing.
    if (isEmpty && opened.exchange.begun === undefined && NORMAL_ENDS.has(live.mode.stopReason))
      return fail(opened, emptyAnswer(live.usage))
    live.commit()
    return ok({ kind: 'stream', opened, live, head: Buffer.concat(held), first: { ...step, bytes: NO_BYTES } })
  }
}

/** The client has nothing yet, so what broke is the provider's answer, not the client's. */
function beforeContent(cause: Failure): Failure {
  return cause.kind === 'cut' ? { ...cause, kind: 'server' } : cause
}

/** Kinds after which nobody knows whether the provider went on working, and bills for it. */
const UNKNOWN: ReadonlySet<FailureKind> = new Set(['timeout', 'server', 'cancelled'])

async function fail(
  opened: Opened,
  cause: Failure,
  usage?: Usage,
): Promise<{ readonly ok: false; readonly error: Failed }> {
  opened.deadline.clear()
  await opened.reader.cancel()
  const progress = { sent: true, answered: !UNKNOWN.has(cause.kind), http: opened.reply.status }
  return closeFailed(opened, cause, progress, opened.upstreamRequestId, usage)
}

/** A provider that answers plainly where a stream was asked for: its reply is replayed as the stream that it amounts to. */
async function synthesise(opened: Opened, mode: RewrittenMode): Promise<Result<StreamAnswer, Failed>> {
  const { call } = opened
  const body = await readAll(opened.reader, REPLY_BYTES_MAX)
  if (!body.ok) return fail(opened, opened.timedOut() ?? beforeContent(body.error))
  const parsed = parseBody(body.value)
  if (!parsed.ok) return fail(opened, failure('server', 'The provider sent something that is not an answer.'))
  const reply = call.dialect.decodeReply(parsed.value, call.replyContext)
  if (!reply.ok) return fail(opened, reply.error)
  return commit(opened, new LiveStream(opened, mode, unfoldReply(reply.value)))
}

/** An answer that is there already, for a client that wants a stream; its attempt has ended. Failures: those of decoding the body. */
export function streamOf(opened: Opened, reply: ChatReply): Result<StreamAnswer, Failure> {
  const { exchange, target } = opened
  const context = clientContext(exchange, target)
  if (!context.ok) return context
  const encoder = keeping(exchange, exchange.endpoint.dialect.streamEncoder(context.value))
  const text = unfoldReply(reply).map((event) => encoder.push(event))
  const head = Buffer.from(text.join(''), 'utf8')
  const first = { bytes: NO_BYTES, content: true, answers: true, ended: true, failure: undefined }
  const stopReason = reply.finish.raw ?? reply.finish.reason
  const live = { stopReason, step: () => Promise.resolve(first), close: () => Promise.resolve() }
  return ok({ kind: 'stream', opened, live, head, first })
}

/** The provider's side of a stream: one `step` per read, with the timers that bound it. */
export class LiveStream implements Live {
  readonly mode: StreamMode
  readonly #opened: Opened
  readonly #firstContentDueMs: number
  readonly #pace: Pace
  #ready: readonly ChatEvent[] | undefined
  #hasContent = false
  #closed = false

  constructor(opened: Opened, mode: StreamMode, ready?: readonly ChatEvent[]) {
    this.#opened = opened
    this.mode = mode
    this.#ready = ready
    this.#firstContentDueMs = opened.sentMs + opened.timeouts.firstContentMs
    this.#pace = new Pace(preferencesOf(opened).minTokensPerS)
  }

  /** The answer belongs to this target from here on. */
  commit(): void {
    const { exchange, attempt } = this.#opened
    exchange.meter.firstToken()
    attempt.firstToken()
    this.#pace.start(exchange.deps.clock.monotonicMs(), this.mode.outputTokensEstimate)
    this.#extend()
  }

  get stopReason(): string | undefined {
    return this.mode.stopReason
  }

  /** What is known of the usage of an answer that is not over. */
  get usage(): Usage | undefined {
    return usageAtEnd(this.mode, false)
  }

  async step(): Promise<StreamStep> {
    const step = this.#paced(await this.#next())
    const { exchange, target } = this.#opened
    this.#hasContent ||= step.content
    return step.failure === undefined ? step : { ...step, failure: redactFailure(exchange, target, step.failure) }
  }

  async close(cause: Failure | null): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const { attempt, reply, upstreamRequestId, reader, deadline } = this.#opened
    deadline.clear()
    this.#logOddities()
    attempt.close({
      failure: cause,
      http: reply.status,
      upstreamRequestId,
      usage: usageAtEnd(this.mode, cause === null),
      outputTokensEstimate: this.mode.outputTokensEstimate,
      mayHaveCost: true,
    })
    await reader.cancel()
  }

  /** A provider whose events are out of order, or a decoder of ours that does not know them yet. */
  #logOddities(): void {
    const { repairs, brokenCalls } = this.mode
    logBrokenCalls(this.#opened, brokenCalls)
    if (repairs.length === 0) return
    const fields = { ...placeOf(this.#opened), repaired: repairs.join(', ') }
    this.#opened.exchange.deps.log.write('warn', 'provider', 'events out of order', fields)
  }

  #paced(step: StreamStep): StreamStep {
    if (step.ended || step.failure !== undefined) return step
    const nowMs = this.#opened.exchange.deps.clock.monotonicMs()
    if (!this.#pace.isTooSlow(nowMs, this.mode.outputTokensEstimate)) return step
    return { ...step, failure: failure('cut', 'The provider answered more slowly than the chain allows.') }
  }

  async #next(): Promise<StreamStep> {
    const ready = this.#takeReady()
    if (ready !== undefined) return ready
    const chunk = await this.#opened.reader.read()
    if (!chunk.ok) return this.#broken(chunk.error)
    if (chunk.value === null) return this.mode.finish()
    this.#extend()
    return this.mode.push(chunk.value)
  }

  #takeReady(): StreamStep | undefined {
    const events = this.#ready
    this.#ready = undefined
    return events !== undefined && this.mode instanceof RewrittenMode ? this.mode.encode(events) : undefined
  }

  #extend(): void {
    const { exchange, deadline } = this.#opened
    const { idleMs } = this.#opened.timeouts
    if (this.#hasContent) return deadline.extend(idleMs)
    const untilContentMs = this.#firstContentDueMs - exchange.deps.clock.monotonicMs()
    deadline.extend(Math.max(0, Math.min(idleMs, untilContentMs)))
  }

  #broken(cause: Failure): StreamStep {
    const early = this.mode.finish()
    if (early.ended) return early
    return { ...early, failure: this.#opened.timedOut() ?? this.#opened.exchange.cancellation.cause ?? cause }
  }
}

/** Until the provider has said how it stopped, its figure is one from the start: the output that went through since counts. */
function usageAtEnd({ usage, stopReason, outputTokensEstimate }: StreamMode, whole: boolean): Usage | undefined {
  if (usage === undefined || whole || stopReason !== undefined) return usage
  return { ...usage, output: Math.max(usage.output, outputTokensEstimate), estimated: true }
}
