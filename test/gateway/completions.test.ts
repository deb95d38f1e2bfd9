/** Legacy completions: the official library, and what a model that chats cannot do for it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OpenAI } from 'openai'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { anthropicReply, anthropicStream, chatReply, chatStream } from '../support/provider-bodies.ts'

const ANTHROPIC = 'anthropic/claude-haiku-4-5'
const OPENAI = 'openai/gpt-4.1'

let app: TestApp
let client: OpenAI
beforeAll(async () => {
  app = await makeApp({ skills: ['Speak plainly.'] })
  client = new OpenAI({ baseURL: `${await app.listen()}/v1`, apiKey: app.key.secret, maxRetries: 0 })
})
afterAll(() => app[Symbol.asyncDispose]())

const played = (provider: string) => app.upstream(provider).played
const asked = (provider: string) => played(provider).requests.at(-1)

const UPSTREAMS = [
  { provider: 'anthropic', model: ANTHROPIC, reply: anthropicReply, stream: anthropicStream },
  { provider: 'openai', model: OPENAI, reply: chatReply, stream: chatStream },
] as const

for (const by of UPSTREAMS) {
  describe(by.provider, () => {
    test('a plain answer is a text_completion with the figures of the provider', async () => {
      played(by.provider).play(json(by.reply('Hello 😀')))
      const completion = await client.completions.create({
        model: by.model,
        prompt: 'Say hello',
        max_tokens: 50,
        stop: 'END',
      })
      expect(completion).toMatchObject({
        object: 'text_completion',
        model: by.model,
        choices: [{ index: 0, text: 'Hello 😀', logprobs: null, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      })
      expect(completion.id).toMatch(/^cmpl-/)
      const sent = asked(by.provider)?.text() ?? ''
      for (const part of ['Say hello', '50', '["END"]', 'Speak plainly.']) expect(sent).toContain(part)
      expect((await app.rows()).at(-1)).toMatchObject({ endpoint: 'chat', dialect_in: 'openai_completions' })
    })

    for (const include_usage of [false, true]) {
      test(`a stream ${include_usage ? 'with' : 'without'} the usage, as it was asked for`, async () => {
        played(by.provider).play(stream(by.stream(['Hel', 'lo'])))
        const options = include_usage ? { stream_options: { include_usage } } : {}
        const chunks: OpenAI.Completion[] = []
        const request = { model: by.model, prompt: ['Say hello'], stream: true as const, ...options }
        for await (const chunk of await client.completions.create(request)) chunks.push(chunk)
        expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('Hello')
        expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
        expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop'])
        const usage = chunks.flatMap((chunk) => chunk.usage ?? [])
        expect(usage).toEqual(include_usage ? [{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }] : [])
      })
    }

    test('a stream that breaks off is thrown, never taken for a whole answer', async () => {
      const events = by.stream(['Hel', 'lo'])
      played(by.provider).play(
        stream([
          ...events.slice(
            0,
            events.findIndex((event) => event.includes('lo"')),
          ),
          'cut',
        ]),
      )
      const reading = (async () => {
        const answer = await client.completions.create({ model: by.model, prompt: 'hi', stream: true })
        for await (const _ of answer);
      })()
      await expect(reading).rejects.toThrow()
    })
  })
}

test('a stream ends with the mark that clients wait for', async () => {
  played('openai').play(stream(chatStream(['Hello'])))
  const answer = await app.request('/v1/completions', { body: { model: OPENAI, prompt: 'hi', stream: true } })
  expect(await answer.text()).toEndWith('\n\ndata: [DONE]\n\n')
})

describe('what a model that chats cannot do is refused, naming the field', () => {
  const REFUSED: readonly (readonly [field: string, body: Readonly<Record<string, unknown>>])[] = [
    ['suffix', { suffix: 'the end' }],
    ['echo', { echo: true }],
    ['best_of', { best_of: 3 }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: 0 }],
    ['prompt', { prompt: ['one', 'two'] }],
    ['prompt', { prompt: [1212, 318] }],
    ['prompt', { prompt: [[1212, 318]] }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: 7 }],
    ['max_tokens', { max_tokens: 'many' }],
  ]
  for (const [field, body] of REFUSED) {
    test(`${JSON.stringify(body)}`, async () => {
      const before = played('openai').requests.length
      const answer = await app.ask('/v1/completions', { body: { model: OPENAI, prompt: 'hi', ...body } })
      expect(answer).toMatchObject({ status: 400, body: { error: { param: field } } })
      expect(played('openai').requests.length).toBe(before)
    })
  }

  test('what says the same as its absence is no reason', async () => {
    played('openai').play(json(chatReply('Hello')))
    const same = { suffix: '', echo: false, best_of: 1, n: 1, logprobs: null }
    const answer = await app.ask('/v1/completions', { body: { model: OPENAI, prompt: 'hi', ...same } })
    expect(answer.status).toBe(200)
  })
})

test('an error of the provider is thrown with its status', async () => {
  played('openai').play(
    json({ error: { message: 'so it is', type: 'invalid_request_error', param: null, code: null } }, 422),
  )
  const call = async () => await client.completions.create({ model: OPENAI, prompt: 'hi' })
  await expect(call()).rejects.toMatchObject({ status: 422, message: expect.stringContaining('so it is') })
})
