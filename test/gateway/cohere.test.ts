/** A provider that speaks Cohere's Chat v2, with the official libraries of other vendors as its clients. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatReply } from '../../src/dialects/neutral.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream, text } from '../support/plays.ts'
import { playProvider, type PlayedRequest, type Provider } from '../support/provider.ts'
import { sseFrame } from '../support/provider-bodies.ts'
import { CHAT, MESSAGES, readStream, type Client } from './clients.ts'
import { anthropicLibrary, chatLibrary, responsesLibrary, type LibraryOf, type Said } from './libraries.ts'

const MODEL = 'mine/command-a-reasoning-08-2025'
const JSON_TYPE = { 'content-type': 'application/json' }
const LIBRARIES: readonly LibraryOf[] = [anthropicLibrary, chatLibrary, responsesLibrary]

let app: TestApp
let url: string
let played: Provider
beforeAll(async () => {
  app = await makeApp({ accounts: {} })
  played = playProvider()
  const dialects = [{ dialect: 'cohere_v2', base_url: `${played.url}/v2` }]
  const added = await app.owner('POST', '/v1/custom-providers', { slug: 'mine', dialects, allow_private_network: true })
  expect(added.status).toBe(201)
  await app.owner('POST', '/v1/accounts', { provider: 'mine', credentials: { api_key: 'co-0123456789-0123456789' } })
  url = await app.listen()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  played.stop()
})

function fixture(exchange: string, file: string): string {
  return readFileSync(join(import.meta.dir, '..', 'fixtures', 'cohere-v2', exchange, file), 'utf8')
}

function playRecorded(exchange: string, isStream: boolean): void {
  if (isStream) played.play(stream([fixture(exchange, 'stream.txt')]))
  else played.play(text(fixture(exchange, 'reply.json'), 200, JSON_TYPE))
}

function asked(): PlayedRequest {
  const request = played.requests.at(-1)
  if (request === undefined) throw new Error('the provider was not asked')
  return request
}

/** The recorded answer as any client should understand it. */
function meant(exchange: string): Said {
  const { parts, usage } = JSON.parse(fixture(exchange, 'neutral.json')) as ChatReply
  const calls = parts.filter((part) => part.type === 'tool-call')
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    thinking: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: calls.map(({ name, argumentsText }) => ({ name, input: JSON.parse(argumentsText || '{}') })),
    inputTokens: usage.inputUncached + usage.cacheRead,
    outputTokens: usage.output,
  }
}

for (const libraryOf of LIBRARIES) {
  const open = () => libraryOf(url, app.key.secret, MODEL)
  describe(libraryOf('http://x.test', 'none', 'none').name, () => {
    for (const isStream of [false, true]) {
      for (const exchange of ['text', 'tool-calls', 'thinking', 'citations']) {
        test(`${exchange}, ${isStream ? 'streamed' : 'plain'}: says what was meant`, async () => {
          const library = open()
          playRecorded(exchange, isStream)
          expect((await library.ask([library.user('Go on.')], isStream)).said).toEqual(meant(exchange))
          expect(asked()).toMatchObject({ method: 'POST', path: '/v2/chat' })
          expect(asked().headers['authorization']).toBe('Bearer co-0123456789-0123456789')
        })
      }

      test(`a round of tools, ${isStream ? 'streamed' : 'plain'}: the plan, the calls and their results come back`, async () => {
        const library = open()
        playRecorded('tool-calls', isStream)
        const question = library.user('Weather and time?')
        const { history, callIds } = await library.ask([question], isStream)
        const results = callIds.map((id, index) => library.result(id, `result ${index}`))
        playRecorded('text', isStream)
        await library.ask([question, ...history, ...results], isStream)
        const { messages } = asked().json<{ messages: object[] }>()
        expect(messages).toMatchObject([
          { role: 'user', content: 'Weather and time?' },
          {
            role: 'assistant',
            tool_plan: 'I will use two tools.',
            tool_calls: [
              {
                id: 'get_weather_h5j8m3p1',
                function: { name: 'get_weather', arguments: expect.stringContaining('Tōkyō') },
              },
              { id: 'get_time_q7w2e9r4', function: { name: 'get_time', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'get_weather_h5j8m3p1', content: 'result 0' },
          { role: 'tool', tool_call_id: 'get_time_q7w2e9r4', content: 'result 1' },
        ])
        expect(messages[1]).not.toHaveProperty('content')
      })
    }

    test('an image arrives', async () => {
      const library = open()
      playRecorded('text', false)
      await library.ask([library.user('What is it?', 'iVBORw0KGgo=')], false)
      expect(asked().text()).toContain('data:image/png;base64,iVBORw0KGgo=')
    })
  })
}

describe('failures', () => {
  const PATHS: readonly Client[] = [MESSAGES, CHAT]
  const BEFORE: readonly (readonly [status: number, message: string, seen: number])[] = [
    [400, 'invalid request: message must not be empty', 400],
    [400, 'too many tokens: total number of tokens in the prompt exceeds the limit', 400],
    [401, 'invalid api token', 502],
    [404, "model 'nobody' not found", 404],
    [422, 'unprocessable', 422],
    [429, 'You are past the per minute request limit', 429],
    [498, 'blocked token', 502],
    [500, 'internal server error', 502],
  ]
  for (const client of PATHS) {
    for (const [status, message, seen] of BEFORE) {
      test(`${client.name}: ${status} before the answer is ${seen} in the client's envelope`, async () => {
        await using fresh = await makeFreshApp()
        fresh.played.play(json({ message }, status))
        const answer = await fresh.app.ask(client.path, { body: client.body('mine/m', 'hello', { stream: true }) })
        expect(answer.status).toBe(seen)
        expect(typeof answer.body.error.message).toBe('string')
      })
    }

    const begun = () =>
      fixture('text', 'stream.txt')
        .split('\n\n')
        .slice(0, 3)
        .map((event) => `${event}\n\n`)
    const INSIDE: readonly (readonly [name: string, events: () => readonly string[]])[] = [
      ['breaks off', begun],
      ['ends with an error', () => [...begun(), end('ERROR', 'the model crashed')]],
      ['takes too long', () => [...begun(), end('TIMEOUT')]],
      ['sends nonsense', () => [...begun(), 'data: <html>\n\n']],
    ]
    for (const [name, events] of INSIDE) {
      test(`${client.name}: a stream that ${name} is an error inside, never a whole answer`, async () => {
        played.play(stream(events()))
        const answer = await app.request(client.path, { body: client.body(MODEL, 'hello', { stream: true }) })
        const seen = readStream(await answer.text())
        expect({ status: answer.status, text: seen.text, ended: seen.ended }).toEqual({
          status: 200,
          text: 'LLM',
          ended: false,
        })
        expect(seen.error).toBeDefined()
      })
    }
  }
})

function end(finish_reason: string, error?: string): string {
  return sseFrame('message-end', { type: 'message-end', delta: { finish_reason, ...(error && { error }) } })
}

/** For refusals that hold an account or a model back. */
async function makeFreshApp() {
  const own = await makeApp({ accounts: {} })
  const provider = playProvider()
  const dialects = [{ dialect: 'cohere_v2', base_url: `${provider.url}/v2` }]
  await own.owner('POST', '/v1/custom-providers', { slug: 'mine', dialects, allow_private_network: true })
  await own.owner('POST', '/v1/accounts', { provider: 'mine', credentials: { api_key: 'co-0123456789-0123456789' } })
  return {
    app: own,
    played: provider,
    [Symbol.asyncDispose]: async () => {
      await own[Symbol.asyncDispose]()
      provider.stop()
    },
  }
}
