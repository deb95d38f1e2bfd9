/** Same dialect on both sides: the provider gets the client's bytes and the client the provider's, but for the named edits. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream, text } from '../support/plays.ts'
import { sseFrame } from '../support/provider-bodies.ts'
import { CHAT, type Client, MESSAGES, question, readStream } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, type Speaker, SPEAKERS } from './upstreams.ts'

const SKILL = 'Answer in "verse".\nAlways.'

let plain: TestApp
let skilled: TestApp
beforeAll(async () => {
  plain = await makeApp()
  skilled = await makeApp({ skills: [SKILL] })
})
afterAll(async () => {
  await plain[Symbol.asyncDispose]()
  await skilled[Symbol.asyncDispose]()
})

/** What the provider of `speaker` received for these bytes of its own client. */
async function sent(app: TestApp, speaker: Speaker, body: string, answer = json(speaker.reply('hi'))): Promise<string> {
  const { played } = app.upstream(speaker.provider)
  played.play(answer)
  const { status, body: said } = await app.ask(speaker.client.path, { body })
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(said)}`)
  return played.requests.at(-1)?.text() ?? ''
}

/** Values that a parser and a printer between client and provider would change. */
const TOKENS = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('1.0', '1e400', '-0', '12345678901234567890', '0.1e-7', 'true', 'null', '[ ]', '{ }'),
  fc.constantFrom('"\\u00e9\\/\\ud83d\\ude00"', '"\\ud83d"', '{"a":1,"a":2}', '{"10":1,"9":2}', '"é 🚦"'),
)
const NAMES = fc.oneof(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.constantFrom('x_\\u0061', 'x_é', 'x_\\"', 'temperature'))
const SPACE = fc.constantFrom('', ' ', '\n', '\t ', '\r\n  ')

interface Written {
  readonly members: readonly (readonly [name: string, token: string])[]
  readonly space: string
  readonly at: number
}
const WRITTEN: fc.Arbitrary<Written> = fc.record({
  members: fc.array(fc.tuple(NAMES, TOKENS), { maxLength: 6 }),
  space: SPACE,
  at: fc.nat(),
})

/** A body of `client` with `written` around what it needs, its model's token apart so that a test can replace it. */
function bodyWith(client: Client, { members, space, at }: Written, more: object, modelToken: string): string {
  const needed = Object.entries(client.body('', 'hello', more)).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  )
  const all = [...needed.filter(([name]) => name !== 'model'), ...members]
  const model = ['model', modelToken] as const
  const ordered = all.toSpliced(at % (all.length + 1), 0, model)
  const lines = ordered.map(([name, token]) => `${space}"${name}"${space}:${space}${token}${space}`)
  return `${space}{${lines.join(',')}}${space}`
}

/** Before the last brace. */
function inserted(body: string, member: string): string {
  const close = body.lastIndexOf('}')
  return `${body.slice(0, close)},${member}${body.slice(close)}`
}

describe('a request that passes through', () => {
  for (const speaker of SPEAKERS) {
    const { client, model } = speaker
    const upstreamModel = JSON.stringify(model.slice(model.indexOf('/') + 1))

    test(`${client.name}: only the model's name changes`, () =>
      fc.assert(
        fc.asyncProperty(WRITTEN, async (written) => {
          const got = await sent(plain, speaker, bodyWith(client, written, {}, JSON.stringify(model)))
          expect(got).toBe(bodyWith(client, written, {}, upstreamModel))
        }),
        { numRuns: 60 },
      ))
  }

  test('messages: a skill comes as one member more', () =>
    fc.assert(
      fc.asyncProperty(WRITTEN, async (written) => {
        const block = `"system":[${JSON.stringify({ type: 'text', text: SKILL })}]`
        const got = await sent(skilled, ANTHROPIC, bodyWith(MESSAGES, written, {}, '"anthropic/claude-haiku-4-5"'))
        expect(got).toBe(inserted(bodyWith(MESSAGES, written, {}, '"claude-haiku-4-5"'), block))
      }),
      { numRuns: 60 },
    ))

  test('chat: a stream asks for its usage and changes nothing else', () =>
    fc.assert(
      fc.asyncProperty(WRITTEN, async (written) => {
        const body = bodyWith(CHAT, written, { stream: true }, '"openai/gpt-4o-mini"')
        const got = await sent(plain, OPENAI_CHAT, body, stream(OPENAI_CHAT.stream(['hi'])))
        const named = bodyWith(CHAT, written, { stream: true }, '"gpt-4o-mini"')
        expect(got).toBe(inserted(named, '"stream_options":{"include_usage":true}'))
      }),
      { numRuns: 60 },
    ))

  test('keeps fields and names that nobody here knows', async () => {
    const body = {
      ...MESSAGES.body(ANTHROPIC.model),
      container: { skills: [1.5] },
      betas: null,
      context_management: {},
    }
    expect(JSON.parse(await sent(plain, ANTHROPIC, JSON.stringify(body)))).toEqual({
      ...body,
      model: 'claude-haiku-4-5',
    })
  })

  test('reaches the path of its dialect, its query with it but for credentials', async () => {
    const { played } = plain.upstream('anthropic')
    played.play(json(ANTHROPIC.reply('hi')))
    await plain.ask('/v1/messages?beta=true&key=sk-secret&api_key=sk-other', question(MESSAGES, ANTHROPIC.model))
    expect(played.requests.at(-1)?.path).toBe('/v1/messages?beta=true')
  })
})

