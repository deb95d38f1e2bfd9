import { expect, test } from 'bun:test'
import { withoutKeywords } from '../../../src/dialects/schema/schema-keywords.ts'

const OPEN = { type: 'object', properties: { a: { type: 'string' } } }
const CLOSED = { ...OPEN, additionalProperties: false }

const cases: readonly (readonly [what: string, schema: object, without: object])[] = [
  ['at the root', CLOSED, OPEN],
  ['in a property', { properties: { b: CLOSED } }, { properties: { b: OPEN } }],
  ['in a definition', { $defs: { b: CLOSED } }, { $defs: { b: OPEN } }],
  ['in a list', { anyOf: [CLOSED, { type: 'null' }] }, { anyOf: [OPEN, { type: 'null' }] }],
  ['in an item', { items: CLOSED }, { items: OPEN }],
  ['with a schema of its own', { additionalProperties: { type: 'string' } }, {}],
]

for (const [what, schema, without] of cases) {
  test(`a keyword ${what} is left out`, () => {
    expect(withoutKeywords({ ...schema }, ['additionalProperties'])).toEqual({ ...without })
  })
}

test('a property of that name stays, and so does a value that looks like a schema', () => {
  const schema = {
    properties: { additionalProperties: { type: 'boolean' } },
    required: ['additionalProperties'],
    default: { additionalProperties: false },
    enum: [{ additionalProperties: false }],
  }
  expect(withoutKeywords(schema, ['additionalProperties'])).toEqual(schema)
})
