import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** Their members are names of the caller's, each with a schema. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** They hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** A JSON Schema without some keywords, at any depth. A property may be named like one, and stays. */
export function withoutKeywords(schema: JsonObject, keywords: readonly string[]): JsonObject {
  const kept = Object.entries(schema).filter(([name]) => !keywords.includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, memberWithout(name, value, keywords)]))
}

function memberWithout(name: string, value: Json | undefined, keywords: readonly string[]): Json | undefined {
  if (VALUES.has(name)) return value
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? withoutKeywords(item, keywords) : item))
  if (!isObject(value)) return value
  if (!NAMED.has(name)) return withoutKeywords(value, keywords)
  const named = Object.entries(value).map(([key, one]) => [key, isObject(one) ? withoutKeywords(one, keywords) : one])
  return Object.fromEntries(named)
}
