/** A schema under the name that says which of the vendor's two forms it has: the older one is for hosts that know nothing newer. */
import type { JsonObject } from '../../core/json.ts'
import type { TargetContext } from '../dialect.ts'
import { jsonSubset } from './json-subset.ts'
import { openApiSchema } from './openapi-schema.ts'

export function parametersMember(schema: JsonObject, target: TargetContext): JsonObject {
  return isOlder(target) ? { parameters: openApiSchema(schema) } : { parametersJsonSchema: jsonSubset(schema) }
}

export function responseSchemaMember(schema: JsonObject, target: TargetContext): JsonObject {
  return isOlder(target) ? { responseSchema: openApiSchema(schema) } : { responseJsonSchema: jsonSubset(schema) }
}

function isOlder({ quirks }: TargetContext): boolean {
  return quirks.schemaLevel === 'openapi'
}
