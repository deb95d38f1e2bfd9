/** The official libraries, pinned, against a listening gateway whose providers send the recorded exchanges. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Anthropic, APIError as AnthropicError } from '@anthropic-ai/sdk'
import { OpenAI, APIError as OpenAIError } from 'openai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChatReply } from '../../src/dialects/neutral.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import type { PlayedRequest } from '../support/provider.ts'
import { json, stream, text } from '../support/plays.ts'
import {
  anthropicLibrary,
  chatLibrary,
  type Library,
  type LibraryOf,
  responsesLibrary,
  type Said,
} from './libraries.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

/** A provider that speaks one dialect, and what it was recorded saying. */
interface Recorded {
  readonly dialect: 'anthropic-messages' | 'openai-chat' | 'openai-responses'
  readonly provider: string
  readonly model: string
  readonly exchanges: readonly string[]
}

const BY_ANTHROPIC: Recorded = {
  dialect: 'anthropic-messages',
  provider: 'anthropic',
  model: 'anthropic/claude-sonnet-4-5',
  exchanges: ['text', 'tool-use', 'thinking-interleaved'],
}
const BY_CHAT: Recorded = {
  dialect: 'openai-chat',
  provider: 'openai',
  model: 'openai/gpt-4.1',
  exchanges: ['text', 'parallel-tools', 'thinking-tool'],
}
/** It speaks no Responses. */
const BY_CHAT_ALONE: Recorded = { ...BY_CHAT, provider: 'lmstudio', model: 'lmstudio/some-model' }
const BY_RESPONSES: Recorded = {
  dialect: 'openai-responses',
  provider: 'openai',
  model: 'openai/gpt-6-sol',
  exchanges: ['text', 'parallel-calls', 'reasoning-custom-tool'],
}

const PAIRS: readonly (readonly [LibraryOf, Recorded])[] = [
  [anthropicLibrary, BY_ANTHROPIC],
  [anthropicLibrary, BY_CHAT],
  [chatLibrary, BY_ANTHROPIC],
  [chatLibrary, BY_CHAT],
  [responsesLibrary, BY_RESPONSES],
  [responsesLibrary, BY_ANTHROPIC],
  [responsesLibrary, BY_CHAT_ALONE],
]

let app: TestApp
let url: string
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1, lmstudio: 1, openai: 1 } })
  url = await app.listen()
})
afterAll(() => app[Symbol.asyncDispose]())

const nameOf = (libraryOf: LibraryOf): string => libraryOf('http://x.test', 'none', 'none').name
const open = (libraryOf: LibraryOf, model: string): Library => libraryOf(url, app.key.secret, model)
const asked = (provider: string): PlayedRequest | undefined => app.upstream(provider).played.requests.at(-1)

function fixture({ dialect }: Recorded, exchange: string, file: string): string {
  return readFileSync(join(import.meta.dir, '..', 'fixtures', dialect, exchange, file), 'utf8')
}

function playRecorded(by: Recorded, exchange: string, isStream: boolean): void {
  const { played } = app.upstream(by.provider)
  if (isStream) played.play(stream([fixture(by, exchange, 'stream.txt')]))
  else played.play(text(fixture(by, exchange, 'reply.json'), 200, { 'content-type': 'application/json' }))
}

/** The recorded answer as any client should understand it. */
function meant(by: Recorded, exchange: string): Said {
  const { parts, usage } = JSON.parse(fixture(by, exchange, 'neutral.json')) as ChatReply
  const calls = parts.filter((part) => part.type === 'tool-call')
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    thinking: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: calls.map(({ name, kind, argumentsText }) => ({
      name,
      input: kind === 'custom' ? argumentsText : JSON.parse(argumentsText || '{}'),
    })),
    inputTokens: usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h,
    outputTokens: usage.output,
  }
}

