/**
 * Schemas as the vendor takes them: a subset of JSON Schema. What it cannot say moves into the description, where the model can
 * still read it. https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support (read 2026-11-21)
 */
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../core/json.ts'

const KEPT: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  'type',
  'format',
  'title',
  'description',
  'enum',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'required',
  'propertyOrdering',
])
/** Says nothing to a model. */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  '$vocabulary',
  'readOnly',
  'writeOnly',
  'deprecated',
])
const ONE: ReadonlySet<string> = new Set(['items', 'additionalProperties'])
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'prefixItems'])
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs'])

export function jsonSubset(schema: JsonObject): JsonObject {
  if (typeof schema['$ref'] === 'string') return reference(schema, schema['$ref'])
  const result: Record<string, Json | undefined> = {}
  const notes: string[] = []
  for (const [keyword, value] of Object.entries(withoutAllOf(schema))) {
    if (value === undefined || SILENT.has(keyword)) continue
    if (keyword === 'const') result['enum'] = [value]
    else if (keyword === 'definitions') result['$defs'] = { ...asObject(result['$defs']), ...named(value) }
    else if (KEPT.has(keyword)) result[keyword] = value
    else if (isHolder(keyword)) result[keyword] = inside(keyword, value)
    else notes.push(`${keyword}: ${JSON.stringify(value)}`)
  }
  return notes.length === 0 ? result : { ...result, description: noted(schema['description'], notes) }
}

/** What stands beside a reference is refused, except for keywords of its own kind. */
function reference(schema: JsonObject, to: string): JsonObject {
  const { $defs, definitions } = schema
  const held = { ...named($defs), ...named(definitions) }
  const $ref = to.replace(/^#\/definitions\//, '#/$defs/')
  return Object.keys(held).length === 0 ? { $ref } : { $ref, $defs: held }
}

function isHolder(keyword: string): boolean {
  return ONE.has(keyword) || LISTS.has(keyword) || NAMED.has(keyword)
}

function inside(keyword: string, value: Json): Json {
  if (NAMED.has(keyword)) return named(value)
  if (LISTS.has(keyword)) return (asArray(value) ?? []).map((one) => (isObject(one) ? jsonSubset(one) : one))
  return isObject(value) ? jsonSubset(value) : value
}

function named(value: Json | undefined): JsonObject {
  const entries = Object.entries(asObject(value) ?? {})
  return Object.fromEntries(entries.map(([name, one]) => [name, isObject(one) ? jsonSubset(one) : one]))
}

/** All parts of `allOf` hold together with what stands beside them, so they become one schema. */
export function withoutAllOf(schema: JsonObject): JsonObject {
  const parts = (asArray(schema['allOf']) ?? []).filter(isObject)
  if (parts.length === 0) return schema
  const { allOf: _, ...own } = schema
  const [only] = parts
  if (parts.length === 1 && only !== undefined && typeof only['$ref'] === 'string')
    return { ...own, $ref: only['$ref'] }
  return together([own, ...parts.map(withoutAllOf)])
}

/** A keyword counts as it is said first; properties and what is required are those of all. */
function together(schemas: readonly JsonObject[]): JsonObject {
  const members = new Map<string, Json | undefined>()
  const properties = new Map<string, Json | undefined>()
  const required = new Set<Json>()
  for (const schema of schemas) {
    for (const [keyword, value] of Object.entries(schema)) if (!members.has(keyword)) members.set(keyword, value)
    for (const [name, one] of Object.entries(asObject(schema['properties']) ?? {})) properties.set(name, one)
    for (const name of asArray(schema['required']) ?? []) required.add(name)
  }
  if (properties.size > 0) members.set('properties', Object.fromEntries(properties))
  if (required.size > 0) members.set('required', [...required])
  return Object.fromEntries(members)
}

export function noted(description: Json | undefined, notes: readonly string[]): string {
  return [description, ...notes].filter((text) => typeof text === 'string' && text !== '').join('. ')
}
