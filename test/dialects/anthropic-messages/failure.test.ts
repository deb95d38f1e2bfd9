import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FAILURE_KINDS, type Failure, type FailureKind } from '../../../src/core/failure.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'

function envelope(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_upstream' })
}

function decode(status: number, body: string, headers: Record<string, string> = {}): Failure {
  return anthropicMessages.decodeFailure(status, new Headers(headers), body)
}

describe('reading a refusal of the provider', () => {
  const invalid = (message: string): string => envelope('invalid_request_error', message)
  const cases: readonly [status: number, body: string, kind: FailureKind][] = [
    [400, invalid('messages: at least one message is required'), 'rejected'],
    [400, invalid('prompt is too long: 210000 tokens > 200000 maximum'), 'context_too_long'],
    [400, invalid('input length and `max_tokens` exceed context limit: 9 + 9 > 10'), 'context_too_long'],
    [400, invalid('Your credit balance is too low to access the Anthropic API.'), 'billing'],
    [400, invalid('Output blocked by content filtering policy'), 'refused_content'],
    [401, envelope('authentication_error', 'invalid x-api-key'), 'auth'],
    [402, envelope('billing_error', 'pay'), 'billing'],
    [403, envelope('permission_error', 'Your API key does not have permission'), 'auth'],
    [403, envelope('permission_error', 'This model is not available in your region'), 'not_entitled'],
    [404, envelope('not_found_error', 'model: claude-9'), 'not_entitled'],
    [404, '<html>nginx</html>', 'server'],
    [409, envelope('conflict_error', 'busy'), 'rejected'],
    [413, envelope('request_too_large', 'Request exceeds the maximum size'), 'rejected'],
    [429, envelope('rate_limit_error', 'Number of requests has exceeded your limit'), 'rate_limit'],
    [
      429,
      JSON.stringify({
        error: { type: 'rate_limit_error', message: 'x', details: { error_code: 'enforced_spend_limit_reached' } },
      }),
      'billing',
    ],
    [500, envelope('api_error', 'Internal server error'), 'server'],
    [500, envelope('overloaded_error', 'Overloaded'), 'overloaded'],
    [503, '<html>busy</html>', 'overloaded'],
    [504, envelope('timeout_error', 'slow'), 'server'],
    [408, '', 'timeout'],
    [529, envelope('overloaded_error', 'Overloaded'), 'overloaded'],
    [502, '', 'server'],
    [302, '', 'server'],
    [400, 'not json', 'rejected'],
    [400, '{"detail":"no such field"}', 'rejected'],
    [400, '[{"error":{"message":"array-wrapped"}}]', 'rejected'],
    [400, '{"error":"a plain string"}', 'rejected'],
  ]
  for (const [status, body, kind] of cases) {
    test(`${status} ${body.slice(0, 60)} is ${kind}`, () => expect(decode(status, body).kind).toBe(kind))
  }

  test('what is wrong with the request is repeated, and kept for a client of the same dialect', () => {
    const body = envelope('invalid_request_error', 'max_tokens: must be at least 1')
    const failed = decode(400, body, { 'content-type': 'application/json' })
    expect(failed.message).toBe('max_tokens: must be at least 1')
    expect(failed.upstream).toEqual({ status: 400, contentType: 'application/json', body })
  })

  test('what is wrong with the account is not repeated', () => {
    const failed = decode(401, envelope('authentication_error', 'invalid x-api-key sk-ant-api03-abcdef123456'))
    expect(failed.message).not.toContain('x-api-key')
    expect(failed.upstream).toBeUndefined()
    expect(failed.detail).toBe('401 authentication_error invalid x-api-key [secret]')
  })

  test('nothing that looks like a credential is kept', () => {
    const body = envelope('invalid_request_error', 'Bearer abc123.def-456 and sk-ant-api03-xyz_789 are wrong')
    const failed = decode(400, body)
    expect(JSON.stringify(failed)).not.toMatch(/abc123|xyz_789/)
  })

  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  const waits: readonly [headers: Record<string, string>, ms: number | undefined][] = [
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '7', 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT', date }, 90_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT', date }, 0],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT' }, undefined],
    [{ 'retry-after': 'soon', date }, undefined],
    [
      {
        'anthropic-ratelimit-requests-reset': '2026-11-21T10:00:05Z',
        'anthropic-ratelimit-tokens-reset': '2026-11-21T10:00:40Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        date,
      },
      40_000,
    ],
    [
      {
        'anthropic-ratelimit-requests-reset': '2026-11-21T10:00:05Z',
        'anthropic-ratelimit-tokens-reset': '2026-11-21T10:00:40Z',
        date,
      },
      5_000,
    ],
    [{}, undefined],
  ]
  for (const [headers, ms] of waits) {
    test(`the wait of ${JSON.stringify(headers)}`, () => {
      expect(decode(429, envelope('rate_limit_error', 'x'), headers).retryAfterMs).toBe(ms as number)
    })
  }

  test('no answer makes it throw', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        expect(FAILURE_KINDS).toContain(decode(status, body).kind)
      }),
    )
  })
})

