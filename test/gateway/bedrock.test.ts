/** Clients of every dialect before a Bedrock that speaks Converse: binary frames over a real connection. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { makeApp, type Row, type TestApp } from '../support/app.ts'
import { BEDROCK_KEY, bedrockAccount, binary, converseReply, converseText } from '../support/clouds.ts'
import type { Answer } from '../support/dashboard.ts'
import { eventOf, exceptionOf } from '../support/event-stream.ts'
import { json, stream } from '../support/plays.ts'
import type { Provider } from '../support/provider.ts'
import { exchange } from '../dialects/bedrock-converse/support.ts'
import { CHAT, CLIENTS, MESSAGES, question, readStream, RESPONSES, type Client } from './clients.ts'
import { anthropicLibrary, chatLibrary, responsesLibrary, type Said } from './libraries.ts'
import { ANTHROPIC } from './upstreams.ts'

const NOVA = 'bedrock/us.amazon.nova-pro-v1:0'
const CLAUDE = 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0'

let app: TestApp
let played: Provider
let url: string
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1 } })
  played = await bedrockAccount(app)
  url = await app.listen()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  played.stop()
})

const asked = () => played.requests.at(-1)
/** What was written down of the request with this answer. */
async function rowOf({ headers }: Answer): Promise<Row | undefined> {
  const id = headers.get('x-request-id')
  return (await app.rows()).find((row) => row.id === id)
}

describe('the call', () => {
  test('names the model in its path, encoded as a whole, and is authenticated', async () => {
    played.play(json(converseReply('Hi')))
    expect((await app.ask(CHAT.path, question(CHAT, NOVA))).status).toBe(200)
    expect(asked()).toMatchObject({
      path: '/model/us.amazon.nova-pro-v1%3A0/converse',
      headers: { authorization: `Bearer ${BEDROCK_KEY}`, accept: 'application/json' },
    })
    expect(asked()?.json<object>()).not.toHaveProperty('model')
  })

  test('of a stream has a path of its own and asks for binary frames', async () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-pro-v1:0'
    played.play(binary(converseText(['Hi'])))
    await app.ask(CHAT.path, question(CHAT, `bedrock/${arn}`, { stream: true }))
    expect(asked()).toMatchObject({
      path: `/model/${encodeURIComponent(arn)}/converse-stream`,
      headers: { accept: 'application/vnd.amazon.eventstream' },
    })
  })
})

