/** Messages of Anthropic on other hosts: Bedrock, which wraps each event in a binary frame, and Vertex, which sends them as they are. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Anthropic, APIError } from '@anthropic-ai/sdk'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/core/json.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { bedrockAccount, binary, converseReply, vertexAccount, VERTEX_TOKEN } from '../support/clouds.ts'
import { chunkOf, eventOf, exceptionOf } from '../support/event-stream.ts'
import { addressOf, INTERNET, playInternet } from '../support/internet.ts'
import { json, stream, text } from '../support/plays.ts'
import type { Play, Provider } from '../support/provider.ts'
import { CHAT, MESSAGES, question, readStream } from './clients.ts'
import { anthropicLibrary } from './libraries.ts'
import { ANTHROPIC } from './upstreams.ts'

const SKILL = 'Answer in one word.'

interface Host {
  readonly name: string
  readonly model: string
  readonly version: string
  readonly plainPath: string
  readonly streamPath: string
  readonly authorization: RegExp
  readonly account: (app: TestApp) => Promise<Provider>
  /** A stream of these server-sent events, as this host sends it. */
  readonly streamed: (events: readonly string[]) => Play
}

const BEDROCK: Host = {
  name: 'Bedrock',
  model: 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  version: 'bedrock-2023-05-31',
  plainPath: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke',
  streamPath: '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream',
  authorization: /^Bearer ABSK/,
  account: bedrockAccount,
  streamed: (events) => binary(events.map((event) => chunkOf(dataOf(event)))),
}

const VERTEX: Host = {
  name: 'Vertex',
  model: 'vertex/claude-sonnet-4-5@20250929',
  version: 'vertex-2023-10-16',
  plainPath: '/models/claude-sonnet-4-5%4020250929:rawPredict',
  streamPath: '/models/claude-sonnet-4-5%4020250929:streamRawPredict',
  authorization: new RegExp(`^Bearer ${VERTEX_TOKEN}$`),
  account: vertexAccount,
  streamed: (events) => stream(events),
}

function dataOf(event: string): string {
  return event.slice(event.indexOf('data: ') + 'data: '.length).trimEnd()
}

function recorded(exchange: string, file: string): string {
  return readFileSync(join(import.meta.dir, '../fixtures/anthropic-messages', exchange, file), 'utf8')
}

const eventsOf = (sse: string): readonly string[] =>
  sse.split('\n\n').flatMap((event) => (event.trim() === '' ? [] : [`${event}\n\n`]))

