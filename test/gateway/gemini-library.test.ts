/** What Google's own library does besides chats, and what it throws. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ApiError, type Content, GoogleGenAI } from '@google/genai'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { asked, BY_ANTHROPIC, BY_GEMINI, fixture, play, user } from './recordings.ts'

let app: TestApp
let url: string
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1, google: 1, openai: 1 } })
  url = await app.listen()
})
afterAll(() => app[Symbol.asyncDispose]())

const library = (apiVersion?: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: app.key.secret, ...(apiVersion && { apiVersion }), httpOptions: { baseUrl: url } })

describe('the rest of Google’s library', () => {
  test('counts tokens without asking a provider', async () => {
    const before = app.upstream('google').played.requests.length
    for (const version of ['v1', 'v1beta']) {
      const count = (contents: Content[]) => library(version).models.countTokens({ model: BY_GEMINI.model, contents })
      const few = await count([user({ text: 'hello' })])
      const many = await count([user({ text: 'hello '.repeat(1_000) })])
      const image = await count([user({ inlineData: { mimeType: 'image/png', data: 'A'.repeat(400_000) } })])
      expect(few.totalTokens).toBeLessThan(10)
      expect(many.totalTokens).toBeWithin(1_400, 1_600)
      expect(image.totalTokens).toBeWithin(1_000, 2_000)
    }
    expect(app.upstream('google').played.requests).toHaveLength(before)
  })

  test('lists models page by page, and one', async () => {
    for (const version of ['v1', 'v1beta']) {
      const names: (string | undefined)[] = []
      for await (const model of await library(version).models.list({ config: { pageSize: 3 } })) names.push(model.name)
      expect(names).toContain('models/google/gemini-2.5-flash')
      expect(new Set(names).size).toBe(names.length)
      const one = await library(version).models.get({ model: 'google/gemini-2.5-flash' })
      expect(one).toMatchObject({ name: 'models/google/gemini-2.5-flash', inputTokenLimit: 1_048_576 })
    }
  })

  test('names a model as it does elsewhere: bare, with its provider, with the prefix that lists show', async () => {
    for (const model of ['gemini-2.5-flash', 'google/gemini-2.5-flash', 'models/google/gemini-2.5-flash']) {
      play(app, BY_GEMINI, 'text', false)
      const { text: said } = await library('v1beta').models.generateContent({ model, contents: 'hi' })
      expect(said).toBe('Grüß Gott! 😀')
      expect(asked(app, 'google').path).toBe('/v1/models/gemini-2.5-flash:generateContent')
    }
  })
})

describe('errors', () => {
  const failed = (call: Promise<unknown>): Promise<ApiError> =>
    call.then(
      () => Promise.reject(new Error('it did not fail')),
      (error) => error,
    )
  const call = (model: string, isStream: boolean): Promise<unknown> =>
    isStream
      ? library().models.generateContentStream({ model, contents: 'hi' })
      : library().models.generateContent({ model, contents: 'hi' })

  const CAUSES: readonly (readonly [provider: string, cause: object, status: number, seen: number, word: string])[] = [
    ['google', { error: { code: 400, message: 'so it is', status: 'INVALID_ARGUMENT' } }, 400, 400, 'INVALID_ARGUMENT'],
    ['google', { error: { code: 500, message: 'oh', status: 'INTERNAL' } }, 500, 502, 'INTERNAL'],
    ['google', { error: { code: 404, message: 'no', status: 'NOT_FOUND' } }, 404, 404, 'NOT_FOUND'],
    [
      'anthropic',
      { type: 'error', error: { type: 'invalid_request_error', message: 'so it is' } },
      400,
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'openai',
      { error: { type: 'invalid_request_error', message: 'so it is', param: null, code: null } },
      422,
      422,
      'INVALID_ARGUMENT',
    ],
  ]
  for (const [provider, cause, status, seen, word] of CAUSES) {
    for (const isStream of [false, true]) {
      test(`${status} of ${provider}, ${isStream ? 'streamed' : 'plain'}: is thrown as ${seen} ${word}`, async () => {
        app.upstream(provider).played.play(json(cause, status))
        // A model of its own, for a 404 holds back the one that it is about.
        const thrown = await failed(call(`${provider}/some-model-${status}-${isStream}`, isStream))
        expect(thrown).toBeInstanceOf(ApiError)
        expect(thrown.status).toBe(seen)
        expect(JSON.parse(thrown.message).error).toMatchObject({
          code: seen,
          status: word,
          message: expect.any(String),
        })
      })
    }
  }

  test('an unknown model, and a key that is none', async () => {
    expect((await failed(call('nobody/nothing', false))).status).toBe(404)
    const stranger = new GoogleGenAI({ apiKey: 'wrong', httpOptions: { baseUrl: url } })
    const thrown = await failed(stranger.models.generateContent({ model: BY_GEMINI.model, contents: 'hi' }))
    expect(thrown.status).toBe(401)
    expect(JSON.parse(thrown.message).error.status).toBe('UNAUTHENTICATED')
  })

  for (const by of [BY_GEMINI, BY_ANTHROPIC]) {
    test(`a stream of ${by.dialect} that breaks is thrown, never taken for a whole answer`, async () => {
      const end = by === BY_GEMINI ? '\r\n\r\n' : '\n\n'
      const events = fixture(by, 'text', 'stream.txt').split(end)
      const begun = events.slice(0, by === BY_GEMINI ? 1 : 4).join(end) + end
      app.upstream(by.provider).played.play(stream([begun, 'cut']))
      const chunks = (await library().models.generateContentStream({
        model: by.model,
        contents: 'hi',
      })) as AsyncIterable<object>
      const thrown = await failed(Array.fromAsync(chunks))
      expect(thrown).toBeInstanceOf(ApiError)
    })
  }
})
