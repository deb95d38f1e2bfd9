/** What a schema has to say against a value, in the words of this product. */
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { counted } from '../core/counted.ts'

type Rules = ValueError['schema']

const WORDS: Partial<Record<ValueErrorType, (rules: Rules) => string>> = {
  [ValueErrorType.Array]: () => 'must be a list',
  [ValueErrorType.ArrayMinItems]: ({ minItems }) => `must have at least ${counted(minItems, 'item')}`,
  [ValueErrorType.ArrayMaxItems]: ({ maxItems }) => `must have at most ${counted(maxItems, 'item')}`,
  [ValueErrorType.Boolean]: () => 'must be true or false',
  [ValueErrorType.Integer]: () => 'must be a whole number',
  [ValueErrorType.IntegerMinimum]: ({ minimum }) => `must be at least ${minimum}`,
  [ValueErrorType.IntegerMaximum]: ({ maximum }) => `must be at most ${maximum}`,
  [ValueErrorType.Number]: () => 'must be a number',
  [ValueErrorType.NumberMinimum]: ({ minimum }) => `must be at least ${minimum}`,
  [ValueErrorType.NumberMaximum]: ({ maximum }) => `must be at most ${maximum}`,
  [ValueErrorType.NumberExclusiveMinimum]: ({ exclusiveMinimum }) => `must be more than ${exclusiveMinimum}`,
  [ValueErrorType.NumberExclusiveMaximum]: ({ exclusiveMaximum }) => `must be less than ${exclusiveMaximum}`,
  [ValueErrorType.Object]: () => 'must be an object',
  [ValueErrorType.ObjectAdditionalProperties]: namedWrongly,
  [ValueErrorType.ObjectMaxProperties]: ({ maxProperties }) => `must have at most ${counted(maxProperties, 'field')}`,
  [ValueErrorType.ObjectRequiredProperty]: () => 'is required',
  [ValueErrorType.String]: () => 'must be a text',
  [ValueErrorType.StringMinLength]: ({ minLength }) =>
    minLength === 1 ? 'must not be empty' : `must have at least ${counted(minLength, 'character')}`,
  [ValueErrorType.StringMaxLength]: ({ maxLength }) => `must have at most ${counted(maxLength, 'character')}`,
  [ValueErrorType.StringPattern]: ({ pattern }) => PATTERNS.get(pattern) ?? `must match ${pattern}`,
}

/** Patterns that many names have, in words. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  ['\\S', 'must not be blank'],
  ['^[\\x21-\\x7e]+$', 'must be visible ASCII without spaces'],
  ['^[\\x21-\\x29\\x2b-\\x7e]*\\*?$', 'must be visible ASCII without spaces, and may have * only at its end'],
])

/** What has no words here is said as the validator says it: `Expected …` → `must be …`. */
export function plainWords({ type, schema, message }: ValueError): string {
  return WORDS[type]?.(schema) ?? message.replace(/^Expected /, 'must be ')
}

/** Of an object with fields of its own nobody knows the field; of a map its name is wrong. */
function namedWrongly({ patternProperties }: Rules): string {
  const [pattern] = Object.keys(patternProperties ?? {})
  return pattern === undefined ? 'is not a known field' : `must have a name that matches ${pattern}`
}