for (const host of [BEDROCK, VERTEX]) {
  describe(host.name, () => {
    let app: TestApp
    let played: Provider
    let url: string
    beforeAll(async () => {
      app = await makeApp({ accounts: {}, skills: [SKILL] })
      played = await host.account(app)
      url = await app.listen()
    })
    afterAll(async () => {
      await app[Symbol.asyncDispose]()
      played.stop()
    })

    const sent = () => played.requests.at(-1)
    const ask = (more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
      app.ask(MESSAGES.path, { ...question(MESSAGES, host.model, more), headers })

    test('gets the client’s body, without what its path says and with what it must have', async () => {
      const bytes = `{ "model" : ${JSON.stringify(host.model)}, "max_tokens":64 ,"temperature": 1.0,\n"messages":[{"role":"user","content":"h\\u00e9"}] }`
      played.play(json(ANTHROPIC.reply('Hi')))
      const { status, body } = await app.ask(MESSAGES.path, { body: bytes })
      expect(status).toBe(200)
      expect(body).toEqual(ANTHROPIC.reply('Hi'))
      expect(sent()?.path).toBe(host.plainPath)
      expect(sent()?.headers['authorization']).toMatch(host.authorization)
      expect(sent()?.text()).toBe(
        `{"anthropic_version":"${host.version}", "max_tokens":64 ,"temperature": 1.0,\n"messages":[{"role":"user","content":"h\\u00e9"}] ,"system":[{"type":"text","text":"${SKILL}"}]}`,
      )
    })

    test('streams what the client reads as Anthropic’s own stream, byte for byte', async () => {
      const events = ANTHROPIC.stream(['Hé', ' llo', ' 🚦'])
      played.play(host.streamed(events))
      const { body, headers } = await ask({ stream: true })
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(body).toBe(events.join(''))
      expect(sent()?.path).toBe(host.streamPath)
      expect(sent()?.json<JsonObject>()).not.toHaveProperty('model')
    })

    for (const exchange of ['text', 'tool-use', 'thinking-interleaved', 'refusal', 'stop-sequence']) {
      test(`${exchange}: Anthropic’s own library reads the recorded answer, streamed as plain`, async () => {
        const client = new Anthropic({ baseURL: url, apiKey: app.key.secret, maxRetries: 0 })
        const request = {
          model: host.model,
          max_tokens: 4_096,
          messages: [{ role: 'user' as const, content: 'Go on.' }],
        }
        played.play(text(recorded(exchange, 'reply.json'), 200, { 'content-type': 'application/json' }))
        played.play(host.streamed(eventsOf(recorded(exchange, 'stream.txt'))))
        const plain = await client.messages.create(request)
        const streamed = await client.messages.stream(request).finalMessage()
        expect(streamed.stop_reason).toBe(plain.stop_reason)
        expect(streamed.content.map(({ type }) => type)).toEqual(plain.content.map(({ type }) => type))
      })
    }

    test('counts the tokens of a stream that passes through', async () => {
      played.play(host.streamed(ANTHROPIC.stream(['Hi'])))
      const { headers } = await ask({ stream: true })
      const row = (await app.rows()).find(({ id }) => id === headers.get('x-request-id'))
      expect(row?.['tokens']).toMatchObject({ input_uncached: 10, output: 5 })
    })

    test('gets thinking back under its signature, untouched', async () => {
      const library = anthropicLibrary(url, app.key.secret, host.model)
      played.play(
        host.streamed(eventsOf(recorded('thinking-interleaved', 'stream.txt'))),
        json(ANTHROPIC.reply('Done.')),
      )
      const first = library.user('What time is it?')
      const { history, callIds } = await library.ask([first], true)
      await library.ask([first, ...history, ...callIds.map((id) => library.result(id, 'noon'))], false)
      const { messages } = sent()?.json<{ messages: { content: object[] }[] }>() ?? { messages: [] }
      expect(messages[1]?.content).toEqual((history[0] as { content: object[] }).content)
    })

    test('is told its betas where it wants them, and only those that it knows', async () => {
      played.play(json(ANTHROPIC.reply('Hi')))
      const known = 'interleaved-thinking-2025-05-14'
      const { headers } = await ask({}, { 'anthropic-beta': `${known}, made-up-2026-01-01` })
      if (host === BEDROCK) {
        expect(sent()?.json<JsonObject>()['anthropic_beta']).toEqual([known])
        expect(sent()?.headers).not.toHaveProperty('anthropic-beta')
      } else expect(sent()?.headers['anthropic-beta']).toBe(known)
      expect(headers.get('x-gateway-dropped')).toContain('anthropic-beta')
    })

    test('speaks to clients of other formats, too', async () => {
      const isConverse = host === BEDROCK
      const reply = { output: { message: { content: [{ text: 'Hi' }] } }, stopReason: 'end_turn' }
      played.play(json(isConverse ? reply : ANTHROPIC.reply('Hi')))
      const { status, body } = await app.ask(CHAT.path, question(CHAT, host.model))
      expect({ status, text: CHAT.textOf(body) }).toEqual({ status: 200, text: 'Hi' })
      if (!isConverse) expect(sent()?.json<JsonObject>()).toMatchObject({ anthropic_version: host.version })
      expect(sent()?.json<JsonObject>()).not.toHaveProperty('model')
    })

    test('that refuses is read as what it is', async () => {
      played.play(json({ message: 'messages.0: text content blocks must be non-empty' }, 400))
      expect(await ask()).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request_error', message: expect.stringContaining('non-empty') } },
      })
    })
  })
}

