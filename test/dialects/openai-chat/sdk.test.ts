/** The official client reads what we render, streamed and plain, from a server on loopback. */
import { afterAll, describe, expect, test } from 'bun:test'
import OpenAI, { APIError } from 'openai'
import { failure } from '../../../src/core/failure.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { clientContext, encodeStream } from './support.ts'

interface Answer {
  readonly type: string
  readonly body: string
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
}

const answers: Answer[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => {
    const answer = answers.shift()
    const headers = new Headers({ 'content-type': answer?.type ?? 'text/plain' })
    for (const [name, value] of answer?.headers ?? []) headers.set(name, value)
    return new Response(answer?.body ?? 'nothing to play', { status: answer?.status ?? 500, headers })
  },
})
afterAll(() => server.stop(true))

const client = new OpenAI({ apiKey: 'test', baseURL: `${server.url}v1`, maxRetries: 0 })
const ASK = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] }

function playStream(body: string): void {
  answers.push({ type: 'text/event-stream', body, status: 200 })
}

function reply(parts: ChatReply['parts'], reason: ChatReply['finish']['reason']): ChatReply {
  return { parts, finish: { reason }, usage: { ...NO_USAGE, inputUncached: 5, cacheRead: 2, output: 4, reasoning: 1 } }
}

const call = (id: string, name: string, argumentsText: string): ChatReply['parts'][number] => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})

const CASES: Readonly<Record<string, ChatReply>> = {
  text: reply([{ type: 'text', text: 'Hello 👋' }], 'stop'),
  nothing: reply([], 'stop'),
  reasoning: reply(
    [
      { type: 'reasoning', text: 'hm', redacted: false, opaque: { vendor: 'v', kind: 'signature', blob: 'x' } },
      { type: 'text', text: 'Four.' },
    ],
    'stop',
  ),
  tool: reply([{ type: 'text', text: 'Let me see.' }, call('call_1', 'get_weather', '{"city":"Paris"}')], 'tool-calls'),
  'parallel tools, one without arguments': reply(
    [
      call('call_1', 'get_weather', '{"city":"Paris"}'),
      call('call_2', 'get_time', ''),
      call('call_3', 'get_time', '{}'),
    ],
    'tool-calls',
  ),
  'text between tools': reply(
    [{ type: 'text', text: 'a' }, call('call_1', 'f', '{}'), { type: 'text', text: 'b' }, call('call_2', 'g', '{}')],
    'tool-calls',
  ),
  'a custom tool': reply(
    [{ type: 'tool-call', id: 'call_1', name: 'sql', kind: 'custom', argumentsText: 'select 1' }],
    'tool-calls',
  ),
  refusal: reply([{ type: 'refusal', text: 'I cannot.' }], 'refusal'),
  'cut by the limit': reply([{ type: 'text', text: 'half' }], 'length'),
}

describe('chat.completions.stream()', () => {
  for (const [name, answer] of Object.entries(CASES)) {
    test(`${name}: the final message is that of the plain reply`, async () => {
      playStream(encodeStream(unfoldReply(answer)))
      const final = await client.chat.completions.stream(ASK).finalChatCompletion()
      const plain = openaiChat.encodeReply(answer, clientContext())
      answers.push({ type: 'application/json', body: JSON.stringify(plain), status: 200 })
      const whole = await client.chat.completions.create(ASK)
      expect(said(final)).toEqual(said(whole))
      expect(final.usage).toEqual(whole.usage as NonNullable<typeof whole.usage>)
    })
  }

  test('usage stays away when the client did not ask', async () => {
    playStream(encodeStream(unfoldReply(CASES['text'] as ChatReply), clientContext({ streamUsage: false })))
    const final = await client.chat.completions.stream(ASK).finalChatCompletion()
    expect(final.usage).toBeUndefined()
  })

  test('keep-alive comments are passed over', async () => {
    playStream(`${openaiChat.keepAlive(false)}${encodeStream(unfoldReply(CASES['text'] as ChatReply))}`)
    const final = await client.chat.completions.stream(ASK).finalChatCompletion()
    expect(final.choices[0]?.message.content).toBe('Hello 👋')
  })
})

describe('chat.completions.create({stream: true})', () => {
  test('deltas add up to the text', async () => {
    playStream(encodeStream(unfoldReply(CASES['text'] as ChatReply)))
    let text = ''
    for await (const part of await client.chat.completions.create({ ...ASK, stream: true })) {
      text += part.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe('Hello 👋')
  })

  test('thinking is whole in the deltas, of which the helper’s final message keeps the last alone', async () => {
    const events: readonly ChatEvent[] = [
      { type: 'start' },
      { type: 'reasoning-start' },
      ...['Let ', 'me ', 'see.'].map((text): ChatEvent => ({ type: 'reasoning-delta', text })),
      { type: 'reasoning-end', redacted: false },
      { type: 'finish', finish: { reason: 'stop' } },
      { type: 'end' },
    ]
    playStream(encodeStream(events))
    let text = ''
    for await (const part of await client.chat.completions.create({ ...ASK, stream: true })) {
      // A field that the library does not know has no type in it.
      const delta: { readonly content?: unknown; readonly reasoning_content?: string } = part.choices[0]?.delta ?? {}
      text += delta.reasoning_content ?? ''
    }
    expect(text).toBe('Let me see.')
    playStream(encodeStream(events))
    const { choices } = await client.chat.completions.stream(ASK).finalChatCompletion()
    expect(choices[0]?.message).toMatchObject({ reasoning_content: 'see.' })
  })

  test('an error after text reaches the client as an error', async () => {
    const begun = encodeStream(unfoldReply(CASES['text'] as ChatReply).slice(0, 3))
    playStream(begun + openaiChat.encodeStreamFailure(failure('overloaded', 'Too busy.'), 'req_1', true))
    const read = async (): Promise<string> => {
      let text = ''
      for await (const part of await client.chat.completions.create({ ...ASK, stream: true })) {
        text += part.choices[0]?.delta.content ?? ''
      }
      return text
    }
    await expect(read()).rejects.toMatchObject({ message: 'Too busy.', code: 'overloaded' })
  })
})

describe('failures before the answer', () => {
  const cases = [
    [failure('rate_limit', 'Slow down.', { retryAfterMs: 2_500 }), 429, 'rate_limit_exceeded'],
    [failure('context_too_long', 'Too long.'), 400, 'context_length_exceeded'],
    [failure('unauthenticated', 'No key.'), 401, 'invalid_api_key'],
    [failure('overloaded', 'Too busy.'), 503, 'overloaded'],
  ] as const
  for (const [failed, status, code] of cases) {
    test(`${failed.kind} is status ${status} and code ${code}`, async () => {
      const { body, headers, ...answer } = openaiChat.encodeFailure(failed, 'req_1')
      answers.push({ type: 'application/json', body, headers, ...answer })
      const error = await client.chat.completions.create(ASK).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(APIError)
      expect(error).toMatchObject({ status, code, requestID: 'req_1' })
    })
  }
})

/** What a client acts on. The helper keeps only the last fragment of fields that it does not know. */
function said({ choices }: OpenAI.ChatCompletion): unknown {
  const choice = choices[0]
  const calls = choice?.message.tool_calls?.map((toolCall) =>
    toolCall.type === 'custom'
      ? [toolCall.id, toolCall.custom.name, toolCall.custom.input]
      : [toolCall.id, toolCall.function.name, toolCall.function.arguments],
  )
  return {
    text: choice?.message.content ?? '',
    refusal: choice?.message.refusal ?? null,
    calls: calls ?? [],
    reason: choice?.finish_reason,
  }
}
