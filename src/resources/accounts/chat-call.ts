/**
 * One chat with a provider, put as an inference request would be put and read as its answer would be read, but whole: for those
 * who want to know what a provider makes of it rather than to pass it on. Pure: who sends it is the caller's business.
 */
import type { ModelFacts, ProviderEndpoint, ProviderSpec, Quirks } from '../../catalog/provider.ts'
import { vendorOf } from '../../catalog/vendor.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { ACCEPTED, type Frame } from '../../core/framing/frame.ts'
import { framerOf } from '../../core/framing/index.ts'
import { isObject, parseJson } from '../../core/json.ts'
import { textOf as textOfBytes } from '../../core/json-scan.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Usage } from '../../core/usage.ts'
import type { ReplyContext, UpstreamDialect } from '../../dialects/dialect.ts'
import { answeringByTool } from '../../dialects/fitting/answer-tool.ts'
import { fitRequest } from '../../dialects/fitting/index.ts'
import { foldEvents } from '../../dialects/answer/fold.ts'
import { hosted, hostedHeaders } from '../../dialects/host-edits.ts'
import type { ChatReply, ChatRequest } from '../../dialects/neutral.ts'
import { EventGuard } from '../../dialects/validator.ts'
import { chatPathOf } from '../../outbound/upstream.ts'
import { isSuccess, textOf, type ProbeReply, type Question } from './probe-ask.ts'

/** Whom a chat is put to. */
export interface ChatTarget {
  readonly provider: ProviderSpec
  readonly endpoint: ProviderEndpoint
  readonly dialect: UpstreamDialect
  /** The provider's own name of it. */
  readonly model: string
  readonly facts: ModelFacts
  readonly random: Random
}

export interface ChatCall {
  readonly question: Question
  /** What an answer to it means. The same bytes always mean the same. */
  read(reply: ProbeReply): ChatAnswer
}

export interface ChatAnswer {
  readonly status: number
  /** The answer in neutral form; a Failure in the provider's words. */
  readonly reply: Result<ChatReply, Failure>
  /** Undefined when the provider gave no figures. */
  readonly usage: Usage | undefined
  /** Events of a stream that were out of order and had to be mended. */
  readonly repairs: readonly string[]
  /** It came as one piece. */
  readonly whole: boolean
}

/** Failure: `unsupported`, for what this model or the format cannot be asked. */
export function prepareChat(request: ChatRequest, target: ChatTarget): Result<ChatCall, Failure> {
  const { provider, endpoint, model, facts, random } = target
  const fitted = fitRequest(request, facts)
  if (!fitted.ok) return fitted
  const { answerTool } = fitted.value
  const dialect = answerTool === undefined ? target.dialect : answeringByTool(target.dialect, answerTool)
  const [vendor, quirks] = [vendorOf(provider, model), quirksOf(endpoint, facts)]
  const encoded = dialect.encodeRequest(fitted.value.request, { model, vendor, quirks, capabilities: facts })
  if (!encoded.ok) return encoded
  const sent = Object.fromEntries(encoded.value.headers)
  const host = hosted(endpoint, Buffer.from(JSON.stringify(encoded.value.body), 'utf8'), sent)
  if (!host.ok) return host
  const framing = endpoint.framing ?? dialect.framing
  const { toolNames, customTools } = encoded.value
  const context = { vendor, quirks, toolNames, random, ...(customTools === undefined ? {} : { customTools }) }
  return ok({
    question: {
      path: chatPathOf(endpoint, dialect, model, request.stream),
      body: textOfBytes(host.value.body, 0, host.value.body.length),
      headers: {
        accept: request.stream ? ACCEPTED[framing] : 'application/json',
        ...hostedHeaders(sent, host.value),
      },
    },
    read: (reply) => readAnswer(reply, dialect, context, request.stream ? framing : undefined),
  })
}

/** The host's oddities and, for streams, the model's. */
function quirksOf({ quirks }: ProviderEndpoint, { streamUsage }: ModelFacts): Quirks {
  return streamUsage ? quirks : { ...quirks, noStreamUsage: true }
}

type Framing = keyof typeof ACCEPTED

/** `framing`: of a stream; undefined for a plain answer. */
function readAnswer(
  reply: ProbeReply,
  dialect: UpstreamDialect,
  context: ReplyContext,
  framing: Framing | undefined,
): ChatAnswer {
  const { status, headers, body } = reply
  if (!isSuccess(status)) return plainAnswer(status, err(dialect.decodeFailure(status, headers, textOf(body))))
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  if (framing !== undefined && !(framing === 'sse' && isJson)) {
    return streamedAnswer(reply, dialect, context, framing)
  }
  const parsed = parseJson(textOf(body))
  return plainAnswer(status, isObject(parsed) ? dialect.decodeReply(parsed, context) : UNREADABLE)
}

const UNREADABLE = err(failure('server', 'The answer is not in the format of this provider.'))

function plainAnswer(status: number, reply: Result<ChatReply, Failure>): ChatAnswer {
  const usage = reply.ok && !reply.value.usage.estimated ? reply.value.usage : undefined
  return { status, reply, usage, repairs: [], whole: true }
}

function streamedAnswer(
  { status, body }: ProbeReply,
  dialect: UpstreamDialect,
  context: ReplyContext,
  framing: Framing,
): ChatAnswer {
  const decoder = dialect.streamDecoder(context)
  const guard = new EventGuard()
  const decoded = framesOf(body, framing).flatMap((frame) => guard.pass(decoder.push(frame)))
  const events = [...decoded, ...guard.pass(decoder.finish()), ...guard.finish()]
  const told = events.findLast((event) => event.type === 'usage')
  return {
    status,
    reply: foldEvents(events),
    usage: told?.usage.estimated === false ? told.usage : undefined,
    repairs: guard.repairs,
    whole: false,
  }
}

function framesOf(body: Uint8Array, framing: Framing): readonly Frame[] {
  const framer = framerOf(framing)
  const frames = framer.push(body)
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}
