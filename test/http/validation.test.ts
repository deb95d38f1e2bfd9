/** What a caller is told is wrong, field by field. */
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { expect, test } from 'bun:test'
import { choice, nullable, optional } from '../../src/http/choice.ts'
import { fieldErrors } from '../../src/http/validation.ts'

const CLOSED = { additionalProperties: false } as const

const check = (schema: TSchema, value: unknown, errors: Record<string, string>) => {
  const said = fieldErrors(Value.Errors(Type.Object({ field: schema }, CLOSED), { field: value }))
  expect(said).toEqual(Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])))
}

const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
const Code = Type.String({ minLength: 2, pattern: '^[a-z]+$' })
const Visible = Type.String({ pattern: '^[\\x21-\\x7e]+$' })
const Whole = Type.Integer({ minimum: 0, maximum: 10 })
const Share = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })
const Several = Type.Array(Whole, { minItems: 1, maxItems: 2 })
const Tags = Type.Record(Type.String({ pattern: '^[a-z]{1,3}$' }), Type.String(), { ...CLOSED, maxProperties: 1 })

const SAID: readonly (readonly [schema: TSchema, value: unknown, message: string])[] = [
  [Name, '', 'must not be empty'],
  [Name, '  ', 'must not be blank'],
  [Name, 'x'.repeat(81), 'must have at most 80 characters'],
  [Name, 7, 'must be a text'],
  [Code, 'a', 'must have at least 2 characters'],
  [Code, 'A1', 'must match ^[a-z]+$'],
  [Visible, 'a b', 'must be visible ASCII without spaces'],
  [Whole, -1, 'must be at least 0'],
  [Whole, 11, 'must be at most 10'],
  [Whole, 1.5, 'must be a whole number'],
  [Whole, '1', 'must be a whole number'],
  [nullable(Whole), 11, 'must be at most 10'],
  [optional(Share), 0, 'must be more than 0'],
  [Share, 1, 'must be less than 1'],
  [Share, true, 'must be a number'],
  [Several, [], 'must have at least 1 item'],
  [Several, [1, 2, 3], 'must have at most 2 items'],
  [Several, 'x', 'must be a list'],
  [Type.Boolean(), 'yes', 'must be true or false'],
  [Type.Object({}, CLOSED), [], 'must be an object'],
  [Tags, { a: 'x', b: 'y' }, 'must have at most 1 field'],
  [choice(['one', 'two']), 'three', 'must be one of one, two'],
]

for (const [schema, value, message] of SAID) {
  test(`${JSON.stringify(value).slice(0, 20)}: ${message}`, () => check(schema, value, { field: message }))
}

test('what is wrong inside is named by its path', () => check(Several, [1, -1], { 'field.1': 'must be at least 0' }))

test('a field that nobody knows is told apart from a name that may not be', () => {
  check(Type.Object({}, CLOSED), { other: 1 }, { 'field.other': 'is not a known field' })
  check(Tags, { Big: 'x' }, { 'field.Big': 'must have a name that matches ^[a-z]{1,3}$' })
})

test('a field that is missing is required', () => {
  check(Type.Object({ inner: Whole }, CLOSED), {}, { 'field.inner': 'is required' })
})
