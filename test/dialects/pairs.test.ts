/** Every client's dialect with every provider's: what goes in comes out on the other side, or is named as lost. */
import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../src/core/json.ts'
import { NO_USAGE, type Usage } from '../../src/core/usage.ts'
import type { ClientContext, EncodedRequest, ReplyContext } from '../../src/dialects/dialect.ts'
import type { ChatReply, ChatRequest, Finish, Opaque, Part, StopReason } from '../../src/dialects/neutral.ts'
import { figures } from './laws/compare.ts'
import { CLIENTS, UPSTREAMS } from './samples/index.ts'
import { chat } from './samples/openai-chat.ts'
import { responses } from './samples/openai-responses.ts'
import { PNG, richBody, targetContext, type ClientSample, type Sample, type UpstreamSample } from './samples/sample.ts'
import { asJson, clientContext, replyContext, REQUEST } from './samples/wire.ts'
import { decodeAll, encodeAll, folded, framesOf } from './streams.ts'

function decoded({ client: { dialect }, pathSaysStream }: ClientSample, body: JsonObject): ChatRequest {
  const request = dialect.decodeRequest(body, new Headers())
  if (!request.ok) throw new Error(request.error.message)
  return pathSaysStream === true ? { ...request.value, stream: true } : request.value
}

/** The client's body as the provider gets it. */
function sent(client: ClientSample, { upstream }: UpstreamSample, body: JsonObject): EncodedRequest {
  const encoded = upstream.dialect.encodeRequest(decoded(client, body), targetContext(upstream))
  if (!encoded.ok) throw new Error(encoded.error.message)
  return encoded.value
}

function plain({ upstream }: UpstreamSample, body: JsonObject): ChatReply {
  const reply = upstream.dialect.decodeReply(body, replyContext(upstream.vendor))
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

/** The events of a provider's stream that says `reply`. */
function streamed({ upstream }: UpstreamSample, reply: ChatReply, more: Partial<ReplyContext> = {}) {
  const frames = framesOf(upstream.dialect.framing, upstream.voice.stream(reply))
  return decodeAll(upstream.dialect, frames, replyContext(upstream.vendor, more))
}

function answered({ client }: ClientSample, reply: ChatReply, context: ClientContext = clientContext()): JsonObject {
  return asJson(client.dialect.encodeReply(reply, context))
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

const LINK = { url: 'https://weather.example/rome', title: 'Rome' }

function linksOf({ parts }: ChatReply): readonly object[] {
  return parts
    .flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []))
    .map(({ url, title }) => ({ url, title }))
}

function carriesLinks(...samples: readonly Sample[]): boolean {
  return samples.every(({ citesLinks }) => citesLinks !== false)
}

const RICH_TURNS = ['user: What is it? / image/png true', 'assistant: weather({"city":"Rome"})', 'user: = warm / so?']

