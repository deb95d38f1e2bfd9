/**
 * Scripted providers for agents, one for each dialect in which the gateway asks. They answer every agent alike: a question with
 * tools gets thinking and two parallel calls, their results get a last word. What an agent sends is kept for the tests.
 */
import { isObject, type Json } from '../../src/core/json.ts'
import { NO_USAGE } from '../../src/core/usage.ts'
import type { ChatReply, ToolCallPart } from '../../src/dialects/neutral.ts'
import type { UpstreamSample } from '../dialects/samples/sample.ts'
import { factsOf } from '../matrix/vendors.ts'
import { stream } from '../support/plays.ts'
import { playProvider, type PlayedRequest, type Provider } from '../support/provider.ts'

/** What is to be called with the tools that a request offers. */
export type Calls = (offers: (tool: string) => boolean) => readonly ToolCallPart[]

/** The thought that comes before the calls, and the last word. */
const THOUGHT = 'Two files are asked for, so both are written at once.'
export const LAST_WORD = 'Both files are written.'

/** Plays `vendor` for as long as the test runs. */
export function playVendor(vendor: UpstreamSample, calls: Calls): Provider {
  const provider = playProvider()
  const { contentType } = factsOf(vendor.id)
  provider.otherwise(async (stage) => {
    const reply = answer(vendor, calls, stage.request)
    await stream([vendor.upstream.voice.stream(reply)], { 'content-type': contentType })(stage)
  })
  return provider
}

/** The request in which the results of the tools came back. */
export function replayed({ requests }: Provider): string | undefined {
  return requests.map((request) => request.text()).find((body) => hasResults(JSON.parse(body)))
}

function answer({ upstream }: UpstreamSample, calls: Calls, request: PlayedRequest): ChatReply {
  const body = request.json<Json>()
  if (!offersTools(body) || hasResults(body)) return reply([{ type: 'text', text: LAST_WORD }], 'stop')
  const opaque = upstream.opaque === undefined ? {} : { opaque: upstream.opaque }
  const offered = calls((tool) => holds(body, 'name', tool)).map((call) => asOffered(call, body))
  return reply([{ type: 'reasoning', text: THOUGHT, redacted: false, ...opaque }, ...offered], 'tool-calls')
}

function offersTools(body: Json): boolean {
  return isObject(body) && (body['tools'] !== undefined || body['toolConfig'] !== undefined)
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

/** In any of the formats. */
function hasResults(body: Json): boolean {
  const types = ['tool_result', 'function_call_output', 'custom_tool_call_output']
  const members = ['functionResponse', 'toolResult']
  return (
    types.some((type) => holds(body, 'type', type)) ||
    holds(body, 'role', 'tool') ||
    members.some((name) => has(body, name))
  )
}

/** Whether a member `name` with this value is anywhere inside. */
function holds(value: Json | undefined, name: string, wanted: string): boolean {
  return find(value, (object) => object[name] === wanted)
}

function has(value: Json | undefined, name: string): boolean {
  return find(value, (object) => name in object)
}

function find(value: Json | undefined, matches: (object: Readonly<Record<string, unknown>>) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => find(item, matches))
  if (!isObject(value)) return false
  return matches(value) || Object.values(value).some((inner) => find(inner, matches))
}
