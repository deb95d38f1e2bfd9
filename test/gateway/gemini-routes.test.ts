/** Gemini's paths: what they name, who may ask them, and how they refuse. */
import { describe, expect, test } from 'bun:test'
import { geminiAddress, isGeminiPath } from '../../src/gateway/routes/gemini-path.ts'
import { makeApp } from '../support/app.ts'
import { json } from '../support/plays.ts'

const MODEL = '/v1beta/models/google/gemini-2.5-flash'
const BODY = { contents: [{ parts: [{ text: 'hello' }] }] }
const REPLY = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
}

const ADDRESSES: readonly (readonly [path: string, expected: object | undefined])[] = [
  ['/v1beta/models/gemini-2.5-pro:generateContent', { model: 'gemini-2.5-pro', method: 'generateContent' }],
  ['/v1/models/a/b/c:countTokens', { model: 'a/b/c', method: 'countTokens' }],
  ['/v1/models/a%2Fb:streamGenerateContent', { model: 'a/b', method: 'streamGenerateContent' }],
  ['/v1beta/models/ollama/llama3:8b:generateContent', { model: 'ollama/llama3:8b', method: 'generateContent' }],
  [
    '/v1beta/anthropic/claude-haiku-4-5:generateContent',
    { model: 'anthropic/claude-haiku-4-5', method: 'generateContent' },
  ],
  ['/v1/anthropic/claude-haiku-4-5:generateContent', undefined],
  ['/v1beta/models/gemini-2.5-pro', undefined],
  ['/v1/models/ollama/llama3:8b', undefined],
  ['/v1/models/gemini:embedContent', undefined],
  ['/v1beta/models/%:generateContent', { model: '%', method: 'generateContent' }],
]
for (const [path, expected] of ADDRESSES) {
  test(`${path} ${expected === undefined ? 'names no method of ours' : 'names a model and a method'}`, () => {
    expect(geminiAddress(path)).toEqual(expected as never)
    expect(isGeminiPath(path)).toBe(expected !== undefined || path.startsWith('/v1beta/'))
  })
}

test('refusals are in Gemini’s envelope, whatever the path below its version', async () => {
  await using app = await makeApp()
  const cases = [
    ['POST', '/v1beta/models/google/gemini-2.5-flash:embedContent', 404, 'NOT_FOUND'],
    ['GET', '/v1beta/files', 404, 'NOT_FOUND'],
    ['POST', '/v1beta/cachedContents', 404, 'NOT_FOUND'],
    ['GET', '/v1beta', 404, 'NOT_FOUND'],
    ['GET', '/v1beta/models/nobody/nothing', 404, 'NOT_FOUND'],
    ['GET', '/v1beta/models?pageSize=x', 400, 'INVALID_ARGUMENT'],
    ['GET', '/v1beta/models?pageToken=nobody', 400, 'INVALID_ARGUMENT'],
    ['POST', '/v1beta/models/nobody/nothing:generateContent', 404, 'NOT_FOUND'],
    ['POST', '/v1beta/models/:generateContent', 400, 'INVALID_ARGUMENT'],
  ] as const
  for (const [method, path, status, word] of cases) {
    const answer = await app.ask(path, { method, ...(method === 'POST' ? { body: BODY } : {}) })
    expect({ path, status: answer.status, error: answer.body.error }).toMatchObject({
      path,
      status,
      error: { code: status, status: word, message: expect.any(String) },
    })
  }
})

test('a wrong method is told which one is right', async () => {
  await using app = await makeApp()
  for (const [method, path, allow] of [
    ['GET', `${MODEL}:generateContent`, 'POST'],
    ['PUT', '/v1/models/a/b:countTokens', 'POST'],
    ['POST', '/v1beta/models', 'GET'],
    ['DELETE', MODEL, 'GET'],
  ] as const) {
    const { status, headers, body } = await app.ask(path, { method })
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow })
    expect(body.error.status).toBe('NOT_FOUND')
  }
})