describe('telling a client', () => {
  const encode = (failed: Failure): { status: number; headers: Map<string, string>; body: JsonObject } => {
    const { status, headers, body } = anthropicMessages.encodeFailure(failed, 'req_1')
    return { status, headers: new Map(headers), body: JSON.parse(body) as JsonObject }
  }

  const cases: readonly [failed: Failure, status: number, type: string][] = [
    [{ kind: 'malformed', message: 'm' }, 400, 'invalid_request_error'],
    [{ kind: 'unauthenticated', message: 'm' }, 401, 'authentication_error'],
    [{ kind: 'forbidden', message: 'm' }, 403, 'permission_error'],
    [{ kind: 'unknown_model', message: 'm' }, 404, 'not_found_error'],
    [{ kind: 'idempotency_mismatch', message: 'm' }, 422, 'invalid_request_error'],
    [{ kind: 'too_large', message: 'm' }, 413, 'request_too_large'],
    [{ kind: 'over_budget', message: 'm' }, 429, 'rate_limit_error'],
    [{ kind: 'auth', message: 'm' }, 502, 'api_error'],
    [{ kind: 'not_entitled', message: 'm' }, 404, 'not_found_error'],
    [{ kind: 'overloaded', message: 'm' }, 529, 'overloaded_error'],
    [{ kind: 'timeout', message: 'm' }, 504, 'timeout_error'],
    [{ kind: 'exhausted', message: 'm' }, 503, 'overloaded_error'],
    [{ kind: 'exhausted', message: 'm', allLimited: true }, 429, 'rate_limit_error'],
    [{ kind: 'draining', message: 'm' }, 503, 'overloaded_error'],
    [{ kind: 'internal', message: 'm' }, 500, 'api_error'],
  ]
  for (const [failed, status, type] of cases) {
    test(`${failed.kind} is ${status} ${type}`, () => {
      const encoded = encode(failed)
      expect(encoded.status).toBe(status)
      expect(encoded.body).toEqual({ type: 'error', error: { type, message: 'm' }, request_id: 'req_1' })
      expect(encoded.headers.get('request-id')).toBe('req_1')
    })
  }

  test('every kind has an envelope', () => {
    for (const kind of FAILURE_KINDS) expect(encode({ kind, message: 'm' }).body['type']).toBe('error')
  })

  test('a long wait is cut to what a library may sleep', () => {
    const { headers } = encode({ kind: 'rate_limit', message: 'm', retryAfterMs: 3_600_000 })
    expect(headers.get('retry-after')).toBe('60')
  })

  test('a prompt that is too long says so in the words that clients look for', () => {
    const { body } = encode({ kind: 'context_too_long', message: 'maximum context length is 8192 tokens' })
    expect(body['error']).toMatchObject({ message: 'prompt is too long: maximum context length is 8192 tokens' })
  })

  const upstream = (status: number, body: string): Failure => ({
    kind: 'rejected',
    message: 'translated',
    upstream: { status, contentType: 'application/json', body },
  })

  test('a provider of this dialect speaks for itself, to the byte and with its own status', () => {
    const body = `{ "type":"error", "error":{"type":"invalid_request_error","message":"no \\u00e9"} }`
    const encoded = anthropicMessages.encodeFailure(upstream(422, body), 'req_1')
    expect(encoded).toMatchObject({ status: 422, body })
  })

  test('the envelope of another dialect is translated', () => {
    const encoded = encode(upstream(413, '{"error":{"message":"too big","type":"x"}}'))
    expect(encoded.status).toBe(413)
    expect(encoded.body['error']).toEqual({ type: 'request_too_large', message: 'translated' })
  })
})
