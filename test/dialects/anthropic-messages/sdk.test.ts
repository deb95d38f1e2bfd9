/** The official client reads what this dialect renders, from a real server on loopback. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Anthropic, RateLimitError } from '@anthropic-ai/sdk'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { clientContext, encodeStream } from './support.ts'

type Part = ChatReply['parts'][number]

let served: { readonly events: readonly ChatEvent[]; readonly chunkBytes: number } = { events: [], chunkBytes: 1 << 20 }
let server: ReturnType<typeof Bun.serve>
let client: Anthropic

beforeAll(() => {
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  client = new Anthropic({ apiKey: 'test', baseURL: server.url.href, maxRetries: 0 })
})
afterAll(() => server.stop(true))

async function answer(request: Request): Promise<Response> {
  const body = (await request.json()) as { stream?: boolean }
  if (body.stream === true) {
    return new Response(chunked(encodeStream(served.events)), { headers: { 'content-type': 'text/event-stream' } })
  }
  const reply = foldEvents(served.events)
  if (reply.ok) return Response.json(anthropicMessages.encodeReply(reply.value, clientContext()))
  const { status, headers, body: text } = anthropicMessages.encodeFailure(reply.error, 'req_test')
  return new Response(text, { status, headers: headers.map(([name, value]): [string, string] => [name, value]) })
}

function chunked(text: string): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += served.chunkBytes) {
        controller.enqueue(bytes.subarray(at, at + served.chunkBytes))
      }
      controller.close()
    },
  })
}

const PARAMS = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }

function replyOf(parts: readonly Part[], reason: ChatReply['finish']['reason'] = 'stop'): readonly ChatEvent[] {
  return unfoldReply({ parts, finish: { reason }, usage: { ...NO_USAGE, inputUncached: 20, cacheRead: 3, output: 9 } })
}

const TEXT: Part = { type: 'text', text: 'Hello 👋' }
const SIGNED: Part = {
  type: 'reasoning',
  text: 'hm',
  redacted: false,
  opaque: { vendor: 'anthropic', kind: 'signature', blob: 'sig' },
}
const UNSIGNED: Part = { type: 'reasoning', text: 'hm', redacted: false }
const HIDDEN: Part = {
  type: 'reasoning',
  text: '',
  redacted: false,
  opaque: { vendor: 'anthropic', kind: 'signature', blob: 'sig' },
}
const call = (id: string, argumentsText: string): Part => ({
  type: 'tool-call',
  id,
  name: 'f',
  kind: 'function',
  argumentsText,
})

const ENVELOPE = expect.stringMatching(/^gw1:/)
const cases: readonly [name: string, events: readonly ChatEvent[], content: readonly object[], stopReason: string][] = [
  ['text', replyOf([TEXT]), [{ type: 'text', text: 'Hello 👋' }], 'end_turn'],
  ['no content at all', replyOf([]), [], 'end_turn'],
  [
    'signed thinking, then text',
    replyOf([SIGNED, TEXT]),
    [{ type: 'thinking', thinking: 'hm', signature: 'sig' }, { type: 'text' }],
    'end_turn',
  ],
  [
    'thinking without a signature',
    replyOf([UNSIGNED, TEXT]),
    [{ type: 'thinking', thinking: 'hm', signature: ENVELOPE }, { type: 'text' }],
    'end_turn',
  ],
  [
    'a signature without thinking',
    replyOf([HIDDEN, TEXT]),
    [{ type: 'thinking', thinking: '', signature: 'sig' }, { type: 'text' }],
    'end_turn',
  ],
  ['thinking alone', replyOf([SIGNED]), [{ type: 'thinking' }], 'end_turn'],
  [
    'a tool call',
    replyOf([TEXT, call('t', '{"a": [1]}')], 'tool-calls'),
    [{ type: 'text' }, { type: 'tool_use', id: 't', name: 'f', input: { a: [1] } }],
    'tool_use',
  ],
  [
    'parallel calls and one without arguments',
    replyOf([call('t', '{"a":1}'), call('u', '')], 'tool-calls'),
    [
      { id: 't', input: { a: 1 } },
      { id: 'u', input: {} },
    ],
    'tool_use',
  ],
  [
    'thinking between calls',
    replyOf([SIGNED, call('t', '{}'), SIGNED, TEXT], 'tool-calls'),
    [{ type: 'thinking' }, { type: 'tool_use' }, { type: 'thinking' }, { type: 'text' }],
    'tool_use',
  ],
  ['a refusal', replyOf([{ type: 'refusal', text: 'No.' }], 'refusal'), [{ type: 'text', text: 'No.' }], 'refusal'],
  ['an answer at its limit', replyOf([TEXT], 'length'), [{ type: 'text' }], 'max_tokens'],
]

describe('the official client', () => {
  for (const [name, events, content, stopReason] of cases) {
    test(`reads ${name}, streamed and plain`, async () => {
      served = { events, chunkBytes: 7 }
      const streamed = await client.messages.stream(PARAMS).finalMessage()
      const plain = await client.messages.create(PARAMS)
      for (const message of [streamed, plain]) {
        expect(message.content).toMatchObject(content as never)
        expect(message.content).toHaveLength(content.length)
        expect(message).toMatchObject({
          id: expect.stringMatching(/^msg_/),
          model: 'my-alias',
          stop_reason: stopReason,
        })
        expect(message.usage).toMatchObject({ input_tokens: 20, cache_read_input_tokens: 3, output_tokens: 9 })
      }
      expect(streamed.content).toEqual(plain.content.map(withoutCitations) as never)
    })
  }

  test('reads the same answer with the beta stream helper', async () => {
    served = { events: replyOf([SIGNED, TEXT, call('t', '{"a":1}')], 'tool-calls'), chunkBytes: 1 << 20 }
    const message = await client.beta.messages.stream(PARAMS).finalMessage()
    expect(message.content).toMatchObject([
      { type: 'thinking' },
      { type: 'text' },
      { type: 'tool_use', input: { a: 1 } },
    ] as never)
  })

  test('throws on an error inside the stream, with its type', async () => {
    const failed: ChatEvent = {
      type: 'failure',
      failure: { kind: 'overloaded', message: 'The provider is overloaded.' },
    }
    served = {
      events: [{ type: 'start' }, { type: 'text-start' }, { type: 'text-delta', text: 'a' }, failed, { type: 'end' }],
      chunkBytes: 5,
    }
    const read = client.messages.stream(PARAMS).finalMessage()
    expect(read).rejects.toMatchObject({ type: 'overloaded_error' })
    await read.catch(() => undefined)
  })

  test('throws its own class for a failure before the answer', async () => {
    served = {
      events: [{ type: 'failure', failure: { kind: 'rate_limit', message: 'Slow down.', retryAfterMs: 5 } }],
      chunkBytes: 1,
    }
    const failed = await client.messages.create(PARAMS).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(RateLimitError)
    expect(failed).toMatchObject({ status: 429, requestID: 'req_test' })
  })
})

/** A stream tells of citations only when there are some; a plain reply has the field in any case. */
function withoutCitations(block: { type: string }): object {
  return Object.fromEntries(Object.entries(block).filter(([name]) => name !== 'citations'))
}
