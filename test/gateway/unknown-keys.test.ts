import { describe, expect, test } from 'bun:test'
import { failure } from '../../src/core/failure.ts'
import { UNKNOWN_KEYS_PER_MINUTE, UnknownKeys } from '../../src/gateway/unknown-keys.ts'
import { makeApp } from '../support/app.ts'

const REFUSAL = failure('unauthenticated', 'This gateway key is not valid.')

/** The kinds that a source is answered with at these moments. */
function check(keys: UnknownKeys, address: string | null, atMs: readonly number[]): readonly string[] {
  return atMs.map((nowMs) => keys.refuse(REFUSAL, address, nowMs).kind)
}

function times(count: number, atMs: number): readonly number[] {
  return Array.from({ length: count }, () => atMs)
}

describe('wrong gateway keys', () => {
  test('are slowed down once a source has sent too many in a minute', () => {
    const keys = new UnknownKeys()
    expect(check(keys, '10.0.0.1', times(UNKNOWN_KEYS_PER_MINUTE, 0)).at(-1)).toBe('unauthenticated')
    expect(keys.refuse(REFUSAL, '10.0.0.1', 20_000)).toMatchObject({ kind: 'limited', retryAfterMs: 40_000 })
    expect(check(keys, '10.0.0.1', [60_000])).toEqual(['unauthenticated'])
  })

  test('of one source do not slow another down', () => {
    const keys = new UnknownKeys()
    check(keys, '10.0.0.1', times(UNKNOWN_KEYS_PER_MINUTE + 5, 0))
    expect(check(keys, '10.0.0.2', [0])).toEqual(['unauthenticated'])
    expect(check(keys, null, [0])).toEqual(['unauthenticated'])
  })

  test('of a clock that went back open nothing and lock nothing', () => {
    const keys = new UnknownKeys()
    check(keys, '10.0.0.1', times(UNKNOWN_KEYS_PER_MINUTE + 5, 100_000))
    expect(check(keys, '10.0.0.1', [0])).toEqual(['unauthenticated'])
  })

  test('never keep a right key out', async () => {
    await using app = await makeApp()
    const wrong = { headers: { 'x-api-key': 'sk-sbx-wrong' } }
    const statuses: number[] = []
    for (let n = 0; n <= UNKNOWN_KEYS_PER_MINUTE; n++) statuses.push((await app.request('/v1/models', wrong)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect((await app.request('/v1/models')).status).toBe(200)
  })
})
