import { expect, test } from 'bun:test'
import { failure, type FailureKind } from '../../../src/core/failure.ts'
import { encodeFailure } from '../../../src/dialects/openai-errors.ts'
import { encodeStreamFailure } from '../../../src/dialects/openai-responses/failure.ts'
import { decodeFailure } from '../../../src/dialects/openai-responses/vendor-failure.ts'

const ID = 'req_1'

function decode(status: number, body: unknown, headers: Record<string, string> = {}) {
  return decodeFailure(status, new Headers(headers), typeof body === 'string' ? body : JSON.stringify(body))
}

function error(code: string | null, message = 'words', type = 'invalid_request_error') {
  return { error: { message, type, param: null, code } }
}

const CASES: readonly [status: number, body: unknown, kind: FailureKind][] = [
  [400, error('invalid_value'), 'rejected'],
  [400, error('context_length_exceeded'), 'context_too_long'],
  [400, error(null, 'Your input exceeds the context window of this model.'), 'context_too_long'],
  [400, error('invalid_prompt'), 'refused_content'],
  [400, error('content_policy_violation'), 'refused_content'],
  [400, error('billing_hard_limit_reached'), 'billing'],
  [401, error('invalid_api_key'), 'auth'],
  [402, {}, 'billing'],
  [403, error('unsupported_country_region_territory'), 'not_entitled'],
  [403, error(null, 'Project does not have access to model `gpt-6`'), 'not_entitled'],
  [403, error(null, 'Your API key was disabled'), 'auth'],
  [404, error('model_not_found'), 'not_entitled'],
  [
    404,
    { error: { message: 'Item not found', type: 'invalid_request_error', param: 'input', code: null } },
    'rejected',
  ],
  [404, 'page not found', 'not_entitled'],
  [409, {}, 'rejected'],
  [422, { detail: [{ loc: ['body'], msg: 'bad' }] }, 'rejected'],
  [429, error('rate_limit_exceeded', 'slow down', 'requests'), 'rate_limit'],
  [429, error('insufficient_quota', 'You exceeded your current quota', 'insufficient_quota'), 'billing'],
  [500, error(null, 'oops', 'server_error'), 'server'],
  [502, '<html>Bad gateway</html>', 'server'],
  [503, {}, 'overloaded'],
  [529, {}, 'overloaded'],
  [302, '', 'server'],
  [400, [{ error: { message: 'the prompt is too long' } }], 'context_too_long'],
  [429, { code: 'x', error: 'Too many requests' }, 'rate_limit'],
]

for (const [status, body, kind] of CASES) {
  test(`${status} ${JSON.stringify(body)} is ${kind}`, () => expect(decode(status, body).kind).toBe(kind))
}

test('what is wrong with the request is told in the provider’s words, what is wrong with the account is not', () => {
  const rejected = decode(400, {
    error: { message: 'Bad tool', type: 'invalid_request_error', param: 'tools[0]', code: null },
  })
  expect(rejected).toMatchObject({ message: 'Bad tool', param: 'tools[0]', upstream: { status: 400 } })
  const auth = decode(401, error('invalid_api_key', 'Incorrect API key provided: sk-ab***yz.'))
  expect(auth.message).not.toContain('sk-')
  expect(auth.upstream).toBeUndefined()
})

test('every spelling of a retry time is read', () => {
  const retryMs = (headers: Record<string, string>) => decode(429, {}, headers).retryAfterMs
  expect(retryMs({ 'retry-after': '2' })).toBe(2_000)
  expect(retryMs({ 'retry-after': '2', 'retry-after-ms': '1500' })).toBe(1_500)
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  expect(retryMs({ date, 'retry-after': 'Wed, 21 Oct 2026 07:28:09 GMT' })).toBe(9_000)
  expect(retryMs({ 'retry-after': 'soon' })).toBeUndefined()
  expect(retryMs({ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' })).toBe(360_000)
  expect(retryMs({ 'x-ratelimit-remaining-tokens': '9', 'x-ratelimit-reset-tokens': '6m0s' })).toBe(360_000)
})

test('a failure is rendered in OpenAI’s envelope', () => {
  const { status, body, headers } = encodeFailure(failure('rate_limit', 'Slow.', { retryAfterMs: 90_000 }), ID)
  expect(status).toBe(429)
  expect(headers).toContainEqual(['retry-after', '60'])
  expect(JSON.parse(body)).toEqual({
    error: { message: 'Slow.', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  })
  expect(encodeFailure(failure('overloaded', 'x'), ID).status).toBe(503)
  expect(encodeFailure(failure('exhausted', 'x', { allLimited: true }), ID).status).toBe(429)
  const upstream = { status: 422, contentType: 'application/json', body: '' }
  expect(encodeFailure(failure('rejected', 'x', { upstream }), ID).status).toBe(422)
})

test('a provider’s own words are handed on in OpenAI’s envelope, other envelopes are not', () => {
  const rejected = (body: string) =>
    encodeFailure(failure('rejected', 'ours', { upstream: { status: 409, contentType: 'application/json', body } }), ID)
  const own = '{"error":{"message":"theirs","type":"x","param":null,"code":null}}'
  expect(rejected(own)).toMatchObject({ status: 409, body: own })
  for (const other of ['{"type":"error","error":{"message":"theirs"}}', '<html>']) {
    expect(JSON.parse(rejected(other).body).error.message).toBe('ours')
  }
})

test('an error inside a stream is flat and nested', () => {
  const text = encodeStreamFailure(failure('timeout', 'Late.'))
  expect(text.startsWith('event: error\ndata: {')).toBe(true)
  const data = JSON.parse(text.slice(text.indexOf('{')))
  expect(data).toMatchObject({ type: 'error', code: 'timeout', message: 'Late.', error: { code: 'timeout' } })
})