test('a body that is none is refused before a provider is asked', async () => {
  await using app = await makeApp({ accounts: { google: 1 } })
  for (const body of ['{', '[]', {}, { contents: 'hi' }, '{"contents":[],"contents":[]}']) {
    const answer = await app.ask(`${MODEL}:generateContent`, { body })
    expect(answer).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
  }
  for (const body of [{}, { generateContentRequest: 1 }, { generateContentRequest: {} }])
    expect((await app.ask(`${MODEL}:countTokens`, { body })).status).toBe(400)
  expect(app.upstream('google').played.requests).toHaveLength(0)
})

describe('a key', () => {
  test('may be kept from Gemini’s paths, or to them', async () => {
    await using closed = await makeApp({ key: { endpoints_allow: ['messages', 'models'] } })
    for (const path of [`${MODEL}:generateContent`, `${MODEL}:countTokens`])
      expect((await closed.ask(path, { body: BODY })).status).toBe(403)
    expect((await closed.ask('/v1beta/models')).status).toBe(403)
    await using open = await makeApp({ accounts: { google: 1 }, key: { endpoints_allow: ['gemini'] } })
    open.upstream('google').played.play(json(REPLY))
    expect((await open.ask(`${MODEL}:generateContent`, { body: BODY })).status).toBe(200)
    expect((await open.ask('/v1beta/models')).status).toBe(200)
    expect((await open.ask('/v1/chat/completions', { body: { model: 'm', messages: [] } })).status).toBe(403)
  })

  test('that disagrees with another is refused by the names of both places', async () => {
    await using app = await makeApp()
    const headers = { 'x-goog-api-key': 'sk-sbx-another', authorization: `Bearer ${app.key.secret}` }
    const { status, body } = await app.ask(`${MODEL}:countTokens`, { headers, body: BODY })
    expect(status).toBe(401)
    expect(body.error.message).toContain('authorization and x-goog-api-key')
    expect(body.error.message).not.toContain('sk-sbx')
  })
})

test('an account’s own credential is sent instead of the client’s', async () => {
  await using app = await makeApp({ accounts: { google: 1 } })
  app.upstream('google').played.play(json(REPLY))
  const headers = {
    'x-gateway-key': app.key.secret,
    'x-goog-api-key': 'AIzaSyOfTheClientItself',
    authorization: 'Bearer x',
  }
  await app.ask(`${MODEL}:generateContent?key=AIzaSyOfTheClientItself`, { headers, body: BODY })
  const [asked] = app.upstream('google').played.requests
  expect(asked?.headers['x-goog-api-key']).toBe(app.upstream('google').secret)
  expect(JSON.stringify([asked?.headers, asked?.path])).not.toMatch(/OfTheClient|Bearer/)
})

test('skills stand behind the client’s own system text, and the other bytes stay', async () => {
  await using app = await makeApp({ accounts: { google: 1 }, skills: ['Be kind.'] })
  const cases = [
    [
      '{"contents":[{"parts":[{"text":"a"}]}]}',
      '{"contents":[{"parts":[{"text":"a"}]}],"systemInstruction":{"parts":[{"text":"Be kind."}]}}',
    ],
    [
      '{"system_instruction": {"parts": [ {"text":"Be brief."} ]}, "contents":[]}',
      '{"system_instruction": {"parts": [ {"text":"Be brief."} ,{"text":"Be kind."}]}, "contents":[]}',
    ],
  ] as const
  for (const [body, sent] of cases) {
    app.upstream('google').played.play(json(REPLY))
    await app.ask(`${MODEL}:generateContent`, { body })
    expect(app.upstream('google').played.requests.at(-1)?.text()).toBe(sent)
  }
})

test('the models that all clients list are in Gemini’s shape for Google’s', async () => {
  await using app = await makeApp({ accounts: { google: 1 } })
  const headers = { 'x-goog-api-key': app.key.secret, 'x-gateway-key': app.key.secret }
  const { body } = await app.ask('/v1/models?pageSize=2', { headers })
  expect(body.models).toHaveLength(2)
  expect(body.nextPageToken).toBeString()
  expect((await app.ask('/v1/models/google%2Fgemini-2.5-flash', { headers })).body).toMatchObject({
    name: 'models/google/gemini-2.5-flash',
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  })
  expect((await app.ask('/v1/models')).body.object).toBe('list')
})
