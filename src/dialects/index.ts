/** The dialects in which this build speaks to providers, by id. */
import type { DialectId } from '../catalog/dialect-id.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import type { UpstreamDialect } from './dialect.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

const DIALECTS: Readonly<Record<DialectId, UpstreamDialect>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
}

export function dialectOf(id: DialectId): UpstreamDialect {
  return DIALECTS[id]
}