for (const [libraryOf, by] of PAIRS) {
  describe(`${nameOf(libraryOf)} with a provider of ${by.dialect}`, () => {
    for (const exchange of by.exchanges) {
      for (const isStream of [false, true]) {
        test(`${exchange}, ${isStream ? 'streamed' : 'plain'}: says what was meant`, async () => {
          const library = open(libraryOf, by.model)
          playRecorded(by, exchange, isStream)
          const { said } = await library.ask([library.user('Go on.')], isStream)
          expect(said).toEqual(meant(by, exchange))
        })
      }
    }

    for (const isStream of [false, true]) {
      test(`a round of tools, ${isStream ? 'streamed' : 'plain'}: calls and results come back to the provider`, async () => {
        const library = open(libraryOf, by.model)
        const exchange = by.exchanges[1] ?? ''
        playRecorded(by, exchange, isStream)
        const question = library.user('What is it like?')
        const { history, callIds } = await library.ask([question], isStream)
        const results = callIds.map((id, index) => library.result(id, `result ${index}`))
        playRecorded(by, 'text', isStream)
        const { said } = await library.ask([question, ...history, ...results], isStream)
        expect(said.text).toBe(meant(by, 'text').text)
        const back = asked(by.provider)?.text() ?? ''
        for (const [index, id] of callIds.entries()) expect(back).toMatch(new RegExp(`${id}[^]*result ${index}`))
        for (const { name } of meant(by, exchange).calls) expect(back).toContain(`"${name}"`)
      })
    }

    test('an image arrives', async () => {
      const library = open(libraryOf, by.model)
      playRecorded(by, 'text', false)
      await library.ask([library.user('What is this?', 'iVBORw0KGgo=')], false)
      expect(asked(by.provider)?.text()).toContain('iVBORw0KGgo=')
    })
  })
}

describe('thinking', () => {
  const SIGNATURE = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds4VcS5yqT8E1bQ=='
  for (const libraryOf of [anthropicLibrary, chatLibrary, responsesLibrary]) {
    for (const isStream of [false, true]) {
      test(`comes back to Anthropic under its signature through ${nameOf(libraryOf)}, ${isStream ? 'streamed' : 'plain'}`, async () => {
        const library = open(libraryOf, BY_ANTHROPIC.model)
        playRecorded(BY_ANTHROPIC, 'thinking-interleaved', isStream)
        const question = library.user('What time is it?')
        const { history, callIds } = await library.ask([question], isStream)
        playRecorded(BY_ANTHROPIC, 'text', isStream)
        await library.ask([question, ...history, ...callIds.map((id) => library.result(id, 'noon'))], isStream)
        const { messages } = asked('anthropic')?.json<{ messages: { content: object[] }[] }>() ?? { messages: [] }
        expect(messages[1]?.content.slice(0, 2)).toMatchObject([
          { type: 'thinking', thinking: '27 * 453 = 12231', signature: SIGNATURE },
          { type: 'redacted_thinking' },
        ])
      })
    }
  }

  test('comes back to a Responses provider as the state that it gave', async () => {
    const library = open(responsesLibrary, BY_RESPONSES.model)
    playRecorded(BY_RESPONSES, 'reasoning-custom-tool', true)
    const question = library.user('Change it.')
    const { history } = await library.ask([question], true)
    playRecorded(BY_RESPONSES, 'text', true)
    await library.ask([question, ...history], true)
    expect(asked('openai')?.text()).toContain(
      '"encrypted_content":"gAAAAABpH3kQw7m1xW0pQkYzZmFrZS1lbmNyeXB0ZWQtcmVhc29uaW5nLXN0YXRl"',
    )
  })
})

