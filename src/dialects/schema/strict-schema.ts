/**
 * The subset of JSON Schema under which Claude's answers can be decoded, on every host.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs (read 2026-11-21)
 */
import { asArray, isObject, type Json, type JsonObject } from '../../core/json.ts'

const FORMATS: ReadonlySet<Json | undefined> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

/** Constraints that constrained decoding does not know; they move into the description, where the model can still read them. */
const UNKNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'not',
  'contains',
  'patternProperties',
  'propertyNames',
  'if',
  'then',
  'else',
])

/** Keywords that hold one schema, a list of schemas, and schemas by name. A property may be called like any keyword. */
const ONE: ReadonlySet<string> = new Set(['items'])
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'prefixItems'])
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/** The subset for constrained decoding. Closed objects, known formats, no numeric or length limits. */
export function strictSchema(schema: JsonObject): JsonObject {
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] }
  const result: Record<string, Json | undefined> = {}
  const notes: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword === '$schema') continue
    if (isUnknown(keyword, value)) notes.push(`${keyword}: ${JSON.stringify(value)}`)
    else if (keyword === 'oneOf') result['anyOf'] = strictList(value)
    else result[keyword] = strictValue(keyword, value)
  }
  if (schema['type'] === 'object' || isObject(schema['properties'])) result['additionalProperties'] = false
  if (notes.length > 0) result['description'] = [schema['description'], ...notes].filter(Boolean).join('. ')
  return result
}

function isUnknown(keyword: string, value: Json): boolean {
  if (keyword === 'format') return !FORMATS.has(value)
  if (keyword === 'minItems') return typeof value === 'number' && value > 1
  return UNKNOWN_KEYWORDS.has(keyword)
}

function strictValue(keyword: string, value: Json): Json {
  if (ONE.has(keyword) && isObject(value)) return strictSchema(value)
  if (LISTS.has(keyword)) return strictList(value)
  if (!NAMED.has(keyword) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) ? strictSchema(one) : one]))
}

function strictList(value: Json): Json {
  return (asArray(value) ?? []).map((one) => (isObject(one) ? strictSchema(one) : one))
}
