/**
 * Steps of a tool loop that reach Gemini from clients of other formats. The newest models refuse a step whose first call has no
 * thought signature, and one whose other calls have any. https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11-21)
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeApp, type TestApp } from '../support/app.ts'
import { vertexAccount } from '../support/clouds.ts'
import { text } from '../support/plays.ts'
import type { Provider } from '../support/provider.ts'

const NEWEST = 'gemini-3.8-flash'
const OLDER = 'gemini-2.5-flash'
const STAND_IN = 'skip_thought_signature_validator'
/** In the recorded reply of parallel calls, on the first of them. */
const SIGNATURE = 'CpcBAdHtim9kZWZhdWx0X2FwaTpnZXRfd2VhdGhlcg=='

let app: TestApp
let vertex: Provider
beforeAll(async () => {
  app = await makeApp({ accounts: { google: 1 } })
  vertex = await vertexAccount(app)
})
afterAll(async () => {
  vertex.stop()
  await app[Symbol.asyncDispose]()
})

interface WirePart {
  readonly text?: string
  readonly thought?: boolean
  readonly functionCall?: { readonly name: string }
  readonly thoughtSignature?: string
}

const google = (): Provider => app.upstream('google').played

/** Asks with `body` and gives the signature of every call that the provider was sent, in order. */
async function signatures(provider: Provider, path: string, body: object): Promise<readonly (string | undefined)[]> {
  provider.play(recorded('text'))
  const answer = await app.ask(path, { body })
  expect(answer.status).toBe(200)
  const { contents } = provider.requests.at(-1)?.json<{ contents: { parts: WirePart[] }[] }>() ?? { contents: [] }
  const calls = contents.flatMap(({ parts }) => parts.filter(({ functionCall }) => functionCall !== undefined))
  return calls.map(({ thoughtSignature }) => thoughtSignature)
}

function recorded(exchange: string) {
  const file = join(import.meta.dir, '../fixtures/gemini', exchange, 'reply.json')
  return text(readFileSync(file, 'utf8'), 200, { 'content-type': 'application/json' })
}

/** Two calls at once, their results, one call more and its result, as each format writes them; nobody signed anything. */
const HISTORIES: readonly (readonly [client: string, path: string, body: (model: string) => object])[] = [
  [
    'Messages',
    '/v1/messages',
    (model) => ({
      model,
      max_tokens: 64,
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
        {
          role: 'user',
          content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }] },
      ],
    }),
  ],
  [
    'Chat',
    '/v1/chat/completions',
    (model) => ({
      model,
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: null, tool_calls: ['a', 'b'].map(chatCall) },
        ...['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
        { role: 'assistant', content: 'On.', tool_calls: [chatCall('c')] },
        { role: 'tool', tool_call_id: 'c', content: 'r' },
      ],
    }),
  ],
  [
    'Responses',
    '/v1/responses',
    (model) => ({
      model,
      input: [
        { role: 'user', content: 'q' },
        ...['a', 'b'].map(responsesCall),
        ...['a', 'b'].map((call_id) => ({ type: 'function_call_output', call_id, output: 'r' })),
        responsesCall('c'),
        { type: 'function_call_output', call_id: 'c', output: 'r' },
      ],
    }),
  ],
  [
    'Ollama',
    '/api/chat',
    (model) => ({
      model,
      stream: false,
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: '', tool_calls: ['f', 'g'].map(ollamaCall) },
        ...['f', 'g'].map((tool_name) => ({ role: 'tool', tool_name, content: 'r' })),
        { role: 'assistant', content: '', tool_calls: [ollamaCall('f')] },
        { role: 'tool', tool_name: 'f', content: 'r' },
      ],
    }),
  ],
]

function chatCall(id: string): object {
  return { id, type: 'function', function: { name: 'f', arguments: '{}' } }
}

function responsesCall(call_id: string): object {
  return { type: 'function_call', call_id, name: 'f', arguments: '{}' }
}

function ollamaCall(name: string): object {
  return { function: { name, arguments: {} } }
}

for (const [client, path, body] of HISTORIES) {
  describe(`steps of a ${client} client that nobody signed`, () => {
    test('are stood in for on the first call of each, and on no other', async () => {
      expect(await signatures(google(), path, body(`google/${NEWEST}`))).toEqual([STAND_IN, undefined, STAND_IN])
      expect(await signatures(vertex, path, body(`vertex/${NEWEST}`))).toEqual([STAND_IN, undefined, STAND_IN])
    })

    test('go as they are to a model that does without', async () => {
      expect(await signatures(google(), path, body(`google/${OLDER}`))).toEqual([undefined, undefined, undefined])
    })
  })
}

describe('a step that Gemini signed', () => {
  /** A Messages client's history after the recorded reply, with a result for each call. */
  async function history(): Promise<object[]> {
    google().play(recorded('thinking-parallel-calls'))
    const question = { role: 'user', content: 'Check the weather.' }
    const body = { model: `google/${NEWEST}`, max_tokens: 2_000, thinking: { type: 'adaptive' }, messages: [question] }
    const { content } = (await app.ask('/v1/messages', { body })).body as { content: { type: string; id: string }[] }
    const results = content.filter(({ type }) => type === 'tool_use')
    return [
      question,
      { role: 'assistant', content },
      { role: 'user', content: results.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })) },
    ]
  }

  const asked = (model: string, messages: object[]) => ({
    model,
    max_tokens: 2_000,
    thinking: { type: 'adaptive' },
    messages,
  })

  test('has its signature at another host of the same family, too', async () => {
    const messages = await history()
    expect(await signatures(google(), '/v1/messages', asked(`google/${NEWEST}`, messages))).toEqual([
      SIGNATURE,
      undefined,
    ])
    expect(await signatures(vertex, '/v1/messages', asked(`vertex/${NEWEST}`, messages))).toEqual([
      SIGNATURE,
      undefined,
    ])
  })

  test('has a stand-in where its client lost the thinking', async () => {
    const messages = (await history()).map((message) => {
      const { content } = message as { content: string | { type: string }[] }
      return typeof content === 'string'
        ? message
        : { ...message, content: content.filter(({ type }) => !type.endsWith('thinking')) }
    })
    expect(await signatures(google(), '/v1/messages', asked(`google/${NEWEST}`, messages))).toEqual([
      STAND_IN,
      undefined,
    ])
  })
})
