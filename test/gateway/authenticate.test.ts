import { describe, expect, test } from 'bun:test'
import { authenticate } from '../../src/gateway/authenticate.ts'

const SECRET = 'sk-sbx-a-secret-of-a-gateway-key'
const HASH = new Bun.CryptoHasher('sha256').update(SECRET).digest('hex')
const KEYS = { find: (hash: string): string | undefined => (hash === HASH ? 'the key' : undefined) }

function check(headers: Readonly<Record<string, string>>, google?: URLSearchParams): string {
  const key = authenticate(new Headers(headers), KEYS, google)
  return key.ok ? key.value : `${key.error.kind}: ${key.error.message}`
}

describe('a gateway key', () => {
  const accepted: readonly Readonly<Record<string, string>>[] = [
    { 'x-api-key': SECRET },
    { authorization: `Bearer ${SECRET}` },
    { authorization: `bearer   ${SECRET}` },
    { 'x-api-key': SECRET, authorization: `Bearer ${SECRET}` },
    { 'x-gateway-key': SECRET },
    { 'x-gateway-key': SECRET, authorization: 'Bearer sk-ant-of-the-vendor', 'x-api-key': 'another' },
    { 'x-api-key': SECRET, authorization: 'Basic dXNlcjpwYXNz' },
  ]
  for (const headers of accepted) {
    test(`is accepted as ${JSON.stringify(headers)}`, () => expect(check(headers)).toBe('the key'))
  }

  const refused: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{}, 'required'],
    [{ 'x-api-key': '' }, 'required'],
    [{ 'x-api-key': `${SECRET}x` }, 'not valid'],
    [{ 'x-api-key': SECRET.slice(0, 13) }, 'not valid'],
    [{ authorization: SECRET }, 'must have the form'],
    [{ authorization: `Basic ${SECRET}` }, 'must have the form'],
    [{ 'x-api-key': SECRET, authorization: 'Bearer other' }, 'x-api-key and authorization'],
    [{ 'x-gateway-key': 'wrong', 'x-api-key': SECRET }, 'not valid'],
    [{ 'x-gateway-key': '' }, 'not valid'],
    [{ 'x-api-key': 'x'.repeat(10_000) }, 'not valid'],
  ]
  for (const [headers, expected] of refused) {
    test(`is refused as ${JSON.stringify(headers).slice(0, 80)}`, () => {
      expect(check(headers)).toStartWith('unauthenticated')
      expect(check(headers)).toContain(expected)
    })
  }

  const QUERY = new URLSearchParams({ key: SECRET })
  const google: readonly (readonly [Readonly<Record<string, string>>, URLSearchParams, string])[] = [
    [{ 'x-goog-api-key': SECRET }, new URLSearchParams(), 'the key'],
    [{}, QUERY, 'the key'],
    [{ 'x-goog-api-key': SECRET, authorization: `Bearer ${SECRET}` }, QUERY, 'the key'],
    [{ 'x-gateway-key': SECRET, 'x-goog-api-key': 'AIza-of-the-vendor' }, new URLSearchParams(), 'the key'],
    [{ 'x-goog-api-key': 'other', 'x-api-key': SECRET }, new URLSearchParams(), 'x-api-key and x-goog-api-key'],
    [{ 'x-goog-api-key': 'other' }, QUERY, 'x-goog-api-key and the query parameter "key"'],
    [{ 'x-goog-api-key': '' }, new URLSearchParams(), 'required'],
  ]
  for (const [headers, query, expected] of google) {
    test(`on Google's paths: ${JSON.stringify(headers)} and ?${query.size}`, () => {
      expect(check(headers, query)).toContain(expected)
    })
  }

  test('is not looked for in Google’s places elsewhere', () => {
    expect(check({ 'x-goog-api-key': SECRET })).toContain('required')
  })

  test('is never repeated in a refusal', () => {
    expect(check({ 'x-api-key': 'sk-sbx-mistyped' })).not.toContain('mistyped')
  })
})
