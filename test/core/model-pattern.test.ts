import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { allowsModel, isPattern, matchesPattern } from '../../src/core/model-pattern.ts'

const cases: readonly (readonly [pattern: string, name: string, matches: boolean])[] = [
  ['openai/gpt-5', 'openai/gpt-5', true],
  ['openai/gpt-5', 'openai/gpt-5-mini', false],
  ['openai/*', 'openai/gpt-5', true],
  ['openai/*', 'openrouter/openai/gpt-5', false],
  ['*', '', true],
  ['*/claude-*-5', 'anthropic/claude-opus-5', true],
  ['*/claude-*-5', 'anthropic/claude-opus-4-5-fast', false],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
  ['', 'x', false],
]

for (const [pattern, name, matches] of cases) {
  test(`"${pattern}" ${matches ? 'matches' : 'does not match'} "${name}"`, () => {
    expect(matchesPattern(pattern, name)).toBe(matches)
  })
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*', '[') })

test('a pattern means what the regular expression with the same stars means', () => {
  fc.assert(
    fc.property(text, text, (pattern, name) => {
      const source = pattern.replace(/[.[]/g, '\\$&').replaceAll('*', '.*')
      expect(matchesPattern(pattern, name)).toBe(new RegExp(`^${source}$`, 's').test(name))
    }),
  )
})

test('many stars against a long name answer at once', () => {
  const startedAt = performance.now()
  expect(matchesPattern('*a'.repeat(50) + 'b', 'a'.repeat(20_000))).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test('deny beats allow, and null is no list at all', () => {
  expect(allowsModel('openai/gpt-5', null, null)).toBe(true)
  expect(allowsModel('openai/gpt-5', [], null)).toBe(false)
  expect(allowsModel('openai/gpt-5', ['openai/*'], ['*gpt-5'])).toBe(false)
})

test('a pattern is visible text of a bounded length', () => {
  expect(['a*', 'a b', '', 'é', 'x'.repeat(201)].map(isPattern)).toEqual([true, false, false, false, false])
})
