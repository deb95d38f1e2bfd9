import { describe, expect, test } from 'bun:test'
import { failure, type FailureKind } from '../../../src/core/failure.ts'
import { gemini, geminiArray } from '../../../src/dialects/gemini/index.ts'

const INFO = 'type.googleapis.com/google.rpc.ErrorInfo'
const QUOTA = 'type.googleapis.com/google.rpc.QuotaFailure'
const RETRY = 'type.googleapis.com/google.rpc.RetryInfo'

function failed(status: number, error: object, headers: Readonly<Record<string, string>> = {}) {
  return gemini.decodeFailure(status, new Headers(headers), JSON.stringify({ error: { code: status, ...error } }))
}

const limited = (quotaId: string, more: object = {}) => ({
  status: 'RESOURCE_EXHAUSTED',
  message: 'You exceeded your current quota, please check your plan and billing details.',
  details: [
    { '@type': QUOTA, violations: [{ quotaId, ...more }] },
    { '@type': RETRY, retryDelay: '34.4s' },
  ],
})

const KINDS: readonly (readonly [string, number, object, FailureKind])[] = [
  [
    'a bad key',
    400,
    {
      status: 'INVALID_ARGUMENT',
      message: 'API key not valid.',
      details: [{ '@type': INFO, reason: 'API_KEY_INVALID' }],
    },
    'auth',
  ],
  ['a bad key without details', 400, { message: 'API key expired. Please renew the API key.' }, 'auth'],
  ['a bad token', 401, { status: 'UNAUTHENTICATED' }, 'auth'],
  ['a leaked key', 403, { status: 'PERMISSION_DENIED', message: 'Your API key was reported as leaked.' }, 'auth'],
  [
    'a project without the service',
    403,
    { status: 'PERMISSION_DENIED', details: [{ reason: 'SERVICE_DISABLED' }] },
    'not_entitled',
  ],
  ['billing that is off', 403, { details: [{ '@type': INFO, reason: 'BILLING_DISABLED' }] }, 'billing'],
  [
    'prepaid credit that is spent',
    429,
    { status: 'RESOURCE_EXHAUSTED', message: 'Your prepayment credits are depleted.' },
    'billing',
  ],
  ['a limit of a minute', 429, limited('GenerateRequestsPerMinutePerProjectPerModel'), 'rate_limit'],
  [
    'a limit of nothing',
    429,
    limited('GenerateRequestsPerDayPerProjectPerModel-FreeTier', { quotaValue: '0' }),
    'not_entitled',
  ],
  ['a limit of nothing in words', 429, { message: 'Quota exceeded for metric x, limit: 0, model: y' }, 'not_entitled'],
  ['a model that is not there', 404, { status: 'NOT_FOUND' }, 'not_entitled'],
  [
    'a place where it is not offered',
    400,
    { status: 'FAILED_PRECONDITION', message: 'User location is not supported for the API use.' },
    'not_entitled',
  ],
  [
    'too long a prompt',
    400,
    { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed.' },
    'context_too_long',
  ],
  ['a wrong request', 400, { status: 'INVALID_ARGUMENT', message: 'Unknown name "x"' }, 'rejected'],
  ['too much at once', 503, { status: 'UNAVAILABLE' }, 'overloaded'],
  ['a deadline of its own', 504, { status: 'DEADLINE_EXCEEDED' }, 'server'],
  ['a mistake', 500, { status: 'INTERNAL' }, 'server'],
]
for (const [what, status, error, kind] of KINDS) {
  test(`${what} is ${kind}`, () => expect(failed(status, error).kind).toBe(kind))
}

describe('how long to wait', () => {
  const DAY = limited('GenerateRequestsPerDayPerProjectPerModel')

  test('is what the details say', () => {
    expect(failed(429, limited('PerMinute')).retryAfterMs).toBe(34_400)
    expect(failed(429, limited('PerMinute'), { 'retry-after': '7' }).retryAfterMs).toBe(7_000)
    expect(failed(429, {}).retryAfterMs).toBeUndefined()
  })

  test('is until midnight in California for a quota of the day, in winter and in summer', () => {
    expect(failed(429, DAY, { date: 'Thu, 15 Jan 2026 12:00:00 GMT' }).retryAfterMs).toBe(20 * 3_600_000)
    expect(failed(429, DAY, { date: 'Wed, 15 Jul 2026 06:30:00 GMT' }).retryAfterMs).toBe(30 * 60_000)
    expect(failed(429, DAY).retryAfterMs).toBe(34_400)
  })

  test('is told to clients in the header and in the details', () => {
    const { headers, body } = gemini.encodeFailure(failure('rate_limit', 'Slow.', { retryAfterMs: 34_400 }), 'req_1')
    expect(headers).toContainEqual(['retry-after', '35'])
    expect(JSON.parse(body).error.details).toEqual([{ '@type': RETRY, retryDelay: '34.4s' }])
  })
})

test('a refusal for a signature is told apart, since without it the request may pass', () => {
  const message = 'Function call is missing a thought_signature in functionCall parts.'
  expect(failed(400, { status: 'INVALID_ARGUMENT', message })).toMatchObject({
    kind: 'rejected',
    reason: 'opaque-state',
  })
})

test('errors in an array are read like others', () => {
  const body = JSON.stringify([{ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x' } }])
  expect(gemini.decodeFailure(429, new Headers(), body).kind).toBe('rate_limit')
})

describe('what a client is told', () => {
  const CASES: readonly (readonly [FailureKind, number, string])[] = [
    ['malformed', 400, 'INVALID_ARGUMENT'],
    ['unauthenticated', 401, 'UNAUTHENTICATED'],
    ['forbidden', 403, 'PERMISSION_DENIED'],
    ['unknown_model', 404, 'NOT_FOUND'],
    ['idempotency_conflict', 409, 'ABORTED'],
    ['limited', 429, 'RESOURCE_EXHAUSTED'],
    ['auth', 502, 'INTERNAL'],
    ['overloaded', 503, 'UNAVAILABLE'],
    ['connect', 502, 'UNAVAILABLE'],
    ['timeout', 504, 'DEADLINE_EXCEEDED'],
    ['exhausted', 503, 'UNAVAILABLE'],
  ]
  for (const [kind, status, word] of CASES) {
    test(`of ${kind} is ${status} ${word}`, () => {
      const encoded = gemini.encodeFailure(failure(kind, 'What happened.'), 'req_1')
      expect(encoded.status).toBe(status)
      expect(JSON.parse(encoded.body)).toEqual({ error: { code: status, message: 'What happened.', status: word } })
    })
  }

  test('when every target is limited is that it is', () => {
    const { status, body } = gemini.encodeFailure(failure('exhausted', 'x', { allLimited: true }), 'req_1')
    expect({ status, word: JSON.parse(body).error.status }).toEqual({ status: 429, word: 'RESOURCE_EXHAUSTED' })
  })

  test('about its own request are the provider’s words, when it speaks the same format', () => {
    const own = failed(400, { status: 'INVALID_ARGUMENT', message: 'Unknown name "x"', details: [{ a: 1 }] })
    expect(JSON.parse(gemini.encodeFailure(own, 'req_1').body).error.details).toEqual([{ a: 1 }])
    const upstream = { status: 409, contentType: 'application/json', body: '{"type":"error"}' }
    const { status, body } = gemini.encodeFailure(failure('rejected', 'Busy.', { upstream, param: 'a.b' }), 'req_1')
    expect({ status, ...JSON.parse(body).error }).toMatchObject({
      status: 'ABORTED',
      code: 409,
      message: 'Busy.',
      details: [{ fieldViolations: [{ field: 'a.b' }] }],
    })
  })

  test('inside an array leaves it whole JSON, whether it had begun or not', () => {
    const cut = failure('cut', 'It broke.')
    const begun = `[{"a":1}${geminiArray.keepAlive(true)}${geminiArray.encodeStreamFailure(cut, 'req_1', true)}`
    expect(JSON.parse(begun)).toMatchObject([
      { a: 1 },
      { error: { code: 502, message: 'It broke.', status: 'INTERNAL' } },
    ])
    const late = geminiArray.keepAlive(false) + geminiArray.encodeStreamFailure(cut, 'req_1', false)
    expect(JSON.parse(late)).toMatchObject([{ error: { code: 502 } }])
  })

  test('inside events is one more of them', () => {
    expect(gemini.encodeStreamFailure(failure('cut', 'x'), 'req_1', true)).toMatch(/^data: \{"error":\{.*\}\}\n\n$/)
  })
})
