/**
 * Scripted providers, one for each dialect in which the gateway speaks to them. They answer every agent alike: a question with
 * tools gets thinking and two parallel calls, their results get a last word. What an agent sends is kept for the tests.
 */
import { newId } from '../../src/core/id.ts'
import { isObject, type Json } from '../../src/core/json.ts'
import { NO_USAGE } from '../../src/core/usage.ts'
import type { ClientDialect } from '../../src/dialects/dialect.ts'
import { anthropicMessages } from '../../src/dialects/anthropic-messages/index.ts'
import { unfoldReply } from '../../src/dialects/fold.ts'
import type { ChatReply, Opaque, ToolCallPart } from '../../src/dialects/neutral.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/index.ts'
import { REQUEST } from '../dialects/samples/wire.ts'
import { stream } from '../support/plays.ts'
import { playProvider, type PlayedRequest, type Provider } from '../support/provider.ts'
import { seededRandom } from '../support/random.ts'

export interface Vendor {
  /** As custom providers name the dialect. */
  readonly dialect: string
  readonly model: string
  /** What stands between the provider's address and the dialect's own path. */
  readonly base: string
  /** The state that it hides in its thinking and wants back; undefined where the format has none. */
  readonly opaque?: Opaque
  /** A streamed answer as this vendor would send it. */
  render(reply: ChatReply): string | Uint8Array
  readonly contentType: string
  /** Whether a request of this vendor's form holds the results of tools. */
  hasResults(body: Json): boolean
}

const SIGNATURE = 'c2lnbmF0dXJlIG9mIHRoZSBmaXJzdCB0aG91Z2h0'

export const VENDORS: readonly Vendor[] = [
  {
    dialect: 'anthropic_messages',
    model: 'claude-sonnet-4-5',
    base: '/v1',
    opaque: { vendor: 'anthropic', kind: 'signature', blob: SIGNATURE },
    ...rendered(anthropicMessages),
    hasResults: (body) => holds(body, 'type', 'tool_result'),
  },
  {
    dialect: 'openai_chat',
    model: 'gpt-4.1',
    base: '/v1',
    ...rendered(openaiChat),
    hasResults: (body) => holds(body, 'role', 'tool'),
  },
  {
    dialect: 'openai_responses',
    model: 'gpt-5.5',
    base: '/v1',
    opaque: { vendor: 'openai', kind: 'encrypted', blob: SIGNATURE },
    ...rendered(openaiResponses),
    hasResults: (body) => holds(body, 'type', 'function_call_output') || holds(body, 'type', 'custom_tool_call_output'),
  },
]

/** What is to be called with the tools that a request offers. */
export type Calls = (offers: (tool: string) => boolean) => readonly ToolCallPart[]

/** Plays `vendor` for as long as the test runs. */
export function playVendor(vendor: Vendor, calls: Calls): Provider {
  const provider = playProvider()
  provider.otherwise(async (stage) => {
    const reply = answer(vendor, calls, stage.request)
    await stream([vendor.render(reply)], { 'content-type': vendor.contentType })(stage)
  })
  return provider
}

/** The thought that comes before the calls, and the last word. */
export const THOUGHT = 'Two files are asked for, so both are written at once.'
export const LAST_WORD = 'Both files are written.'

function answer(vendor: Vendor, calls: Calls, request: PlayedRequest): ChatReply {
  const body = request.json<Json>()
  const asks = isObject(body) && Array.isArray(body['tools']) && body['tools'].length > 0
  if (!asks || vendor.hasResults(body)) return reply([{ type: 'text', text: LAST_WORD }], 'stop')
  const opaque = vendor.opaque === undefined ? {} : { opaque: vendor.opaque }
  const offered = calls((tool) => holds(body, 'name', tool)).map((call) => asOffered(call, body))
  return reply([{ type: 'reasoning', text: THOUGHT, redacted: false, ...opaque }, ...offered], 'tool-calls')
}

/** A tool of free text is called as it was offered: most formats know it as a function of one string alone. */
function asOffered(call: ToolCallPart, body: Json): ToolCallPart {
  if (call.kind === 'function' || holds(body, 'type', 'custom')) return call
  return { ...call, kind: 'function', argumentsText: JSON.stringify({ input: call.argumentsText }) }
}

function reply(parts: ChatReply['parts'], reason: 'stop' | 'tool-calls'): ChatReply {
  const usage = { ...NO_USAGE, inputUncached: 900, cacheRead: 100, output: 60, reasoning: 20 }
  return { parts, finish: { reason }, usage }
}

function rendered(dialect: ClientDialect): Pick<Vendor, 'render' | 'contentType'> {
  const random = seededRandom(7)
  return {
    contentType: dialect.streamContentType,
    render: (reply) => {
      const encoder = dialect.streamEncoder({
        model: 'played',
        requestId: newId('req', random),
        random,
        createdAtS: 1_768_478_400,
        inputTokensEstimate: 900,
        streamUsage: true,
        request: REQUEST,
      })
      return unfoldReply(reply)
        .map((event) => encoder.push(event))
        .join('')
    },
  }
}

/** Whether a member `name` with this value is anywhere inside. */
function holds(value: Json | undefined, name: string, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => holds(item, name, wanted))
  if (!isObject(value)) return false
  return value[name] === wanted || Object.values(value).some((inner) => holds(inner, name, wanted))
}
