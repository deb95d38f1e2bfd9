/** Failures: what clients are told, and what is made of what providers say. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import { FAILURE_KINDS, failure, type FailureKind } from '../../../src/core/failure.ts'
import type { ClientSample, UpstreamSample } from '../samples/sample.ts'
import { replyContext } from '../samples/wire.ts'
import { framesOf } from '../streams.ts'

/** Contract 19. `overloaded` is 529 only where the format knows it. */
const STATUSES: Readonly<Record<FailureKind, readonly number[]>> = {
  malformed: [400],
  unsupported: [400],
  unauthenticated: [401],
  forbidden: [403],
  unconnected: [404],
  idempotency_conflict: [409],
  idempotency_mismatch: [422],
  unknown_model: [404],
  unknown_route: [404],
  too_large: [413],
  limited: [429],
  over_budget: [429],
  blocked: [400],
  rejected: [400],
  context_too_long: [400],
  refused_content: [400],
  auth: [502],
  billing: [429],
  not_entitled: [404],
  rate_limit: [429],
  overloaded: [529, 503],
  server: [502],
  empty: [502],
  connect: [502],
  timeout: [504],
  cut: [502],
  exhausted: [503],
  draining: [503],
  paused: [503],
  cancelled: [499],
  internal: [500],
}

const WAITING: readonly FailureKind[] = ['limited', 'rate_limit', 'exhausted', 'draining', 'paused']

export function failuresAreRendered({ client }: ClientSample): void {
  const { dialect, framing } = client

  for (const kind of FAILURE_KINDS) {
    test(`${kind} has its status, an envelope and a form inside a stream`, () => {
      const { status, headers, body } = dialect.encodeFailure(
        failure(kind, 'What happened.', { param: 'field' }),
        'req_1',
      )
      expect(STATUSES[kind]).toContain(status)
      const { error } = JSON.parse(body)
      // One sentence, where the format has no other word for an error.
      expect(error.message ?? error).toContain('What happened.')
      if (typeof error !== 'string') expect(error.type ?? error.status).toBeString()
      const retryAfter = headers.find(([name]) => name === 'retry-after')?.[1]
      if (WAITING.includes(kind)) expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
      for (const started of [false, true]) {
        const text = dialect.encodeStreamFailure(failure(kind, 'What happened.'), 'req_1', started)
        expect(framesOf(framing, Buffer.from(text))[0]?.data).toContain('What happened.')
      }
    })
  }

  test('a failure that clients may wait for says so to all who ask', () => {
    const limited = failure('rate_limit', 'Slow down.', { retryAfterMs: 7_000 })
    expect(dialect.encodeFailure(limited, 'req_1').headers).toContainEqual(['retry-after', '7'])
  })
}

/** Bodies under a status of 200 that are no answer. */
export const NO_ANSWERS: readonly JsonObject[] = [{ error: { message: 'x', type: 'server_error' } }, { error: 'x' }, {}]

const WORDS = 'our account of the customer Example'

export function failuresAreRead({ upstream }: UpstreamSample): void {
  const { dialect, vendor } = upstream

  test('a status of 200 does not make an answer of what is none', () => {
    for (const body of [...NO_ANSWERS, { message: 'x' }, { output: null }, { detail: 'x' }])
      expect(dialect.decodeReply(body, replyContext(vendor)).ok).toBe(false)
  })

  test('whatever a provider answers is a failure that gives no secret away', () => {
    const bodies = fc.oneof(fc.json(), fc.string(), fc.constant('<html>'), errorBodies())
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), bodies, (status, body) => {
        const failed = dialect.decodeFailure(status, new Headers(), body)
        expect(FAILURE_KINDS).toContain(failed.kind)
        expect(failed.message).not.toContain('sk-secret')
      }),
    )
  })

  test('what a provider says of anything but the request stays in the log', () => {
    const body = JSON.stringify({ type: 'error', message: WORDS, error: { type: 'error', message: WORDS } })
    for (const status of [401, 402, 403, 404, 408, 429, 500, 502, 503, 504, 529]) {
      const { message, upstream, detail } = dialect.decodeFailure(status, new Headers(), body)
      expect(message).not.toContain(WORDS)
      expect({ upstream, detail }).toEqual({ upstream: undefined, detail: expect.stringContaining(WORDS) })
    }
  })

  test('how long a provider asks to wait is kept', () => {
    const limited = dialect.decodeFailure(429, new Headers({ 'retry-after': '7' }), '{"error":{"message":"slow"}}')
    expect(limited).toMatchObject({ kind: 'rate_limit', retryAfterMs: 7_000 })
  })
}

function errorBodies(): fc.Arbitrary<string> {
  const message = 'Incorrect API key provided: sk-secret1234567890'
  return fc
    .constantFrom('authentication_error', 'invalid_api_key', 'server_error', '')
    .map((type) => JSON.stringify({ type: 'error', error: { type, code: type, message } }))
}
