/** Shapes of the OpenAI Responses wire. https://platform.openai.com/docs/api-reference/responses (read 2026-11-21). */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'

/** One server-sent event; its name repeats the `type` of its data, which strict clients compare. */
export function sse(payload: JsonObject & { readonly type: string }): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`
}

/** Events after which nothing that matters follows. */
export const TERMINAL: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** The provider's stream stopped after content and before its terminal event. */
export const CUT: Failure = failure('cut', 'The answer stopped before its end.')

/** The provider's answer ended, in whatever way, without any content. */
export const EMPTY: Failure = failure('empty', 'The provider ended its answer without any content.')
