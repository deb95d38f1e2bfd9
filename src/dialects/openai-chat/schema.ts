/** Schemas of tools in the form that hosts accept: an object at the root, without the keywords that they refuse there. */
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'

const COMBINERS = ['anyOf', 'oneOf', 'allOf'] as const

/**
 * Only the root is touched; what stands under a property's name is the caller's own. Variants at the root become one object with
 * the properties of all: OpenAI refuses them there.
 */
export function rootObjectSchema(schema: JsonObject | undefined): JsonObject {
  const { $schema: _, ...root } = schema ?? {}
  const combiner = COMBINERS.find((name) => asArray(root[name]) !== undefined)
  const merged = combiner === undefined ? root : mergedVariants(root, combiner)
  if (!isObjectType(merged['type'])) return merged
  return { ...merged, type: 'object', properties: asObject(merged['properties']) ?? {} }
}

function isObjectType(type: Json | undefined): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function mergedVariants(root: JsonObject, combiner: (typeof COMBINERS)[number]): JsonObject {
  const { [combiner]: list, ...rest } = root
  const variants = (asArray(list) ?? []).filter(isObject)
  const properties: Record<string, Json | undefined> = { ...asObject(rest['properties']) }
  for (const variant of variants) {
    for (const [name, schema] of Object.entries(asObject(variant['properties']) ?? {})) {
      properties[name] = properties[name] === undefined ? schema : either(properties[name], schema)
    }
  }
  const required = [...new Set([...names(rest), ...requiredOf(variants, combiner)])]
  return { ...rest, type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

/** What every variant asks for, or any of them where all count together. */
function requiredOf(variants: readonly JsonObject[], combiner: (typeof COMBINERS)[number]): readonly string[] {
  const [first = [], ...others] = variants.map(names)
  if (combiner === 'allOf') return [...first, ...others.flat()]
  return first.filter((name) => others.every((list) => list.includes(name)))
}

function names(schema: JsonObject): readonly string[] {
  return (asArray(schema['required']) ?? []).map((name) => asString(name)).filter((name) => name !== undefined)
}

function either(one: Json, other: Json | undefined): Json {
  if (other === undefined || JSON.stringify(one) === JSON.stringify(other)) return one
  return { anyOf: [one, other] }
}
