import { expect, test } from 'bun:test'
import { conditionOf, groupOf, partsPath, type WireCondition } from '../../../src/web/pages/chains/condition-tree.ts'
import { conditionText } from '../../../src/web/pages/chains/facts.ts'

const short = { fact: 'input_tokens', op: 'lt', value: 16_000 }
const tools = { fact: 'has_tools', op: 'is', value: true }
const sunday = { fact: 'weekday', op: 'eq', value: 0 }

interface Case {
  readonly when: WireCondition
  /** What is sent back when nothing was changed; the same unless it says otherwise. */
  readonly sent?: WireCondition
  readonly text: string
}

const CASES: Readonly<Record<string, Case>> = {
  'one comparison is a group of one': { when: short, sent: { all: [short] }, text: 'input tokens < 16,000' },
  'all of several': { when: { all: [short, tools] }, text: 'input tokens < 16,000 and has tools' },
  'any of several': { when: { any: [sunday, tools] }, text: 'weekday (utc) = Sunday or has tools' },
  'not one is none of one': { when: { not: tools }, sent: { not: { any: [tools] } }, text: 'not (has tools)' },
  'not any is none': { when: { not: { any: [short, tools] } }, text: 'not (input tokens < 16,000 or has tools)' },
  'groups in groups': {
    when: { all: [short, { any: [tools, sunday] }] },
    text: 'input tokens < 16,000 and (has tools or weekday (utc) = Sunday)',
  },
}

for (const [name, { when, sent, text }] of Object.entries(CASES)) {
  test(`a condition is shown and sent as it was meant: ${name}`, () => {
    expect(conditionOf(groupOf(when))).toEqual(sent ?? when)
    expect(conditionText(groupOf(when))).toBe(text)
  })
}

test('no condition is an empty group, and the other way round', () => {
  expect(groupOf(null)).toEqual({ joint: 'all', parts: [] })
  expect(conditionOf({ joint: 'any', parts: [] })).toBeNull()
})

test('parts know the paths under which they are sent', () => {
  expect(partsPath('steps.0.when', 'all')).toBe('steps.0.when.all')
  expect(partsPath('steps.0.when', 'none')).toBe('steps.0.when.not.any')
})
