import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { canHold } from '../../src/routing/can-hold.ts'
import type { Comparison, Condition } from '../../src/routing/condition.ts'
import { evaluate } from '../../src/routing/evaluate.ts'
import { view } from './stage.ts'

const tokens = (op: 'lt' | 'lte' | 'gt' | 'gte' | 'eq', value: number) => ({ fact: 'input_tokens', op, value }) as const
const hour = (op: 'lt' | 'gt' | 'eq', value: number) => ({ fact: 'hour', op, value }) as const
const left = (op: 'lt' | 'gt', value: number) => ({ fact: 'budget_left_pct', op, value }) as const
const tools = (value: boolean) => ({ fact: 'has_tools', op: 'is', value }) as const
const client = (op: 'eq' | 'ne' | 'matches', value: string) => ({ fact: 'client', op, value }) as const

describe('a condition', () => {
  const cases: readonly (readonly [what: string, condition: Condition, holds: boolean])[] = [
    ['within bounds', { all: [tokens('gt', 100), tokens('lt', 200)] }, true],
    ['between bounds that have crossed', { all: [tokens('gt', 200), tokens('lt', 100)] }, false],
    ['between neighbours that nothing is between', { all: [tokens('gt', 100), tokens('lt', 101)] }, false],
    ['between neighbours of a share, which has parts', { all: [left('gt', 19), left('lt', 20)] }, true],
    ['of two values at once', { all: [hour('eq', 3), hour('eq', 4)] }, false],
    ['of one of two values', { any: [hour('eq', 3), hour('eq', 4)] }, true],
    ['past the last hour of a day', hour('gt', 23), false],
    ['of less than nothing', tokens('lt', 0), false],
    ['with tools and without them', { all: [tools(true), tools(false)] }, false],
    ['with neither of both', { not: { any: [tools(true), tools(false)] } }, false],
    ['that is not what cannot be', { not: { all: [tools(true), tools(false)] } }, true],
    ['of two words at once', { all: [client('eq', 'codex'), client('eq', 'aider')] }, false],
    ['of a word that is another, too', { all: [client('eq', 'codex'), client('ne', 'codex')] }, false],
    ['of a word and its pattern', { all: [client('eq', 'codex'), client('matches', 'co*')] }, true],
    ['of a word and another pattern', { all: [client('eq', 'codex'), client('matches', 'a*')] }, false],
    ['of a pattern and its opposite', { all: [client('matches', 'a*'), { not: client('matches', 'a*') }] }, false],
    ['of any word and of none', { all: [client('matches', 'a*'), { not: client('matches', '*') }] }, false],
    ['of two patterns, which may meet', { all: [client('matches', 'a*'), client('matches', '*z')] }, true],
    ['of everything but some words', { not: { any: [client('eq', 'codex'), client('matches', 'a*')] } }, true],
    ['of which one way is left', { all: [tools(true), { any: [tools(false), tokens('lt', 9)] }] }, true],
    ['of which no way is left', { all: [tools(true), { any: [tools(false), hour('gt', 23)] }] }, false],
  ]
  for (const [what, condition, holds] of cases) {
    test(`${what} ${holds ? 'can' : 'never'} hold${holds ? '' : 's'}`, () => expect(canHold(condition)).toBe(holds))
  }

  test('as wide as conditions may be is answered at once', () => {
    const choice = { any: [hour('lt', 0), hour('gt', 23), tokens('lt', 0)] }
    expect(canHold({ all: Array.from({ length: 7 }, () => choice) })).toBe(false)
  })
})

const HOURS = [0, 6, 12, 23]
const CLIENTS = ['codex', 'cline', null]
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({
    fact: fc.constant('hour' as const),
    op: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const, 'eq' as const),
    value: fc.constantFrom(...HOURS),
  }),
  fc.record({ fact: fc.constant('has_tools' as const), op: fc.constant('is' as const), value: fc.boolean() }),
  fc.record({
    fact: fc.constant('client' as const),
    op: fc.constantFrom('eq' as const, 'ne' as const, 'matches' as const),
    value: fc.constantFrom('codex', 'cline', 'c*', '*e*', '*'),
  }),
)
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}))

test('no request ever meets a condition of which it was said that it never holds', () => {
  fc.assert(
    fc.property(condition, fc.nat(23), fc.nat(1), fc.constantFrom(...CLIENTS), (rule, at, count, name) => {
      const request = view({ atMs: Date.UTC(2026, 0, 15, at), tools: count, client: name })
      expect(canHold(rule) || evaluate(rule, request) === 'no').toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
