import { asObject, type JsonObject } from '../../core/json.ts'
import { rootObjectSchema } from '../schema/object-schema.ts'

/** The schema of a tool or an answer, whose root has to be an object whatever else it says. */
export function toolSchema(schema: JsonObject): JsonObject {
  const root = rootObjectSchema(schema)
  return { ...root, type: 'object', properties: asObject(root['properties']) ?? {} }
}
