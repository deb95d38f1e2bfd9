import { describe, expect, test } from 'bun:test'
import { admit, isListed, mayUse } from '../../src/gateway/admit.ts'
import { NO_LIMITS } from '../../src/resources/plans/limits.ts'
import type { GatewayKey } from '../../src/gateway/deps.ts'

const KEY: GatewayKey = {
  id: 'key_a',
  status: 'active',
  expiresAtMs: null,
  ipAllowlist: [],
  modelsAllow: null,
  modelsDeny: null,
  endpointsAllow: null,
  tags: {},
  planId: null,
  priority: 0,
  defaultModel: null,
  chainId: null,
  accountIds: null,
  logContent: null,
  limits: NO_LIMITS,
  skillIds: [],
  skillsMode: 'add',
}

function check(key: Partial<GatewayKey>, visit: Partial<Parameters<typeof admit>[1]> = {}): string {
  const admitted = admit({ ...KEY, ...key }, { endpoint: 'messages', address: '10.1.2.3', nowMs: 1_000, ...visit })
  return admitted.ok ? 'admitted' : admitted.error.kind
}

describe('what a key allows', () => {
  const cases: readonly (readonly [string, string, Partial<GatewayKey>, Partial<Parameters<typeof admit>[1]>?])[] = [
    ['an ordinary key', 'admitted', {}],
    ['a disabled key', 'unauthenticated', { status: 'disabled' }],
    ['a key at its expiry', 'unauthenticated', { expiresAtMs: 1_000 }],
    ['a key before its expiry', 'admitted', { expiresAtMs: 1_001 }],
    ['an address in the list', 'admitted', { ipAllowlist: ['10.0.0.0/8'] }],
    ['an address outside the list', 'forbidden', { ipAllowlist: ['192.168.0.0/16'] }],
    ['an unknown address', 'forbidden', { ipAllowlist: ['0.0.0.0/0'] }, { address: null }],
    ['an unknown address without a list', 'admitted', {}, { address: null }],
    ['an endpoint that is listed', 'admitted', { endpointsAllow: ['messages'] }],
    ['an endpoint that is not', 'forbidden', { endpointsAllow: ['chat'] }],
    ['every endpoint', 'admitted', { endpointsAllow: ['*'] }],
    ['no endpoint', 'forbidden', { endpointsAllow: [] }],
  ]
  for (const [name, expected, key, visit] of cases) {
    test(`${name}: ${expected}`, () => expect(check(key, visit)).toBe(expected))
  }
})

describe('addresses', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.2', '127.0.0.1/32', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db8::1', '10.0.0.0/8', false],
    ['not an address', '0.0.0.0/0', false],
    ['10.1.2.3', 'not a range', false],
  ]
  for (const [address, range, expected] of cases) {
    test(`${address} ${expected ? 'is' : 'is not'} in ${range}`, () =>
      expect(isListed(address, [range])).toBe(expected))
  }
})

describe('models', () => {
  const cases: readonly (readonly [string, readonly string[] | null, readonly string[] | null, boolean])[] = [
    ['openai/gpt-5', null, null, true],
    ['openai/gpt-5', ['openai/*'], null, true],
    ['openai/gpt-5', ['anthropic/*'], null, false],
    ['openai/gpt-5', ['*'], ['openai/*'], false],
    ['openai/gpt-5', [], null, false],
    ['openai/gpt-5-mini', ['*/gpt-*-mini'], null, true],
  ]
  for (const [name, modelsAllow, modelsDeny, expected] of cases) {
    test(`${name} with ${JSON.stringify({ modelsAllow, modelsDeny })}: ${expected}`, () => {
      expect(mayUse({ ...KEY, modelsAllow, modelsDeny }, [name])).toBe(expected)
    })
  }

  test('a denied name is refused under every other name of the model', () => {
    const key = { ...KEY, modelsDeny: ['openai/gpt-5'], modelsAllow: ['gpt-5', '*'] }
    expect(mayUse(key, ['openai/gpt-5', 'gpt-5'])).toBe(false)
  })
})
