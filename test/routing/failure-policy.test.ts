import { describe, expect, test } from 'bun:test'
import { failure, FAILURE_KINDS, type FailureKind } from '../../src/core/failure.ts'
import { isTemporary, movesOn, retryClass } from '../../src/routing/failure-policy.ts'

/** The kinds after which another target is tried, as the failure table of the API has them. */
const MOVES_ON: readonly FailureKind[] = [
  'unsupported',
  'unconnected',
  'over_budget',
  'context_too_long',
  'auth',
  'billing',
  'not_entitled',
  'rate_limit',
  'overloaded',
  'server',
  'empty',
  'connect',
  'timeout',
]

describe('what a failure means for the next target', () => {
  for (const kind of FAILURE_KINDS) {
    const expected = MOVES_ON.includes(kind)
    test(`${kind} ${expected ? 'moves on' : 'ends the request'}`, () => {
      expect(movesOn(failure(kind, ''))).toBe(expected)
    })
  }

  test('only what passes by itself is worth waiting for', () => {
    expect(FAILURE_KINDS.filter(isTemporary)).toEqual([
      'rate_limit',
      'overloaded',
      'server',
      'empty',
      'connect',
      'timeout',
    ])
  })
})

describe('whether a failed attempt may have been billed', () => {
  const cases: readonly (readonly [FailureKind, boolean, boolean, string])[] = [
    ['connect', false, false, 'not-sent'],
    ['timeout', false, false, 'not-sent'],
    ['timeout', true, false, 'unknown'],
    ['rate_limit', true, true, 'declined'],
    ['server', true, true, 'declined'],
    ['server', true, false, 'unknown'],
    ['cut', true, true, 'delivered'],
  ]
  for (const [kind, sent, answered, expected] of cases) {
    test(`${kind}, ${sent ? 'sent' : 'not sent'}, ${answered ? 'answered' : 'not answered'}: ${expected}`, () => {
      expect(retryClass(failure(kind, ''), sent, answered)).toBe(expected as ReturnType<typeof retryClass>)
    })
  }
})
