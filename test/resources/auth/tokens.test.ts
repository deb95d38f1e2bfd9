import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { HOUR_MS } from '../../../src/core/duration.ts'
import { AccessTokens, type SigningKey } from '../../../src/resources/auth/access-token.ts'
import { PasswordHasher } from '../../../src/resources/auth/password.ts'
import {
  judge,
  newRefreshToken,
  REUSE_GRACE_MS,
  type RefreshState,
  sessionOf,
  storedHash,
} from '../../../src/resources/auth/refresh-token.ts'
import { loadSigningKeys, rotateSigningKey } from '../../../src/resources/auth/signing-keys.ts'
import { AuthStore } from '../../../src/resources/auth/store.ts'
import { Throttle } from '../../../src/resources/auth/throttle.ts'
import { HandClock } from '../../support/clock.ts'
import { makeDashboard, value } from '../../support/dashboard.ts'
import { seededRandom } from '../../support/random.ts'

const CLAIMS = { userId: 'usr_a', sessionId: 'ses_a', epoch: 1 }

describe('an access token', () => {
  const key = (kid: string, retiredAtMs: number | null = null): SigningKey => ({
    kid,
    retiredAtMs,
    bytes: new Uint8Array(32).fill(kid.charCodeAt(0)),
  })
  const tokensOf = (clock: HandClock, issuer: string, ...keys: [SigningKey, ...SigningKey[]]) =>
    new AccessTokens({ clock, issuer, keys })

  test('is read back by who signed it, for an hour', async () => {
    const clock = new HandClock()
    const tokens = tokensOf(clock, 'here', key('a'))
    const token = await tokens.sign(CLAIMS)
    expect(await tokens.verify(token)).toEqual(CLAIMS)
    clock.advance(HOUR_MS)
    expect(await tokens.verify(token)).toBeUndefined()
  })

  test('of the key before is accepted until an hour after its retirement, and signed no more', async () => {
    const clock = new HandClock()
    const before = tokensOf(clock, 'here', key('a'))
    const old = await before.sign(CLAIMS)
    const after = tokensOf(clock, 'here', key('b'), key('a', clock.nowMs()))
    expect(await after.verify(old)).toEqual(CLAIMS)
    expect(await before.verify(await after.sign(CLAIMS))).toBeUndefined()
    clock.advance(HOUR_MS + 1)
    expect(await after.verify(await before.sign(CLAIMS))).toBeUndefined()
  })

  test('of another issuer or an unknown key says nothing', async () => {
    const clock = new HandClock()
    const token = await tokensOf(clock, 'here', key('a')).sign(CLAIMS)
    expect(await tokensOf(clock, 'there', key('a')).verify(token)).toBeUndefined()
    expect(await tokensOf(clock, 'here', key('b')).verify(token)).toBeUndefined()
  })

  test('says nothing when it is any other text', async () => {
    const tokens = tokensOf(new HandClock(), 'here', key('a'))
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await tokens.verify(text)).toBeUndefined()
      }),
    )
  })
})

test('signing keys are made once, sealed, and keep their predecessor when rotated', async () => {
  const { db, vault, clock, random } = await makeDashboard()
  const deps = { store: new AuthStore(db), vault, clock, random }
  const [first] = value(await loadSigningKeys(deps))
  expect(value(await loadSigningKeys(deps))[0].kid).toBe(first.kid)
  clock.advance(1)
  await rotateSigningKey(deps)
  expect(value(await loadSigningKeys(deps)).map(({ retiredAtMs }) => retiredAtMs)).toEqual([null, clock.nowMs()])
  clock.advance(HOUR_MS + 1)
  await rotateSigningKey(deps)
  expect(value(await loadSigningKeys(deps)).map(({ kid }) => kid)).not.toContain(first.kid)
  const stored = JSON.stringify(db.$client.query('SELECT * FROM signing_keys').all())
  expect(stored).not.toContain(Buffer.from(first.bytes).toString('base64url'))
})

