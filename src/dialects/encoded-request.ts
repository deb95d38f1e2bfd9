/** How the encoding of a request ends, whatever its format. */
import type { Failure } from '../core/failure.ts'
import type { JsonObject } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { EncodedRequest, TargetContext } from './dialect.ts'
import type { LossList } from './losses.ts'
import type { ChatRequest } from './neutral.ts'
import { freeTextTools } from './tools/free-text-tool.ts'
import { restoredToolNames } from './tools/tool-names.ts'

/** What was noted on the way to the body. */
export interface Encoded {
  readonly request: ChatRequest
  readonly sentNames: ReadonlyMap<string, string>
  readonly losses: LossList
}

/** For formats that know functions alone. Failure: `unsupported`, the first thing without which the body must not be sent. */
export function encodedRequest(body: JsonObject, encoded: Encoded): Result<EncodedRequest, Failure> {
  const { request, sentNames, losses } = encoded
  if (losses.failure !== undefined) return err(losses.failure)
  return ok({
    body,
    headers: [],
    dropped: losses.names,
    toolNames: restoredToolNames(sentNames),
    ...freeTextTools(request, sentNames),
  })
}

/** `body` without the fields that the host refuses; `drop` is told of each that was there. */
export function withoutFields(body: JsonObject, { quirks }: TargetContext, drop: (name: string) => void): JsonObject {
  const stripped = new Set(quirks.stripFields)
  const kept = Object.entries(body).filter(([name]) => !stripped.has(name))
  for (const [name, value] of Object.entries(body)) if (stripped.has(name) && value !== undefined) drop(name)
  return Object.fromEntries(kept)
}