for (const client of CLIENTS) {
  for (const upstream of UPSTREAMS) {
    describe(`${client.id} → ${upstream.id}`, () => {
      const arrived = () => upstream.upstream.read(sent(client, upstream, richBody(client)).body)

      test('the system prompt and the turns arrive, with all that the client’s format has for them', () => {
        const { system, messages, stream } = arrived()
        expect(system.map(({ text }) => text).join('\n\n')).toBe('A\n\nB')
        const turns = messages.map(({ role, parts }) => `${role}: ${parts.map(summary).join(' / ')}`)
        expect(turns).toEqual(client.textAlone === true ? ['user: What is it?'] : RICH_TURNS)
        expect(stream).toBe(upstream.pathSaysStream !== true)
      })

      test('tools arrive, and the wish for thinking', () => {
        if (client.textAlone === true) return expect(arrived()).not.toHaveProperty('tools.0')
        const { tools, reasoning } = arrived()
        const [tool] = tools
        expect(tool).toMatchObject({
          name: 'weather',
          description: 'd',
          schema: { type: 'object', required: ['city'] },
        })
        expect(reasoning).toBeDefined()
      })

      const { opaque } = upstream.upstream
      const thinking = {
        type: 'reasoning' as const,
        text: 'Hidden thought.',
        redacted: false,
        ...(opaque && { opaque }),
      }
      if (opaque !== undefined && client.carriesState !== false) {
        test('thinking goes back to who thought it, unchanged, through the client’s history', () => {
          const thought = { parts: [thinking, ANSWER], finish: { reason: 'stop' as const }, usage: NO_USAGE }
          const history = client.client.continued(answered(client, thought))
          const own = JSON.stringify(sent(client, upstream, history).body)
          expect(own).toContain('Answer.')
          expect(own).toContain(stateOf(upstream, opaque))
        })
      }

      test('thinking goes to nobody else, neither as state nor as text', () => {
        const foreign = { vendor: 'elsewhere', kind: 'signature' as const, blob: 'Zm9yZWlnbg' }
        const thought: ChatReply = {
          parts: [{ type: 'reasoning', text: 'Hidden thought.', opaque: foreign, redacted: false }, ANSWER],
          finish: { reason: 'stop' },
          usage: NO_USAGE,
        }
        const { body, dropped } = sent(client, upstream, client.client.continued(answered(client, thought)))
        expect(JSON.stringify(body)).not.toMatch(/Hidden thought|Zm9yZWlnbg|gw1:/)
        expect(JSON.stringify(body)).toContain('Answer.')
        expect(dropped.includes('thinking')).toBe(client.textAlone !== true)
      })

      for (const [reason, parts] of ENDINGS) {
        test(`an answer that ends with ${reason} does so for the client, streamed or plain`, () => {
          const reply: ChatReply = { parts, finish: finishOf(reason), usage: NO_USAGE }
          const neutral = plain(upstream, upstream.upstream.voice.plain(reply))
          const seen = client.client.ears.plain(answered(client, neutral)).finish.reason
          expect(seen).toBe(weakened(client, weakened(upstream, reason)))
          expect(folded(streamed(upstream, reply)).finish.reason).toBe(neutral.finish.reason)
        })
      }

      test('a tool of free text is called with free text', () => {
        const input = 'line 1\n"quoted" é'
        const request: ChatRequest = { ...REQUEST, tools: [{ kind: 'custom', name: 'patch' }] }
        const encoded = upstream.upstream.dialect.encodeRequest(request, targetContext(upstream.upstream))
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
        const events = streamed(upstream, reply, { toolNames, ...(customTools && { customTools }) })
        const shown = encodeAll(client.client.dialect, events, clientContext({ tools: request.tools }))
        const seen = client.client.ears.stream(Buffer.from(shown), { customTools: new Set(['patch']) })
        expect(seen.parts).toEqual(client.textAlone === true ? [] : [call])
      })

      test('a streamed answer reaches the client as the plain one does', () => {
        const reply: ChatReply = {
          parts: [
            thinking,
            { type: 'text', text: 'Grüße 😀' },
            { type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', argumentsText: '{"a":1}' },
            { type: 'tool-call', id: 'call_2', name: 'g', kind: 'function', argumentsText: '{"b":2}' },
          ],
          finish: { reason: 'tool-calls' },
          usage: { ...NO_USAGE, inputUncached: 3, output: 4 },
        }
        const shown = encodeAll(client.client.dialect, streamed(upstream, reply), clientContext())
        const seen = client.client.ears.stream(Buffer.from(shown))
        const told = answered(client, plain(upstream, upstream.upstream.voice.plain(reply)))
        const { parts, usage, finish } = client.client.ears.plain(told)
        expect(seen.parts).toEqual([...parts])
        expect(seen.usage).toEqual(usage)
        expect(seen.finish).toEqual(finish)
      })

      test('the sources of a text are named to the client', () => {
        const cited = { type: 'text' as const, text: 'Rome is warm.', citations: [LINK] }
        const reply: ChatReply = { parts: [cited], finish: { reason: 'stop' }, usage: NO_USAGE }
        const told = answered(client, plain(upstream, upstream.upstream.voice.plain(reply)))
        const shown = encodeAll(client.client.dialect, streamed(upstream, reply), clientContext())
        for (const heard of [client.client.ears.plain(told), client.client.ears.stream(Buffer.from(shown))])
          expect(linksOf(heard)).toEqual(carriesLinks(client, upstream) ? [LINK] : [])
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
        const told = answered(client, plain(upstream, upstream.upstream.voice.plain(reply)))
        expect(figures(client.client.ears.plain(told).usage)).toEqual(
          figures(client.carried(upstream.carried(reply)).usage),
        )
      })
    })
  }
}

test('a Chat client’s tool round goes on from the reasoning of a Responses model', () => {
  const { opaque } = responses.upstream
  const thought: ChatReply = {
    parts: [{ type: 'reasoning', text: '', redacted: false, ...(opaque && { opaque }) }, CALL],
    finish: { reason: 'tool-calls' },
    usage: NO_USAGE,
  }
  const [choice] = answered(chat, thought)['choices'] as readonly { readonly message: JsonObject }[]
  const messages: readonly JsonObject[] = [
    { role: 'user', content: 'q' },
    choice?.message ?? {},
    { role: 'tool', tool_call_id: CALL.id, content: 'r' },
  ]
  const { body } = sent(chat, responses, { model: 'm', messages })
  const types = (body['input'] as readonly JsonObject[]).map(({ type }) => type)
  expect(types).toEqual(['message', 'reasoning', 'function_call', 'function_call_output'])
  expect(JSON.stringify(body)).toContain(opaque?.blob ?? 'state')
})

/** What is searched for in a request: a host's list of details is written as a list again. */
function stateOf({ id }: Sample, opaque: Opaque): string {
  return id === 'openai-chat' ? opaque.blob.slice(1, -1) : opaque.blob
}

const CALL = { type: 'tool-call' as const, id: 'call_1', name: 'f', kind: 'function' as const, argumentsText: '{}' }
const ANSWER = { type: 'text' as const, text: 'Answer.' }
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

/**
 * Only Messages tells a stop sequence, a full context and a pause from their plainer relatives; Converse knows no pause, Cohere a
 * stop sequence alone, neither Cohere nor Ollama has a word for a refusal, and legacy completions call nothing.
 */
function weakened({ id }: Sample, reason: StopReason): StopReason {
  if (id === 'anthropic-messages') return reason
  if (id === 'openai-completions' && reason === 'tool-calls') return 'stop'
  if (id === 'bedrock-converse') return reason === 'pause' ? 'stop' : reason
  if (id === 'cohere-v2' && reason === 'stop-sequence') return reason
  if ((id === 'cohere-v2' || id === 'ollama') && reason === 'refusal') return 'stop'
  if (reason === 'stop-sequence' || reason === 'pause') return 'stop'
  return reason === 'context' ? 'length' : reason
}
