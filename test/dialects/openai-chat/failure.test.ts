import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type Failure, failure, FAILURE_KINDS, type FailureKind } from '../../../src/core/failure.ts'
import type { Json } from '../../../src/core/json.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'

function decoded(status: number, body: Json | undefined, headers: Readonly<Record<string, string>> = {}): Failure {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  return openaiChat.decodeFailure(status, new Headers(headers), text)
}

const error = (message: string, type = 'invalid_request_error', code: string | null = null): Json => ({
  error: { message, type, param: null, code },
})

describe('what hosts say', () => {
  const cases: readonly (readonly [string, number, Json, FailureKind])[] = [
    [
      'a bad parameter',
      400,
      error('Unsupported parameter', 'invalid_request_error', 'unsupported_parameter'),
      'rejected',
    ],
    ['a conflict', 409, error('Conflict'), 'rejected'],
    ['a validation error', 422, { detail: [{ loc: ['body', 'messages', 0], msg: 'Field required' }] }, 'rejected'],
    ['too large', 413, '<html>413 Request Entity Too Large</html>', 'rejected'],
    ['a length by code', 400, error('x', 'invalid_request_error', 'context_length_exceeded'), 'context_too_long'],
    ['a length by words', 400, error("This model's maximum context length is 8192 tokens."), 'context_too_long'],
    ['a policy', 400, error('x', 'invalid_request_error', 'content_policy_violation'), 'refused_content'],
    [
      "Azure's filter",
      400,
      { error: { message: 'The response was filtered', code: 'content_filter', innererror: {} } },
      'refused_content',
    ],
    ['moderation', 403, { error: { code: 403, message: 'Your input was flagged', metadata: {} } }, 'refused_content'],
    ['a bad key', 401, error('Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'), 'auth'],
    [
      "Google's bad key",
      400,
      [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }],
      'auth',
    ],
    ['a key without rights', 403, error('This API key has been revoked'), 'auth'],
    ['no money', 402, { error: { message: 'Insufficient Balance' } }, 'billing'],
    [
      'no quota on 429',
      429,
      error('You exceeded your current quota', 'insufficient_quota', 'insufficient_quota'),
      'billing',
    ],
    ['a hard limit', 400, error('Billing hard limit has been reached', 'x', 'billing_hard_limit_reached'), 'billing'],
    ['a country', 403, error('Country not supported', 'permission_error', 'unsupported_country'), 'not_entitled'],
    [
      'an unknown model',
      404,
      error('The model `x` does not exist', 'invalid_request_error', 'model_not_found'),
      'not_entitled',
    ],
    ['a page that is missing', 404, '<html>Not Found</html>', 'server'],
    [
      'a rate, although its sentence speaks of billing',
      429,
      error('Rate limit reached. Add a payment method at /account/billing.', 'tokens', 'rate_limit_exceeded'),
      'rate_limit',
    ],
    ['a queue', 429, { message: 'busy', type: 'too_many_requests_error', code: 'queue_exceeded' }, 'rate_limit'],
    ['a timeout', 408, '', 'timeout'],
    ['overload', 503, error('Slow down', 'server_error', 'engine_overloaded'), 'overloaded'],
    ['overload as 529', 529, '', 'overloaded'],
    ['overload under another status', 500, error('x', 'overloaded_error'), 'overloaded'],
    ['any other failure', 500, error('The server had an error', 'server_error'), 'server'],
    ['a page', 502, '<html><title>Bad gateway</title></html>', 'server'],
    ['a page from a guard', 403, '<!DOCTYPE html><title>Attention</title>', 'server'],
    ['nothing', 500, '', 'server'],
    ["xAI's strings", 400, { code: 'Client specified an invalid argument', error: 'bad seed' }, 'rejected'],
    ['a bare message', 400, { message: 'no', object: 'error', type: 'BadRequestError', code: 400 }, 'rejected'],
    ['a redirect', 302, '', 'server'],
  ]
  for (const [name, status, body, kind] of cases)
    test(`${name}: ${kind}`, () => expect(decoded(status, body).kind).toBe(kind))

  test('the words reach the client only where they are about its request', () => {
    expect(decoded(400, error('Bad seed, see https://vendor.example/docs for org-abcdefgh')).message).toBe(
      'Bad seed, see  for [account]',
    )
    expect(decoded(500, error('db-17 exploded', 'server_error')).message).toBe('The provider failed to answer.')
  })

  test('the field is named, also by validators', () => {
    expect(decoded(400, { error: { message: 'x', param: 'temperature' } }).param).toBe('temperature')
    const invalid = decoded(422, { detail: [{ loc: ['body', 'messages', 0, 'role'], msg: 'Field required' }] })
    expect(invalid).toMatchObject({ param: 'messages.0.role', message: 'Field required' })
  })

  test('the answer is kept for those kinds alone, without secrets', () => {
    const kept = decoded(400, error('key sk-abcdef1234567890 is odd'), { 'content-type': 'application/json' }).upstream
    expect(kept).toMatchObject({ status: 400, contentType: 'application/json' })
    expect(kept?.body).toContain('[secret]')
    expect(kept?.body).not.toContain('sk-abcdef')
    expect(decoded(500, error('x')).upstream).toBeUndefined()
  })

  test('whatever comes is a failure without an exception', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), fc.oneof(fc.json(), fc.string()), (status, body) => {
        expect(FAILURE_KINDS).toContain(decoded(status, body).kind)
      }),
      { numRuns: 300 },
    )
  })
})