describe('Bedrock alone', () => {
  let app: TestApp
  let played: Provider
  beforeAll(async () => {
    app = await makeApp({ accounts: {} })
    played = await bedrockAccount(app)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    played.stop()
  })

  const ask = (more: object = {}) => app.ask(MESSAGES.path, question(MESSAGES, BEDROCK.model, more))
  const begun = ANTHROPIC.stream(['Hi'])
    .slice(0, 4)
    .map((event) => chunkOf(dataOf(event)))

  test('does not get what it does not know of a tool', async () => {
    played.play(json(ANTHROPIC.reply('Hi')))
    const tool = { name: 'f', input_schema: { type: 'object' }, defer_loading: true, eager_input_streaming: true }
    const { headers } = await ask({ tools: [tool, { name: 'g', input_schema: {} }] })
    expect(played.requests.at(-1)?.json<JsonObject>()['tools']).toEqual([
      { name: 'f', input_schema: { type: 'object' } },
      { name: 'g', input_schema: {} },
    ])
    expect(headers.get('x-gateway-dropped')).toBe('tools.defer_loading,tools.eager_input_streaming')
  })

  test('is not asked for a tool that only the maker runs', async () => {
    const before = played.requests.length
    const answer = await ask({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] })
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('tools.0') } } })
    expect(played.requests).toHaveLength(before)
  })

  test('gets tools that the client runs as they are', async () => {
    played.play(json(ANTHROPIC.reply('Hi')))
    const tools = [{ type: 'bash_20250124', name: 'bash' }]
    await ask({ tools })
    expect(played.requests.at(-1)?.json<JsonObject>()['tools']).toEqual(tools)
  })

  test('an exception before content is a status, and one after it an event of the client’s format', async () => {
    played.play(binary([...begun.slice(0, 2), exceptionOf('validationException', { message: 'so it is' })]))
    expect((await ask({ stream: true })).status).toBe(400)
    played.play(binary([...begun, exceptionOf('throttlingException', { message: 'slow' })]))
    const { status, body } = await ask({ stream: true })
    expect(status).toBe(200)
    expect(readStream(body)).toMatchObject({ text: 'Hi', ended: false, error: { type: 'rate_limit_error' } })
  })

  for (const [name, last] of [
    ['is cut', 'cut'],
    ['is damaged', Buffer.from('not a message at all')],
  ] as const) {
    test(`a stream that ${name} is thrown by Anthropic’s library, never taken for a whole answer`, async () => {
      played.play(binary([...begun, last]))
      const client = new Anthropic({ baseURL: await app.listen(), apiKey: app.key.secret, maxRetries: 0 })
      const messages = [{ role: 'user' as const, content: 'hello' }]
      const streamed = client.messages.stream({ model: BEDROCK.model, max_tokens: 9, messages }).finalMessage()
      expect(await streamed.catch((error: unknown) => error)).toBeInstanceOf(APIError)
    })
  }

  test('messages that say nothing to the client are not passed on', async () => {
    const events = ANTHROPIC.stream(['Hi'])
    played.play(binary([eventOf('initial-response', {}), ...events.map((event) => chunkOf(dataOf(event)))]))
    expect((await ask({ stream: true })).body).toBe(events.join(''))
  })

  const REFUSALS: readonly (readonly [type: string, status: number, seen: number])[] = [
    ['UnrecognizedClientException', 403, 502],
    ['ResourceNotFoundException', 404, 404],
    ['ModelTimeoutException', 408, 504],
  ]
  for (const [type, status, seen] of REFUSALS) {
    test(`${type} is told by its name as ${seen}`, async () => {
      // An app of its own: some refusals rest the account.
      await using own = await makeApp({ accounts: {} })
      const host = await bedrockAccount(own)
      host.play(json({ message: 'so it is' }, status, { 'x-amzn-errortype': type }))
      expect((await own.ask(MESSAGES.path, question(MESSAGES, BEDROCK.model))).status).toBe(seen)
      host.stop()
    })
  }
})

test('pictures by address reach Bedrock as their bytes, in either of its formats', async () => {
  const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
  const bytes = Buffer.from(png, 'latin1').toString('base64')
  await using app = await makeApp({ internet: INTERNET, accounts: {} })
  const [host, played] = [playInternet(), await bedrockAccount(app)]
  host.otherwise((stage) => stage.reply(200, { 'content-type': 'image/png' }, Buffer.from(png, 'latin1')))
  const source = { type: 'url', url: addressOf(host, '/a.png') }
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What?' },
        { type: 'image', source },
      ],
    },
  ]
  const asks: readonly (readonly [model: string, answer: object, image: object])[] = [
    [
      BEDROCK.model,
      ANTHROPIC.reply('A cat'),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } },
    ],
    ['bedrock/us.amazon.nova-pro-v1:0', converseReply('A cat'), { image: { format: 'png', source: { bytes } } }],
  ]
  for (const [model, answer, image] of asks) {
    played.play(json(answer))
    const { status, body } = await app.ask(MESSAGES.path, question(MESSAGES, model, { messages }))
    expect({ status, text: MESSAGES.textOf(body) }).toEqual({ status: 200, text: 'A cat' })
    const [turn] = played.requests.at(-1)?.json<{ messages: { content: object[] }[] }>().messages ?? []
    expect(turn?.content[1]).toEqual(image)
  }
  // The body had to be written anew; what the client says to the maker in headers is said all the same.
  played.play(json(ANTHROPIC.reply('A cat')))
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07' }
  await app.ask(MESSAGES.path, { ...question(MESSAGES, BEDROCK.model, { messages }), headers })
  expect(played.requests.at(-1)?.json<JsonObject>()['anthropic_beta']).toEqual(['context-1m-2025-08-07'])
  host.stop()
  played.stop()
})
