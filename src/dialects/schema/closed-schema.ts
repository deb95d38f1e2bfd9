import { asArray, isObject, type Json, type JsonObject } from '../../core/json.ts'

/** Keywords that hold schemas in which answers cannot be bound to. */
const UNBINDABLE = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
] as const
const NAMED = ['properties', '$defs', 'definitions'] as const

/**
 * Whether OpenAI can hold an answer to this schema: every object is closed and requires each of its properties. Of another one it
 * is an error to ask that; Claude, say, may be held to a schema whose properties are optional.
 */
export function isClosedSchema(schema: JsonObject): boolean {
  if (UNBINDABLE.some((keyword) => schema[keyword] !== undefined)) return false
  const { items, anyOf } = schema
  const held = [items, ...(asArray(anyOf) ?? []), ...NAMED.flatMap((group) => values(schema[group]))]
  return isClosedHere(schema) && held.filter(isObject).every(isClosedSchema)
}

function isClosedHere({ type, properties, required, additionalProperties }: JsonObject): boolean {
  const isOfObjects = type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(properties)
  if (!isOfObjects) return true
  const names = isObject(properties) ? Object.keys(properties) : []
  const needed = new Set(asArray(required))
  return additionalProperties === false && names.every((name) => needed.has(name))
}

function values(group: Json | undefined): readonly Json[] {
  return isObject(group) ? Object.values(group).filter((value) => value !== undefined) : []
}