describe('errors', () => {
  const openai = () => new OpenAI({ baseURL: `${url}/v1`, apiKey: app.key.secret, maxRetries: 0 })
  const anthropic = () => new Anthropic({ baseURL: url, apiKey: app.key.secret, maxRetries: 0 })
  const user = [{ role: 'user' as const, content: 'hello' }]
  const CALLS: readonly (readonly [string, Speaker, (model: string) => Promise<unknown>])[] = [
    ['Anthropic', ANTHROPIC, (model) => anthropic().messages.create({ model, max_tokens: 9, messages: user })],
    [
      'Anthropic, streamed',
      ANTHROPIC,
      (model) => anthropic().messages.stream({ model, max_tokens: 9, messages: user }).finalMessage(),
    ],
    ['OpenAI Chat', OPENAI_CHAT, (model) => openai().chat.completions.create({ model, messages: user })],
    [
      'OpenAI Chat, streamed',
      OPENAI_CHAT,
      (model) => openai().chat.completions.stream({ model, messages: user }).finalChatCompletion(),
    ],
    ['OpenAI Responses', OPENAI_RESPONSES, (model) => openai().responses.create({ model, input: 'hello' })],
    [
      'OpenAI Responses, streamed',
      OPENAI_RESPONSES,
      (model) => openai().responses.stream({ model, input: 'hello' }).finalResponse(),
    ],
  ]
  const failed = (call: Promise<unknown>): Promise<AnthropicError | OpenAIError> =>
    call.then(
      () => Promise.reject(new Error('it did not fail')),
      (error) => error,
    )

  const CAUSES: readonly (readonly [upstreamStatus: number, seen: number, name: string])[] = [
    [400, 400, 'BadRequestError'],
    [422, 422, 'UnprocessableEntityError'],
    [500, 502, 'InternalServerError'],
    [404, 404, 'NotFoundError'],
  ]
  for (const [name, { provider, model }, call] of CALLS) {
    for (const [status, seen, className] of CAUSES) {
      test(`${name}: ${status} is thrown as ${className} with our request id`, async () => {
        const error = { type: 'invalid_request_error', message: 'so it is', param: null, code: null }
        app.upstream(provider).played.play(json({ type: 'error', error }, status))
        // A model of its own, for a 404 holds back the one that it is about.
        const thrown = await failed(call(`${model}-${name.replaceAll(/\W/g, '')}-${status}`))
        expect({ class: thrown.constructor.name, status: thrown.status }).toEqual({ class: className, status: seen })
        expect(thrown.requestID).toMatch(/^req_[a-z2-7]{26}$/)
      })
    }

    test(`${name}: an unknown model is not found`, async () => {
      expect(await failed(call('nobody/nothing'))).toMatchObject({ status: 404 })
    })
  }

  for (const [name, speaker, call] of CALLS.filter(([title]) => title.endsWith('streamed'))) {
    test(`${name}: a stream that breaks is thrown, never taken for a whole answer`, async () => {
      const events = speaker.stream(['Hi'])
      const begun = events.slice(0, events.findIndex((event) => event.includes('Hi')) + 1)
      app.upstream(speaker.provider).played.play(stream([...begun, 'reset']))
      const thrown = await failed(call(speaker.model))
      expect(thrown.message).not.toBe('it did not fail')
    })
  }

  test('what cannot be helped by trying again is not tried again', async () => {
    const { played } = app.upstream('anthropic')
    const before = played.requests.length
    played.play(json({ type: 'error', error: { type: 'permission_error', message: 'not yours' } }, 403))
    const client = new Anthropic({ baseURL: url, apiKey: app.key.secret, maxRetries: 2 })
    const model = 'anthropic/claude-of-others'
    expect(await failed(client.messages.create({ model, max_tokens: 9, messages: user }))).toMatchObject({
      status: 404,
    })
    expect(played.requests.length - before).toBe(1)
  })
})

test('models are listed by both libraries', async () => {
  const anthropic = new Anthropic({ baseURL: url, apiKey: app.key.secret })
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: app.key.secret })
  const ids = { anthropic: [] as string[], openai: [] as string[] }
  for await (const { id } of anthropic.models.list({ limit: 5 })) ids.anthropic.push(id)
  for await (const { id } of openai.models.list()) ids.openai.push(id)
  expect(ids.anthropic).toEqual(ids.openai)
  expect(ids.openai).toContain('anthropic/claude-haiku-4-5')
  expect((await openai.models.retrieve('anthropic/claude-haiku-4-5')).owned_by).toBe('anthropic')
  expect((await anthropic.models.retrieve('demo/echo')).id).toBe('demo/echo')
})

test('a message tells its request’s id, and tokens are counted', async () => {
  const client = new Anthropic({ baseURL: url, apiKey: app.key.secret })
  playRecorded(BY_ANTHROPIC, 'text', false)
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const message = await client.messages.create({ model: BY_ANTHROPIC.model, max_tokens: 9, messages })
  expect(message._request_id).toMatch(/^req_/)
  expect((await client.messages.countTokens({ model: BY_ANTHROPIC.model, messages })).input_tokens).toBeGreaterThan(0)
})