describe('an answer that passes through', () => {
  for (const speaker of SPEAKERS) {
    const { client, model, provider } = speaker

    test(`${client.name}: a plain one keeps its bytes`, async () => {
      const odd = ` ${JSON.stringify({ ...speaker.reply('héllo'), x_new: 1, price: 0.5 }).replace('0.5', '1.0')}\n`
      plain.upstream(provider).played.play(text(odd, 200, { 'content-type': 'application/json' }))
      const response = await plain.request(client.path, question(client, model))
      expect(await response.text()).toBe(odd)
    })

    test(`${client.name}: a stream keeps its bytes, wherever the network cut it`, async () => {
      const events = speaker.stream(['Hé', 'llo', ' 🚦']).join('')
      const bytes = Buffer.from(`: a comment\n\n${events}`)
      for (const size of [1, 7, 64, bytes.length]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        )
        plain.upstream(provider).played.play(stream(pieces))
        const more = { stream: true, stream_options: { include_usage: true } }
        const response = await plain.request(client.path, question(client, model, more))
        expect(await response.text()).toBe(bytes.toString())
      }
    })
  }

  test('chat: the usage that only we asked for is left out, and nothing else', async () => {
    const events = OPENAI_CHAT.stream(['Hi'])
    const isUsage = (event: string): boolean => event.includes('"choices":[]')
    plain.upstream('openai').played.play(stream(events))
    const response = await plain.request(CHAT.path, question(CHAT, OPENAI_CHAT.model, { stream: true }))
    expect(await response.text()).toBe(events.filter((event) => !isUsage(event)).join(''))
    expect(events.filter(isUsage)).toHaveLength(1)
    expect((await plain.rows()).at(-1)?.tokens).toMatchObject({ input_uncached: 10, output: 5 })
  })

  test('chat: usage that came where none was asked for may sit beside content', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }]
    const events = [sseFrame(undefined, { choices, usage }), sseFrame(undefined, '[DONE]')]
    plain.upstream('openai').played.play(stream(events))
    const response = await plain.request(CHAT.path, question(CHAT, OPENAI_CHAT.model, { stream: true }))
    expect(readStream(await response.text())).toMatchObject({ text: 'Hi', ended: true })
  })

  test('a plain reply where a stream was asked for becomes the stream that it amounts to', async () => {
    for (const { client, model, provider, reply } of SPEAKERS) {
      plain.upstream(provider).played.play(json(reply('all at once')))
      const response = await plain.request(client.path, question(client, model, { stream: true }))
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(readStream(await response.text())).toMatchObject({ text: 'all at once', ended: true, error: undefined })
    }
  })
})
