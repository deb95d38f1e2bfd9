/** The shapes that plain and streamed answers share. */
import type { JsonObject } from '../../core/json.ts'
import { inputTokens, type Usage } from '../../core/usage.ts'
import { alphanumerics } from '../tools/call-id.ts'
import type { ClientContext } from '../dialect.ts'
import type { Finish } from '../neutral.ts'

const ID_CHARACTERS = 24

/** What every object of one answer begins with. */
export function completionHead({ random, createdAtS, model }: ClientContext): JsonObject {
  const id = `cmpl-${alphanumerics(random.bytes(ID_CHARACTERS))}`
  return { id, object: 'text_completion', created: createdAtS, model }
}

export function choice(text: string, finishReason: string | null): JsonObject {
  return { index: 0, text, logprobs: null, finish_reason: finishReason }
}

export function finishWord({ reason }: Finish): string {
  if (reason === 'length' || reason === 'context') return 'length'
  return reason === 'refusal' ? 'content_filter' : 'stop'
}

export function writeUsage(usage: Usage): JsonObject {
  const input = inputTokens(usage)
  return { prompt_tokens: input, completion_tokens: usage.output, total_tokens: input + usage.output }
}
