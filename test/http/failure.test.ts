import { expect, test } from 'bun:test'
import { FAILURE_KINDS, failure } from '../../src/core/failure.ts'
import { STATUS, statusOf } from '../../src/http/failure.ts'
import { invalid, refusal, refused } from '../../src/http/refusal.ts'

test('every kind of failure has a status for errors', () => {
  expect(Object.keys(STATUS).sort()).toEqual([...FAILURE_KINDS].sort())
  expect(Object.values(STATUS).every((status) => status >= 400 && status < 600)).toBe(true)
})

test("a rejection keeps the provider's own status, but only a client error", () => {
  const rejected = (status: number) => failure('rejected', 'no', { upstream: { status, contentType: '', body: '' } })
  expect([statusOf(rejected(422)), statusOf(rejected(302)), statusOf(rejected(500))]).toEqual([422, 400, 400])
})

test('having no target left is 429 when all were limited, else 503', () => {
  expect(statusOf(failure('exhausted', 'x', { allLimited: true }))).toBe(429)
  expect(statusOf(failure('exhausted', 'x'))).toBe(503)
})

test('a refusal says when to come back, what is allowed, and how to authenticate', () => {
  const header = (response: Response, name: string) => response.headers.get(name)
  expect(header(refused(refusal('throttled', 'x', { retryAfterMs: 1_500 })), 'retry-after')).toBe('2')
  expect(header(refused(refusal('throttled', 'x', { retryAfterMs: 1 })), 'retry-after')).toBe('1')
  expect(header(refused(refusal('throttled', 'x', { retryAfterMs: 3_600_000 })), 'retry-after')).toBe('60')
  expect(header(refused(refusal('unavailable', 'x')), 'retry-after')).toBe('2')
  expect(header(refused(refusal('upstream', 'x', { status: 429 })), 'retry-after')).toBe('2')
  expect(header(refused(refusal('upstream', 'x', { status: 502 })), 'retry-after')).toBeNull()
  expect(header(refused(refusal('method', 'x', { allow: ['GET', 'PUT'] })), 'allow')).toBe('GET, PUT')
  expect(header(refused(refusal('unauthenticated', 'x')), 'www-authenticate')).toBe('Bearer')
})

test('a validation refusal repeats its first field in the sentence', () => {
  expect(invalid({ name: ['is required'], tags: ['is wrong'] }).message).toBe('name: is required')
})