describe('how long to wait', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, number | undefined])[] = [
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['milliseconds beat seconds', { 'retry-after': '7', 'retry-after-ms': '250' }, 250],
    ['a date, by the clock of the host', { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date }, 30_000],
    ['a date without a clock', { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, undefined],
    ['a duration', { 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    ['a duration with fractions', { 'x-ratelimit-reset-tokens': '2m59.56s' }, 179_560],
    ['a short duration', { 'x-ratelimit-reset-tokens': '20ms' }, 20],
    ['plain seconds', { 'x-ratelimit-reset-tokens': '3.5' }, 3_500],
    [
      'the limit that is used up',
      {
        'x-ratelimit-reset-requests': '1h0m0s',
        'x-ratelimit-remaining-requests': '99',
        'x-ratelimit-reset-tokens': '2s',
        'x-ratelimit-remaining-tokens': '0',
      },
      2_000,
    ],
    ['nonsense', { 'x-ratelimit-reset-tokens': 'soon', 'retry-after': 'later' }, undefined],
  ]
  for (const [name, headers, ms] of cases) {
    test(name, () =>
      expect(decoded(429, error('x', 'tokens', 'rate_limit_exceeded'), headers).retryAfterMs).toBe(ms as number),
    )
  }

  test('limits of the account say nothing about other failures', () => {
    expect(decoded(500, '', { 'x-ratelimit-reset-tokens': '6m0s' }).retryAfterMs).toBeUndefined()
  })
})

describe('failures for a client', () => {
  const cases: readonly (readonly [Failure, number, string, string | null])[] = [
    [failure('malformed', 'm', { param: 'messages.0' }), 400, 'invalid_request_error', null],
    [failure('unsupported', 'm'), 400, 'invalid_request_error', 'unsupported_parameter'],
    [failure('unauthenticated', 'm'), 401, 'invalid_request_error', 'invalid_api_key'],
    [failure('forbidden', 'm'), 403, 'permission_error', null],
    [failure('unconnected', 'm'), 404, 'invalid_request_error', 'model_not_found'],
    [failure('unknown_model', 'm'), 404, 'invalid_request_error', 'model_not_found'],
    [failure('unknown_route', 'm'), 404, 'invalid_request_error', 'model_not_found'],
    [failure('idempotency_conflict', 'm'), 409, 'invalid_request_error', null],
    [failure('idempotency_mismatch', 'm'), 422, 'invalid_request_error', null],
    [failure('too_large', 'm'), 413, 'invalid_request_error', null],
    [failure('limited', 'm'), 429, 'rate_limit_error', 'rate_limit_exceeded'],
    [failure('over_budget', 'm'), 429, 'rate_limit_error', 'insufficient_quota'],
    [failure('blocked', 'm'), 400, 'invalid_request_error', 'content_policy_violation'],
    [failure('rejected', 'm'), 400, 'invalid_request_error', null],
    [failure('context_too_long', 'm'), 400, 'invalid_request_error', 'context_length_exceeded'],
    [failure('refused_content', 'm'), 400, 'invalid_request_error', 'content_policy_violation'],
    [failure('auth', 'm'), 502, 'server_error', 'upstream_auth'],
    [failure('billing', 'm'), 429, 'insufficient_quota', 'insufficient_quota'],
    [failure('not_entitled', 'm'), 404, 'invalid_request_error', 'model_not_found'],
    [failure('rate_limit', 'm'), 429, 'rate_limit_error', 'rate_limit_exceeded'],
    [failure('overloaded', 'm'), 503, 'server_error', 'overloaded'],
    [failure('server', 'm'), 502, 'server_error', 'upstream_error'],
    [failure('empty', 'm'), 502, 'server_error', 'upstream_error'],
    [failure('connect', 'm'), 502, 'server_error', 'upstream_unreachable'],
    [failure('timeout', 'm'), 504, 'server_error', 'timeout'],
    [failure('exhausted', 'm'), 503, 'server_error', 'overloaded'],
    [failure('exhausted', 'm', { allLimited: true }), 429, 'rate_limit_error', 'rate_limit_exceeded'],
    [failure('draining', 'm'), 503, 'server_error', 'overloaded'],
    [failure('paused', 'm'), 503, 'server_error', 'overloaded'],
    [failure('internal', 'm'), 500, 'server_error', null],
  ]
  for (const [failed, status, type, code] of cases) {
    test(`${failed.kind}: ${status} ${type} ${code}`, () => {
      const answer = openaiChat.encodeFailure(failed, 'req_1')
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.body)).toEqual({ error: { message: 'm', type, param: failed.param ?? null, code } })
      expect(answer.headers).toContainEqual(['content-type', 'application/json'])
    })
  }

  test('what is about the request is handed on as it came', () => {
    for (const kind of ['rejected', 'context_too_long', 'refused_content'] as const) {
      const upstream = {
        status: 422,
        contentType: 'application/problem+json',
        body: '{"error": {"message": "x",  "odd": 1}}',
      }
      const answer = openaiChat.encodeFailure(failure(kind, 'm', { upstream }), 'req_1')
      expect(answer).toMatchObject({ status: 422, body: upstream.body })
      expect(answer.headers).toContainEqual(['content-type', upstream.contentType])
    }
  })

  test('an answer in the envelope of another format is rendered in ours', () => {
    const upstream = {
      status: 400,
      contentType: 'application/json',
      body: '{"type":"error","error":{"type":"x","message":"y"}}',
    }
    const answer = openaiChat.encodeFailure(failure('rejected', 'm', { upstream }), 'req_1')
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ error: { message: 'm', type: 'invalid_request_error' } })
  })

  test('a wait is whole seconds, a lasting refusal says so', () => {
    const waiting = openaiChat.encodeFailure(failure('rate_limit', 'm', { retryAfterMs: 2_100 }), 'req_1').headers
    expect(waiting).toContainEqual(['retry-after', '3'])
    const lasting = openaiChat.encodeFailure(failure('malformed', 'm'), 'req_1').headers
    expect(lasting).toContainEqual(['x-should-retry', 'false'])
  })
})
