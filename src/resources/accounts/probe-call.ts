/** The two steps of a probe that cost something: a plain answer and a streamed one, of at most one token each. */
import { capabilitiesOf } from '../../catalog/models.ts'
import type { ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import type { Failure } from '../../core/failure.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { ChatRequest } from '../../dialects/neutral.ts'
import { prepareChat } from './chat-call.ts'
import { inOurWords, type Ask } from './probe-ask.ts'

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
export function tryCall(call: ProbeCall): Promise<StepOutcome> {
  return exchange(call, false)
}

/** The status of a streamed answer that came to its proper end. */
export function tryStream(call: ProbeCall): Promise<StepOutcome> {
  return exchange(call, true)
}

async function exchange(call: ProbeCall, stream: boolean): Promise<StepOutcome> {
  const { provider, model } = call
  const prepared = prepareChat(oneToken(model, stream), { ...call, facts: capabilitiesOf(provider, model) })
  if (!prepared.ok) return prepared
  const asked = await call.ask(prepared.value.question)
  if (!asked.ok) return asked
  const { status, reply } = prepared.value.read(asked.value)
  return reply.ok || reply.error.kind === 'empty' ? ok(status) : err(inOurWords(reply.error, status))
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
