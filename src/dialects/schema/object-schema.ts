/** Schemas of tools in the form that hosts accept: an object at the root, without the keywords that they refuse there. */
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../core/json.ts'

const LOCAL_REFERENCE = /^#\/(\$defs|definitions)\/([^/]+)$/

/**
 * Only the root is touched; what stands under a property's name is the caller's own. Variants at the root become one object with
 * the properties of all: OpenAI refuses them there.
 */
export function rootObjectSchema(schema: JsonObject | undefined): JsonObject {
  const { $schema: _, ...root } = resolved(schema ?? {}, schema ?? {})
  const merged = withoutVariants(root)
  if (!isObjectType(merged['type'])) return merged
  return { ...merged, type: 'object', properties: asObject(merged['properties']) ?? {} }
}

function isObjectType(type: Json | undefined): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

/** What merely points to one of the root's definitions becomes that definition. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref, ...rest } = schema
  const [, group = '', name = ''] = typeof $ref === 'string' ? (LOCAL_REFERENCE.exec($ref) ?? []) : []
  const definition = asObject(root[group])?.[name]
  return isObject(definition) ? { ...definition, ...rest } : schema
}

function withoutVariants(root: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, ...own } = root
  const variants = (list: Json | undefined): readonly JsonObject[] =>
    (asArray(list) ?? []).filter(isObject).map((variant) => resolved(variant, root))
  const choices = [...variants(anyOf), ...variants(oneOf)]
  const together = variants(allOf)
  if (choices.length === 0 && together.length === 0) return own
  const required = [...requiredBy(own), ...together.flatMap(requiredBy), ...requiredByAll(choices)]
  return {
    ...own,
    ...definitionsOf([...choices, ...together, own]),
    type: 'object',
    properties: propertiesOf([own, ...together, ...choices]),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  }
}

/** In the order in which they are first named; one that is named differently may be any of what it is said to be. */
function propertiesOf(schemas: readonly JsonObject[]): JsonObject {
  /** By name, each schema once: by its text. */
  const properties = new Map<string, Map<string, Json>>()
  for (const schema of schemas) {
    for (const [name, value] of Object.entries(asObject(schema['properties']) ?? {})) {
      if (value === undefined) continue
      const known = properties.get(name) ?? new Map<string, Json>()
      properties.set(name, known.set(JSON.stringify(value), value))
    }
  }
  return Object.fromEntries([...properties].map(([name, known]) => [name, anyOfThese([...known.values()])]))
}

function definitionsOf(schemas: readonly JsonObject[]): JsonObject {
  const groups = ['$defs', 'definitions'].map((group) => {
    const entries = schemas.flatMap((schema) => Object.entries(asObject(schema[group]) ?? {}))
    return [group, Object.fromEntries(entries)] as const
  })
  return Object.fromEntries(groups.filter(([, definitions]) => Object.keys(definitions).length > 0))
}

function requiredByAll(schemas: readonly JsonObject[]): readonly string[] {
  const [first = [], ...others] = schemas.map(requiredBy)
  return first.filter((name) => others.every((names) => names.includes(name)))
}

function requiredBy(schema: JsonObject): readonly string[] {
  return (asArray(schema['required']) ?? []).filter((name) => typeof name === 'string')
}

function anyOfThese(schemas: readonly Json[]): Json {
  const [only] = schemas
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
}
