/** Schemas in the vendor's own form (types in capitals, `nullable`) → JSON Schema, which every other format takes. */
import { asArray, isObject, type Json, type JsonObject } from '../../core/json.ts'

/** Keywords that hold one schema, a list of schemas, and schemas by name. A property may be called like any keyword. */
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties'])
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'defs'])
/** Counts that the vendor's form writes as text, as it does all large integers. */
const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    any_of: 'anyOf',
    min_items: 'minItems',
    max_items: 'maxItems',
    min_length: 'minLength',
    max_length: 'maxLength',
    property_ordering: 'propertyOrdering',
  }),
)

export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = {}
  for (const [name, value] of Object.entries(schema)) {
    const keyword = OTHER_NAMES.get(name) ?? name
    // The order of properties is the one in which they stand.
    if (keyword === 'propertyOrdering' || keyword === 'nullable' || value === undefined) continue
    result[keyword] = valueOf(keyword, value)
  }
  return schema['nullable'] === true ? nullable(result) : result
}

function valueOf(keyword: string, value: Json): Json {
  if (keyword === 'type') return typeof value === 'string' ? value.toLowerCase() : value
  if (COUNTS.has(keyword) && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  if (ONE.has(keyword)) return isObject(value) ? jsonSchemaOf(value) : value
  if (LISTS.has(keyword)) return (asArray(value) ?? []).map((one) => (isObject(one) ? jsonSchemaOf(one) : one))
  if (!NAMED.has(keyword) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) ? jsonSchemaOf(one) : one]))
}

function nullable(schema: JsonObject): JsonObject {
  const { type, enum: choices, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (typeof type !== 'string') return schema
  const values = Array.isArray(choices) ? { enum: [...choices, null] } : {}
  return { ...schema, type: [type, 'null'], ...values }
}
