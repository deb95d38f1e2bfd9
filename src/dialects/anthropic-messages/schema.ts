/** JSON Schemas of ordinary tools: any, so long as the root is an object. */
import { asArray, asObject, isObject, type Json, type JsonObject } from '../../core/json.ts'

/** A root that is an object. Alternatives at the root, which are refused there, are folded into one object. */
export function toolSchema(schema: JsonObject): JsonObject {
  const { $schema: _dialect, ...rest } = resolveRoot(schema)
  const folded = ROOT_COMBINERS.some((name) => asArray(rest[name]) !== undefined) ? foldRoot(rest) : rest
  return { ...folded, type: 'object', properties: asObject(folded['properties']) ?? {} }
}

/** A root that only points to one of its own definitions becomes that definition. */
function resolveRoot(schema: JsonObject): JsonObject {
  const { $ref, ...rest } = schema
  const [, group, name] = typeof $ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? []) : []
  const definition = group === undefined || name === undefined ? undefined : asObject(rest[group])?.[name]
  return isObject(definition) ? { ...definition, ...rest } : schema
}

const ROOT_COMBINERS = ['allOf', 'anyOf', 'oneOf'] as const

/** All properties of all branches; required is what every choice requires, and what any part of `allOf` does. */
function foldRoot(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...own } = schema
  const branches = (list: Json | undefined): readonly JsonObject[] => (asArray(list) ?? []).filter(isObject)
  const choices = [...branches(anyOf), ...branches(oneOf)]
  const all = branches(allOf)
  const properties = Object.assign({}, ...[...choices, ...all, own].map((one) => asObject(one['properties']) ?? {}))
  const shared =
    choices.length === 0 ? [] : choices.map(requiredOf).reduce((a, b) => a.filter((name) => b.includes(name)))
  const required = [...new Set([...requiredOf(own), ...all.flatMap(requiredOf), ...shared])]
  return { ...own, properties, ...(required.length === 0 ? {} : { required }) }
}

function requiredOf(schema: JsonObject): readonly string[] {
  return (asArray(schema['required']) ?? []).filter((name) => typeof name === 'string')
}
