import type { JsonObject } from '../../core/json.ts'
import type { ClientContext } from '../dialect.ts'
import type { WirePart } from './wire.ts'

/** The object that a whole answer is, and each chunk of one. */
export function responseOf(
  { model }: ClientContext,
  responseId: string,
  parts: readonly WirePart[],
  candidate: JsonObject,
  more: JsonObject,
): JsonObject {
  return {
    candidates: [{ content: { role: 'model', parts }, ...candidate, index: 0 }],
    ...more,
    modelVersion: model,
    responseId,
  }
}