for (const client of CLIENTS) {
  describe(`a client of ${client.name}`, () => {
    const ask = (more: object = {}, model = NOVA) => app.ask(client.path, question(client, model, more))

    test('reads a plain answer, and its tokens are counted', async () => {
      played.play(json(converseReply('Hé llo')))
      const answer = await ask()
      expect(answer.status).toBe(200)
      expect(client.textOf(answer.body)).toBe('Hé llo')
      expect((await rowOf(answer))?.['tokens']).toMatchObject({ input_uncached: 10, output: 5 })
    })

    test('reads a stream, wherever the network cut it', async () => {
      const bytes = Buffer.concat(converseText(['Hé', ' llo', ' 🚦']))
      for (const size of [1, 7, bytes.length]) {
        const count = Math.ceil(bytes.length / size)
        const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
        played.play(stream(pieces, { 'content-type': 'application/vnd.amazon.eventstream' }))
        const answer = await ask({ stream: true })
        expect(readStream(answer.body)).toMatchObject({ text: 'Hé llo 🚦', ended: true, error: undefined })
        expect((await rowOf(answer))?.['tokens']).toMatchObject({ input_uncached: 10, output: 5 })
      }
    })

    const ENDS: readonly (readonly [stopReason: string, seen: Readonly<Record<Client['name'], string>>])[] = [
      ['max_tokens', { messages: 'max_tokens', chat: 'length', responses: 'incomplete' }],
      ['stop_sequence', { messages: 'stop_sequence', chat: 'stop', responses: 'completed' }],
      ['content_filtered', { messages: 'refusal', chat: 'content_filter', responses: 'incomplete' }],
      ['guardrail_intervened', { messages: 'refusal', chat: 'content_filter', responses: 'incomplete' }],
      [
        'model_context_window_exceeded',
        { messages: 'model_context_window_exceeded', chat: 'length', responses: 'incomplete' },
      ],
    ]
    for (const [stopReason, seen] of ENDS) {
      test(`sees ${seen[client.name]} where Bedrock says ${stopReason}, streamed or plain`, async () => {
        played.play(json(converseReply('Hi', stopReason)), binary(converseText(['Hi'], stopReason)))
        expect(JSON.stringify((await ask()).body)).toContain(`"${seen[client.name]}"`)
        expect((await ask({ stream: true })).body).toContain(`"${seen[client.name]}"`)
      })
    }

    test('is told of an exception before content by a status, and of one after it by an event', async () => {
      const slow = exceptionOf('validationException', { message: 'The text field is blank' })
      played.play(binary([eventOf('messageStart', { role: 'assistant' }), slow]))
      expect((await ask({ stream: true })).status).toBe(400)
      played.play(
        binary([...converseText(['Hi']).slice(0, 2), exceptionOf('serviceUnavailableException', { message: 'later' })]),
      )
      const { status, body } = await ask({ stream: true })
      expect(status).toBe(200)
      expect(readStream(body)).toMatchObject({
        text: 'Hi',
        ended: false,
        error: { message: expect.stringContaining('overloaded') },
      })
    })

    for (const end of ['cut', 'reset'] as const) {
      test(`is told when the stream is ${end} in the middle`, async () => {
        played.play(binary([...converseText(['Hi']).slice(0, 2), end]))
        const answer = await ask({ stream: true })
        expect(readStream(answer.body)).toMatchObject({
          text: 'Hi',
          ended: false,
          error: { message: expect.any(String) },
        })
        const row = await rowOf(answer)
        expect(row?.error_class).toBe('cut')
        expect(row?.attempts[0]?.upstream_request_id).toBe('played-1')
      })
    }

    test('is told when frames are damaged', async () => {
      const [start = Buffer.alloc(0), delta = Buffer.alloc(0)] = converseText(['Hi'])
      const damaged = Buffer.from(delta)
      damaged.writeUInt8(0, damaged.length - 1)
      played.play(binary([start, delta, damaged]))
      expect(readStream((await ask({ stream: true })).body)).toMatchObject({
        text: 'Hi',
        ended: false,
        error: { message: expect.any(String) },
      })
    })
  })
}

describe('refusals', () => {
  const CASES: readonly (readonly [status: number, type: string, message: string, seen: number, kind: string])[] = [
    [400, 'ValidationException', 'The text field is blank', 400, 'rejected'],
    [
      403,
      'AccessDeniedException',
      "You don't have access to the model with the specified model ID.",
      404,
      'not_entitled',
    ],
    [404, 'ResourceNotFoundException', 'no such model', 404, 'not_entitled'],
    [500, 'InternalServerException', 'oops', 502, 'server'],
  ]
  for (const [status, type, message, seen, kind] of CASES) {
    test(`${status} ${type} is ${kind}`, async () => {
      played.play(json({ message }, status, { 'x-amzn-errortype': type }))
      // A model of its own, for some refusals hold back the one that they are about.
      const answer = await app.ask(CHAT.path, question(CHAT, `bedrock/meta.of-${kind}-${status}`))
      expect(answer.status).toBe(seen)
      expect((await rowOf(answer))?.error_class).toBe(kind)
    })
  }
})