describe('a refresh token', () => {
  const sessionId = `ses_${'a'.repeat(26)}`
  const key = new Uint8Array(32).fill(7)

  /** A session whose token was renewed `times` times, and every token it had. */
  function renewed(times: number): { state: RefreshState; tokens: string[] } {
    const tokens = [newRefreshToken(sessionId, seededRandom(times))]
    let state = { currentHash: storedHash(tokens[0] ?? '', key), generation: 0, rotatedAtMs: 0, expiresAtMs: 1e12 }
    for (let generation = 1; generation <= times; generation++) {
      const renewal = judge(tokens.at(-1) ?? '', state, key, 0)
      if (renewal.kind !== 'rotate') throw new Error(renewal.kind)
      tokens.push(renewal.successor)
      state = { ...state, currentHash: storedHash(renewal.successor, key), generation }
    }
    return { state, tokens }
  }

  test('only the newest rotates, only its predecessor repeats, every older one is known as reused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 2 * REUSE_GRACE_MS }), (times, nowMs) => {
        const { state, tokens } = renewed(times)
        const inGrace = nowMs <= REUSE_GRACE_MS
        const expected = tokens.map((_, index) => {
          if (index === times) return 'rotate'
          return index === times - 1 && inGrace ? 'repeat' : 'reused'
        })
        expect(tokens.map((token) => judge(token, state, key, nowMs).kind)).toEqual(expected)
      }),
    )
  })

  test('a repeat gives the very token that the rotation gave', () => {
    const { state, tokens } = renewed(3)
    expect(judge(tokens[2] ?? '', state, key, 0)).toEqual({ kind: 'repeat', successor: tokens[3] ?? '' })
  })

  test('one that was never issued is unknown, and so is every one once the session has run out', () => {
    const { state, tokens } = renewed(2)
    expect(judge(newRefreshToken(sessionId, seededRandom(99)), state, key, 0).kind).toBe('unknown')
    for (const token of tokens) expect(judge(token, state, key, 1e12).kind).toBe('unknown')
  })

  test('names its session, and nothing else does', () => {
    expect(sessionOf(newRefreshToken(sessionId, seededRandom(1)))).toBe(sessionId)
    for (const text of ['', sessionId, `${sessionId}.`, `${sessionId}.short`, `x${sessionId}.${'A'.repeat(43)}`]) {
      expect(sessionOf(text)).toBeUndefined()
    }
  })
})

describe('the throttle', () => {
  test('doubles the wait up to a quarter of an hour and never locks for good', () => {
    const clock = new HandClock()
    const throttle = new Throttle(clock, () => 3)
    const waits: number[] = []
    for (let attempt = 0; attempt < 16; attempt++) {
      const waitMs = throttle.attempt(['a'])
      waits.push(waitMs)
      clock.advance(waitMs)
      if (waitMs > 0) expect(throttle.attempt(['a'])).toBe(0)
    }
    expect(waits.slice(0, 7)).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 8_000])
    expect(Math.max(...waits)).toBeLessThanOrEqual(15 * 60_000)
  })

  test('an attempt that has to wait is not counted', () => {
    const throttle = new Throttle(new HandClock(), () => 1)
    throttle.attempt(['a'])
    const waits = Array.from({ length: 50 }, () => throttle.attempt(['a']))
    expect(new Set(waits)).toEqual(new Set([1_000]))
  })

  test('each name has its own count, and the strictest decides', () => {
    const throttle = new Throttle(new HandClock(), () => 1)
    throttle.attempt(['a', 'b'])
    expect([throttle.attempt(['b', 'c']) > 0, throttle.attempt(['c']), throttle.attempt(['c']) > 0]).toEqual([
      true,
      0,
      true,
    ])
    throttle.forgive(['c'])
    expect(throttle.attempt(['c'])).toBe(0)
  })

  test('a flood of names makes it forget the oldest, not grow', () => {
    const throttle = new Throttle(new HandClock(), () => 1)
    throttle.attempt(['first'])
    for (let name = 0; name < 10_001; name++) throttle.attempt([`name ${name}`])
    expect(throttle.attempt(['first'])).toBe(0)
  })
})

test('a hash costs 32 MiB and two passes where nobody says otherwise', async () => {
  expect(value(await new PasswordHasher().hash('some password'))).toStartWith('$argon2id$v=19$m=32768,t=2,')
})

test('a flood of sign-ins is refused once too many wait for a hash, and the rest are answered', async () => {
  const hasher = new PasswordHasher()
  const outcomes = await Promise.all(Array.from({ length: 36 }, () => hasher.verify('some password', undefined)))
  expect(outcomes.filter((outcome) => outcome.ok && !outcome.value).length).toBe(34)
  expect(outcomes.filter((outcome) => !outcome.ok && outcome.error.kind === 'throttled').length).toBe(2)
})
