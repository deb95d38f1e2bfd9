/** The two steps of a probe that cost something: a plain answer and a streamed one, of at most one token each. */
import { capabilitiesOf } from '../../catalog/models.ts'
import type { ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { isObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { framerOf } from '../../core/framing/index.ts'
import type { UpstreamDialect, EncodedRequest, ReplyContext } from '../../dialects/dialect.ts'
import { foldEvents } from '../../dialects/fold.ts'
import type { ChatRequest } from '../../dialects/neutral.ts'
import { chatPathOf } from '../../outbound/upstream.ts'
import { inOurWords, isSuccess, textOf, type Ask, type ProbeReply } from './probe-ask.ts'

export interface ProbeCall {
  readonly ask: Ask
  readonly dialect: UpstreamDialect
  readonly endpoint: ProviderEndpoint
  readonly provider: ProviderSpec
  readonly model: string
  readonly random: Random
}

type StepOutcome = Result<number, Failure>

/** The status of a plain answer. One without content is fine: a token may not be enough for a model that thinks first. */
export async function tryCall(call: ProbeCall): Promise<StepOutcome> {
  return await exchange(call, false, (reply, context) => {
    const body = parsed(reply)
    const decoded = body.ok && isObject(body.value) ? call.dialect.decodeReply(body.value, context) : UNREADABLE
    return judged(decoded, reply)
  })
}

/** The status of a streamed answer that came to its proper end. */
export async function tryStream(call: ProbeCall): Promise<StepOutcome> {
  return await exchange(call, true, (reply, context) => {
    const decoder = call.dialect.streamDecoder(context)
    const events = framesOf(call, reply.body).flatMap((frame) => decoder.push(frame))
    return judged(foldEvents([...events, ...decoder.finish()]), reply)
  })
}

function framesOf({ dialect, endpoint }: ProbeCall, body: Uint8Array): readonly Frame[] {
  const framer = framerOf(endpoint.framing ?? dialect.framing)
  const frames = framer.push(body)
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

type Judge = (reply: ProbeReply, context: ReplyContext) => StepOutcome

async function exchange(call: ProbeCall, stream: boolean, judge: Judge): Promise<StepOutcome> {
  const encoded = encode(call, stream)
  if (!encoded.ok) return encoded
  const path = chatPathOf(call.endpoint, call.dialect, call.model, stream)
  const reply = await call.ask({ path, body: encoded.value.body })
  if (!reply.ok) return reply
  const { status, headers, body } = reply.value
  if (!isSuccess(status)) return err(inOurWords(call.dialect.decodeFailure(status, headers, textOf(body)), status))
  return judge(reply.value, contextOf(call, encoded.value))
}

function encode({ dialect, endpoint, provider, model }: ProbeCall, stream: boolean): Result<EncodedRequest, Failure> {
  const target = { model, vendor: provider.vendor, quirks: endpoint.quirks }
  return dialect.encodeRequest(oneToken(model, stream), { ...target, capabilities: capabilitiesOf(provider, model) })
}

function oneToken(model: string, stream: boolean): ChatRequest {
  return {
    model,
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
    maxTokens: 1,
    sampling: {},
    stream,
    streamUsage: false,
    unknownFields: [],
  }
}

function contextOf({ provider, endpoint, random }: ProbeCall, { toolNames }: EncodedRequest): ReplyContext {
  return { vendor: provider.vendor, quirks: endpoint.quirks, toolNames, random }
}

const UNREADABLE = err(failure('server', 'The answer is not in the format of this provider.'))

function judged(decoded: Result<unknown, Failure>, { status }: ProbeReply): StepOutcome {
  return decoded.ok || decoded.error.kind === 'empty' ? ok(status) : err(inOurWords(decoded.error, status))
}

function parsed({ body }: ProbeReply): Result<unknown, Failure> {
  try {
    return ok(JSON.parse(textOf(body)))
  } catch {
    return UNREADABLE
  }
}
