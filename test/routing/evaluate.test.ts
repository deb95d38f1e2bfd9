import { describe, expect, test } from 'bun:test'
import type { Comparison, Condition, Verdict } from '../../src/routing/condition.ts'
import { evaluate } from '../../src/routing/evaluate.ts'
import { view } from './stage.ts'

/** A Thursday, 23:30 in UTC and Friday in most of Europe. */
const REQUEST = view({
  atMs: Date.UTC(2026, 0, 15, 23, 30),
  inputTokens: 5_000,
  tools: 2,
  media: (kind) => kind === 'image',
  stream: true,
  keyId: 'key_1',
  planId: 'pln_1',
  budgetLeftPct: () => 12.5,
  tags: { team: 'red', __proto: 'x' },
  header: (name) => (name === 'x-tier' ? 'gold' : null),
  client: null,
})
const UNKNOWN = view({ inputTokens: undefined, tags: undefined, header: () => undefined, tools: undefined })

describe('a comparison', () => {
  const cases: readonly (readonly [Comparison, Verdict])[] = [
    [{ fact: 'input_tokens', op: 'lt', value: 5_000 }, 'no'],
    [{ fact: 'input_tokens', op: 'lte', value: 5_000 }, 'yes'],
    [{ fact: 'input_tokens', op: 'gt', value: 4_999 }, 'yes'],
    [{ fact: 'input_tokens', op: 'gte', value: 5_001 }, 'no'],
    [{ fact: 'input_tokens', op: 'eq', value: 5_000 }, 'yes'],
    [{ fact: 'hour', op: 'eq', value: 23 }, 'yes'],
    [{ fact: 'weekday', op: 'eq', value: 4 }, 'yes'],
    [{ fact: 'has_tools', op: 'is', value: true }, 'yes'],
    [{ fact: 'has_images', op: 'is', value: false }, 'no'],
    [{ fact: 'has_thinking', op: 'is', value: false }, 'yes'],
    [{ fact: 'stream', op: 'is', value: true }, 'yes'],
    [{ fact: 'key_id', op: 'eq', value: 'key_1' }, 'yes'],
    [{ fact: 'key_id', op: 'ne', value: 'key_1' }, 'no'],
    [{ fact: 'budget_left_pct', op: 'lt', value: 13 }, 'yes'],
    [{ fact: 'budget_left_pct', op: 'gte', value: 13 }, 'no'],
    [{ fact: 'plan_id', op: 'eq', value: 'pln_1' }, 'yes'],
    [{ fact: 'plan_id', op: 'matches', value: 'pln_2*' }, 'no'],
    [{ fact: 'dialect', op: 'matches', value: 'openai-*' }, 'yes'],
    [{ fact: 'client', op: 'eq', value: 'codex' }, 'no'],
    [{ fact: 'client', op: 'ne', value: 'codex' }, 'yes'],
    [{ fact: 'client', op: 'matches', value: '*' }, 'no'],
    [{ fact: 'tag.team', op: 'eq', value: 'red' }, 'yes'],
    [{ fact: 'tag.toString', op: 'ne', value: 'x' }, 'yes'],
    [{ fact: 'header.x-tier', op: 'matches', value: 'go*' }, 'yes'],
    [{ fact: 'header.x-other', op: 'eq', value: '' }, 'no'],
  ]
  for (const [condition, verdict] of cases) {
    const { fact, op, value } = condition
    test(`${fact} ${op} ${value}: ${verdict}`, () => expect(evaluate(condition, REQUEST)).toBe(verdict))
  }
})

describe('joined', () => {
  const yes: Condition = { fact: 'stream', op: 'is', value: false }
  const no: Condition = { fact: 'stream', op: 'is', value: true }
  const unknown: Condition = { fact: 'input_tokens', op: 'gt', value: 1 }
  const cases: readonly (readonly [string, Condition, Verdict])[] = [
    ['all of nothing', { all: [] }, 'yes'],
    ['any of nothing', { any: [] }, 'no'],
    ['all with one that does not hold', { all: [yes, unknown, no] }, 'no'],
    ['all with one that nobody knows', { all: [yes, unknown] }, 'unknown'],
    ['any with one that holds', { any: [no, unknown, yes] }, 'yes'],
    ['any with one that nobody knows', { any: [no, unknown] }, 'unknown'],
    ['the opposite of what holds', { not: yes }, 'no'],
    ['the opposite of what nobody knows', { not: { any: [unknown] } }, 'unknown'],
  ]
  for (const [name, condition, verdict] of cases)
    test(`${name}: ${verdict}`, () => expect(evaluate(condition, UNKNOWN)).toBe(verdict))

  test('what nobody kept is unknown of every kind', () => {
    for (const condition of [
      { fact: 'tag.team', op: 'eq', value: 'red' },
      { fact: 'header.x', op: 'ne', value: 'x' },
      { fact: 'has_tools', op: 'is', value: true },
    ] as const)
      expect(evaluate(condition, UNKNOWN)).toBe('unknown')
  })
})