describe('thinking and tools through the official libraries', () => {
  const { reply, stream: frames } = exchange('thinking-tools')
  const MEANT: Said = {
    text: 'Let me look – both at once. 🌦',
    thinking: 'Two cities, so two calls.',
    calls: [
      { name: 'weather', input: { city: 'Köln' } },
      { name: 'now', input: {} },
    ],
    inputTokens: 4_060,
    outputTokens: 140,
  }
  const PAIRS = [
    [anthropicLibrary, NOVA],
    [chatLibrary, CLAUDE],
    [responsesLibrary, CLAUDE],
  ] as const

  for (const [libraryOf, model] of PAIRS) {
    for (const isStream of [false, true]) {
      test(`${libraryOf('http://x.test', 'none', 'none').name}, ${isStream ? 'streamed' : 'plain'}: a round comes back whole`, async () => {
        const library = libraryOf(url, app.key.secret, model)
        const answer = isStream ? binary([frames]) : json(reply)
        played.play(answer, isStream ? binary(converseText(['Done.'])) : json(converseReply('Done.')))
        const first = library.user('Both?')
        const { said, history, callIds } = await library.ask([first], isStream)
        expect(said).toEqual(MEANT)
        const results = callIds.map((id, index) => library.result(id, `result ${index}`))
        expect((await library.ask([first, ...history, ...results], isStream)).said.text).toBe('Done.')
        const { messages } = asked()?.json<{ messages: { role: string; content: object[] }[] }>() ?? { messages: [] }
        expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
        expect(messages[1]?.content.slice(-2)).toEqual([
          { toolUse: { toolUseId: 'tooluse_A1', name: 'weather', input: { city: 'Köln' } } },
          { toolUse: { toolUseId: 'tooluse_B2', name: 'now', input: {} } },
        ])
        expect(messages[2]?.content).toEqual([
          { toolResult: { toolUseId: 'tooluse_A1', content: [{ text: 'result 0' }] } },
          { toolResult: { toolUseId: 'tooluse_B2', content: [{ text: 'result 1' }] } },
        ])
        expect(messages[1]?.content).toContainEqual({
          reasoningContent: { reasoningText: { text: MEANT.thinking, signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' } },
        })
        expect(messages[1]?.content).toContainEqual({
          reasoningContent: { redactedContent: 'ZW5jcnlwdGVkLXRob3VnaHQ=' },
        })
      })
    }
  }
})

test('a conversation moves from Anthropic to Bedrock with its thinking', async () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' }
  const answer = ANTHROPIC.reply('Hi') as { content: object[] }
  app.upstream('anthropic').played.play(json({ ...answer, content: [thinking, ...answer.content] }))
  const library = chatLibrary(url, app.key.secret, 'anthropic/claude-sonnet-4-5')
  const first = library.user('Hello')
  const { history } = await library.ask([first], false)
  played.play(json(converseReply('Again.')))
  const moved = chatLibrary(url, app.key.secret, CLAUDE)
  await moved.ask([first, ...history, library.user('And now?')], false)
  const { messages } = asked()?.json<{ messages: { content: object[] }[] }>() ?? { messages: [] }
  expect(messages[1]?.content).toEqual([
    { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2lnbmVk' } } },
    { text: 'Hi' },
  ])
})

test('Claude is asked in its own format by a client of it alone', async () => {
  played.play(json(ANTHROPIC.reply('Hi')), json(converseReply('Hi')), json(converseReply('Hi')))
  for (const client of [MESSAGES, CHAT, RESPONSES]) await app.ask(client.path, question(client, CLAUDE))
  const paths = played.requests.slice(-3).map(({ path }) => path.split('/').at(-1))
  expect(paths).toEqual(['invoke', 'converse', 'converse'])
})

test('an effort reaches Nova by Nova’s own name', async () => {
  played.play(json(converseReply('Hi')))
  await app.ask(CHAT.path, question(CHAT, 'bedrock/global.amazon.nova-2-lite-v1:0', { reasoning_effort: 'low' }))
  expect(asked()?.json<{ additionalModelRequestFields: object }>().additionalModelRequestFields).toEqual({
    reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' },
  })
})
