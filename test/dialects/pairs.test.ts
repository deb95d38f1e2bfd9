/** Every client's dialect with every provider's: what goes in comes out on the other side, or is named as lost. */
import { describe, expect, test } from 'bun:test'
import { asObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { NO_USAGE, type Usage } from '../../src/core/usage.ts'
import type { ClientContext, EncodedRequest } from '../../src/dialects/dialect.ts'
import { foldEvents, unfoldReply } from '../../src/dialects/fold.ts'
import type { ChatReply, ChatRequest, Finish, Part, StopReason } from '../../src/dialects/neutral.ts'
import {
  clientContext,
  decode,
  framesOf,
  PNG,
  render,
  replyContext,
  REQUEST,
  richBody,
  SAMPLES,
  targetContext,
  type Sample,
} from './samples.ts'

function decoded({ dialect }: Sample, body: JsonObject): ChatRequest {
  const request = dialect.decodeRequest(body, new Headers())
  if (!request.ok) throw new Error(request.error.message)
  return request.value
}

/** The client's body as the provider gets it. */
function sent(client: Sample, upstream: Sample, body: JsonObject): EncodedRequest {
  const encoded = upstream.dialect.encodeRequest(decoded(client, body), targetContext(upstream))
  if (!encoded.ok) throw new Error(encoded.error.message)
  return encoded.value
}

function plain(upstream: Sample, body: JsonObject): ChatReply {
  const reply = upstream.dialect.decodeReply(body, replyContext(upstream))
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

function answered(client: Sample, reply: ChatReply, context: ClientContext = clientContext()): JsonObject {
  // As it travels: what JSON cannot say is not there.
  return JSON.parse(JSON.stringify(client.dialect.encodeReply(reply, context)))
}

function summary(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
      return part.source.kind === 'base64' ? `${part.source.mime} ${part.source.data === PNG}` : part.source.kind
    case 'tool-call':
      return `${part.name}(${part.argumentsText})`
    case 'tool-result':
      return `= ${part.parts.map(summary).join('|')}`
    default:
      return part.type
  }
}

const EXPECTED_TURNS = [
  'user: What is it? / image/png true',
  'assistant: weather({"city":"Rome"})',
  'user: = warm / so?',
]

for (const client of SAMPLES) {
  for (const upstream of SAMPLES) {
    describe(`${client.dialect.id} → ${upstream.dialect.id}`, () => {
      test('system, tools, image, call and result arrive', () => {
        const { body } = sent(client, upstream, richBody(client))
        const arrived = decoded(upstream, body)
        expect(arrived.system.map(({ text }) => text).join('\n\n')).toBe('A\n\nB')
        const turns = arrived.messages.map(({ role, parts }) => `${role}: ${parts.map(summary).join(' / ')}`)
        expect(turns).toEqual(EXPECTED_TURNS)
        const [tool] = arrived.tools
        expect(tool).toMatchObject({
          name: 'weather',
          description: 'd',
          schema: { type: 'object', required: ['city'] },
        })
        expect(arrived.stream).toBe(true)
        expect(arrived.reasoning).toBeDefined()
      })

      test('thinking goes back to who thought it, unchanged, through the client’s history', () => {
        const thought: ChatReply = {
          parts: [
            { type: 'reasoning', text: 'Hidden thought.', opaque: upstream.opaque, redacted: false },
            { type: 'text', text: 'Answer.' },
          ],
          finish: { reason: 'stop' },
          usage: NO_USAGE,
        }
        const history = client.continued(answered(client, thought))
        const own = JSON.stringify(sent(client, upstream, history).body)
        expect(own).toContain('Answer.')
        expect(own).toContain(stateOf(upstream))
      })

      test('thinking goes to nobody else, neither as state nor as text', () => {
        const foreign = { vendor: 'elsewhere', kind: 'signature' as const, blob: 'Zm9yZWlnbg' }
        const thought: ChatReply = {
          parts: [
            { type: 'reasoning', text: 'Hidden thought.', opaque: foreign, redacted: false },
            { type: 'text', text: 'Answer.' },
          ],
          finish: { reason: 'stop' },
          usage: NO_USAGE,
        }
        const { body, dropped } = sent(client, upstream, client.continued(answered(client, thought)))
        expect(JSON.stringify(body)).not.toMatch(/Hidden thought|Zm9yZWlnbg|gw1:/)
        expect(JSON.stringify(body)).toContain('Answer.')
        expect(dropped).toContain('thinking')
      })

      for (const [reason, parts] of ENDINGS) {
        test(`an answer that ends with ${reason} does so for the client, streamed or plain`, () => {
          const reply: ChatReply = { parts, finish: finishOf(reason), usage: NO_USAGE }
          const wire = JSON.parse(JSON.stringify(upstream.dialect.encodeReply(reply, clientContext())))
          const neutral = plain(upstream, wire)
          const seen = plain(client, answered(client, neutral)).finish.reason
          expect(seen).toBe(weakened(client, weakened(upstream, reason)))
          const streamed = foldEvents(decode(upstream, framesOf(Buffer.from(render(upstream, unfoldReply(reply))))))
          expect(streamed.ok && streamed.value.finish.reason).toBe(neutral.finish.reason)
        })
      }

      test('a tool of free text is called with free text', () => {
        const input = 'line 1\n"quoted" é'
        const request: ChatRequest = { ...REQUEST, tools: [{ kind: 'custom', name: 'patch' }] }
        const encoded = upstream.dialect.encodeRequest(request, targetContext(upstream))
        if (!encoded.ok) throw new Error(encoded.error.message)
        const { toolNames, customTools } = encoded.value
        const call = {
          type: 'tool-call' as const,
          id: 'call_1',
          name: 'patch',
          kind: 'custom' as const,
          argumentsText: input,
        }
        const reply: ChatReply = { parts: [call], finish: { reason: 'tool-calls' }, usage: NO_USAGE }
        const bytes = Buffer.from(render(upstream, unfoldReply(reply)))
        const events = decode(upstream, framesOf(bytes), { toolNames, ...(customTools && { customTools }) })
        const encoder = client.dialect.streamEncoder(clientContext({ tools: request.tools }))
        const shown = framesOf(Buffer.from(events.map((event) => encoder.push(event)).join('')))
        const seen = foldEvents(decode(client, shown, { customTools: new Set(['patch']) }))
        expect(seen.ok && seen.value.parts).toEqual([call])
      })

      test('a streamed answer reaches the client as the plain one does', () => {
        const reply: ChatReply = {
          parts: [
            { type: 'reasoning', text: 'Hm.', opaque: upstream.opaque, redacted: false },
            { type: 'text', text: 'Grüße 😀' },
            { type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', argumentsText: '{"a":1}' },
            { type: 'tool-call', id: 'call_2', name: 'g', kind: 'function', argumentsText: '{"b":2}' },
          ],
          finish: { reason: 'tool-calls' },
          usage: { ...NO_USAGE, inputUncached: 3, output: 4 },
        }
        const events = decode(upstream, framesOf(Buffer.from(render(upstream, unfoldReply(reply)))))
        const streamed = foldEvents(decode(client, framesOf(Buffer.from(render(client, events)))))
        if (!streamed.ok) throw new Error(streamed.error.message)
        const whole = plain(client, answered(client, plain(upstream, answered(upstream, reply))))
        expect(streamed.value.parts).toEqual([...whole.parts])
        expect(streamed.value.usage).toEqual(whole.usage)
        expect(streamed.value.finish).toEqual(whole.finish)
      })

      test('every token is counted once on the way', () => {
        const usage: Usage = {
          ...NO_USAGE,
          inputUncached: 50,
          cacheRead: 30,
          cacheWrite5m: 20,
          output: 40,
          reasoning: 25,
        }
        const reply: ChatReply = { parts: [{ type: 'text', text: 'a' }], finish: { reason: 'stop' }, usage }
        const wire = JSON.parse(JSON.stringify(upstream.dialect.encodeReply(reply, clientContext())))
        const shown = asObject(answered(client, plain(upstream, wire))['usage']) ?? {}
        expect(inputFigures(client, shown)).toEqual(INPUT_FIGURES[client.dialect.id] ?? {})
      })
    })
  }
}

test('pitfall 39: a Chat client’s tool round goes on from the reasoning of a Responses model', () => {
  const [client, upstream] = [sampleOf('openai-chat'), sampleOf('openai-responses')]
  const thought: ChatReply = {
    parts: [{ type: 'reasoning', text: '', opaque: upstream.opaque, redacted: false }, CALL],
    finish: { reason: 'tool-calls' },
    usage: NO_USAGE,
  }
  const [choice] = answered(client, thought)['choices'] as readonly { readonly message: JsonObject }[]
  const messages: readonly JsonObject[] = [
    { role: 'user', content: 'q' },
    choice?.message ?? {},
    { role: 'tool', tool_call_id: CALL.id, content: 'r' },
  ]
  const { body } = sent(client, upstream, { model: 'm', messages })
  const types = (body['input'] as readonly JsonObject[]).map(({ type }) => type)
  expect(types).toEqual(['message', 'reasoning', 'function_call', 'function_call_output'])
  expect(JSON.stringify(body)).toContain(upstream.opaque.blob)
})

function sampleOf(id: string): Sample {
  const sample = SAMPLES.find(({ dialect }) => dialect.id === id)
  if (sample === undefined) throw new Error(`no sample of ${id}`)
  return sample
}

/** What is searched for in a request: a host's list of details is written as a list again. */
function stateOf({ opaque, dialect }: Sample): string {
  return dialect.id === 'openai-chat' ? opaque.blob.slice(1, -1) : opaque.blob
}

const CALL = { type: 'tool-call' as const, id: 'call_1', name: 'f', kind: 'function' as const, argumentsText: '{}' }
const TEXT = { type: 'text' as const, text: 'a' }

const ENDINGS: readonly (readonly [StopReason, ChatReply['parts']])[] = [
  ['stop', [TEXT]],
  ['stop-sequence', [TEXT]],
  ['tool-calls', [TEXT, CALL]],
  ['length', [TEXT]],
  ['context', [TEXT]],
  ['refusal', [TEXT]],
  ['pause', [TEXT]],
]

function finishOf(reason: StopReason): Finish {
  return reason === 'stop-sequence' ? { reason, stopSequence: 'END' } : { reason }
}

/** Only Messages tells a stop sequence, a full context and a pause from their plainer relatives. */
function weakened({ dialect }: Sample, reason: StopReason): StopReason {
  if (dialect.id === 'anthropic-messages') return reason
  if (reason === 'stop-sequence' || reason === 'pause') return 'stop'
  return reason === 'context' ? 'length' : reason
}

/** Messages counts cached tokens beside its input, the others inside it. */
const INPUT_FIGURES: Readonly<Record<string, JsonObject>> = {
  'anthropic-messages': { input: 50, cacheRead: 30, cacheWrite: 20, output: 40, total: null },
  'openai-chat': { input: 100, cacheRead: 30, cacheWrite: 20, output: 40, total: 140 },
  'openai-responses': { input: 100, cacheRead: 30, cacheWrite: 20, output: 40, total: 140 },
}

const USAGE_FIELDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'anthropic-messages': [
    ['input_tokens'],
    ['cache_read_input_tokens'],
    ['cache_creation_input_tokens'],
    ['output_tokens'],
    [],
  ],
  'openai-chat': [
    ['prompt_tokens'],
    ['prompt_tokens_details', 'cached_tokens'],
    ['prompt_tokens_details', 'cache_write_tokens'],
    ['completion_tokens'],
    ['total_tokens'],
  ],
  'openai-responses': [
    ['input_tokens'],
    ['input_tokens_details', 'cached_tokens'],
    ['input_tokens_details', 'cache_write_tokens'],
    ['output_tokens'],
    ['total_tokens'],
  ],
}

function inputFigures({ dialect }: Sample, usage: JsonObject): JsonObject {
  const names = ['input', 'cacheRead', 'cacheWrite', 'output', 'total']
  const values = (USAGE_FIELDS[dialect.id] ?? []).map((path) => (path.length === 0 ? null : at(usage, path)))
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
}

function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((found, name) => asObject(found)?.[name], value)
}
