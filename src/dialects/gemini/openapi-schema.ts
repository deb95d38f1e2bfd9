/**
 * JSON Schema → the vendor's older form, a part of OpenAPI's. References are written out; what it has no word for becomes words.
 * https://ai.google.dev/api/caching#Schema (read 2026-11-21)
 */
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { noted, withoutAllOf } from './json-subset.ts'

/** Written-out references grow; beyond these a schema says no more than that there is an object. */
const NODES_MAX = 5_000
const REFERENCES_DEEP_MAX = 32
/** Characters of what references stand for: so many, and so many for each of the schema's own. */
const WRITTEN_OUT_MAX = 8_192
const WRITTEN_OUT_RATIO_MAX = 8

const KEPT: ReadonlySet<string> = new Set([
  'title',
  'description',
  'nullable',
  'minItems',
  'maxItems',
  'propertyOrdering',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'default',
  'example',
])
/** Handled by name below, or without a meaning once references are written out. */
const HANDLED: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  'type',
  'format',
  'enum',
  'const',
  'items',
  'properties',
  'required',
  'anyOf',
  'oneOf',
])
const FORMATS: ReadonlySet<Json> = new Set(['date-time', 'enum', 'float', 'double', 'int32', 'int64'])

interface Walk {
  readonly root: JsonObject
  /** References on the way from the root to here. */
  readonly within: readonly string[]
  readonly budget: { nodes: number; characters: number }
}

export function openApiSchema(schema: JsonObject): JsonObject {
  const characters = WRITTEN_OUT_MAX + WRITTEN_OUT_RATIO_MAX * JSON.stringify(schema).length
  return convert(schema, { root: schema, within: [], budget: { nodes: NODES_MAX, characters } })
}

function convert(given: JsonObject, walk: Walk): JsonObject {
  if (walk.budget.nodes-- <= 0) return { type: 'object' }
  const { schema, walk: inner } = resolved(withoutAllOf(given), walk)
  const notes: string[] = []
  const result: Record<string, Json | undefined> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || HANDLED.has(keyword)) continue
    if (KEPT.has(keyword)) result[keyword] = value
    else notes.push(`${keyword}: ${JSON.stringify(value)}`)
  }
  Object.assign(result, typeOf(schema, inner), choicesOf(schema), membersOf(schema, inner))
  if (isKnownFormat(schema['format'])) result['format'] = schema['format']
  else if (schema['format'] !== undefined) notes.push(`format: ${JSON.stringify(schema['format'])}`)
  return notes.length === 0 ? result : { ...result, description: noted(schema['description'], notes) }
}

function isKnownFormat(format: Json | undefined): boolean {
  return format !== undefined && FORMATS.has(format)
}

/** A reference becomes what it points to; one that leads back to itself, nowhere or too far becomes any object. */
function resolved(schema: JsonObject, walk: Walk): { readonly schema: JsonObject; readonly walk: Walk } {
  const { $ref, ...beside } = schema
  if (typeof $ref !== 'string') return { schema, walk }
  const isTooFar = walk.within.length >= REFERENCES_DEEP_MAX || walk.within.includes($ref)
  const target = isTooFar ? undefined : affordable(pointed(walk.root, $ref), walk)
  if (target === undefined) return { schema: { type: 'object', ...beside }, walk }
  const within = [...walk.within, $ref]
  return resolved(withoutAllOf({ ...target, ...beside }), { ...walk, within })
}

function affordable(target: JsonObject | undefined, { budget }: Walk): JsonObject | undefined {
  if (target === undefined || budget.characters <= 0) return undefined
  budget.characters -= JSON.stringify(target).length
  return budget.characters < 0 ? undefined : target
}

function pointed(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined
  const steps = reference.slice(1).split('/').slice(1)
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<JsonObject | undefined>((at, name) => asObject(at?.[name]), root)
}

/** One type is a type; several are alternatives; `null` among them is a mark of its own. */
function typeOf(schema: JsonObject, walk: Walk): JsonObject {
  const listed = asArray(schema['type']) ?? (schema['type'] === undefined ? [] : [schema['type']])
  const types = listed.filter((type) => typeof type === 'string' && type !== 'null')
  const variants = [...(asArray(schema['anyOf']) ?? []), ...(asArray(schema['oneOf']) ?? [])].filter(isObject)
  const others = variants.filter(({ type }) => type !== 'null')
  const isNullable =
    listed.includes('null') || others.length < variants.length || asArray(schema['enum'])?.includes(null) === true
  const nullable = isNullable ? { nullable: true } : {}
  const [first] = types
  if (others.length > 0) return { anyOf: others.map((one) => convert(one, walk)), ...nullable }
  if (types.length > 1) return { anyOf: types.map((type) => ({ type })), ...nullable }
  const implied = isObject(schema['properties']) ? 'object' : schema['items'] === undefined ? undefined : 'array'
  const type = first ?? implied
  return { ...(type === undefined ? {} : { type }), ...nullable }
}

/** Choices are texts here, whatever they were. */
function choicesOf(schema: JsonObject): JsonObject {
  const values = asArray(schema['enum']) ?? (schema['const'] === undefined ? [] : [schema['const']])
  const texts = values
    .filter((value) => value !== null)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return texts.length === 0 ? {} : { type: 'string', enum: texts }
}

function membersOf(schema: JsonObject, walk: Walk): JsonObject {
  const { properties, items, type } = schema
  const named = Object.entries(asObject(properties) ?? {}).map(
    ([name, one]) => [name, isObject(one) ? convert(one, walk) : {}] as const,
  )
  const names = new Set<Json>(named.map(([name]) => name))
  const required = (asArray(schema['required']) ?? []).filter((name) => names.has(name))
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'))
  const element = isObject(items) ? convert(items, walk) : isList ? { type: 'string' } : undefined
  return {
    ...(element === undefined ? {} : { items: element }),
    ...(named.length === 0 ? {} : { properties: Object.fromEntries(named) }),
    ...(required.length === 0 ? {} : { required }),
  }
}
