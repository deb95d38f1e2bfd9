/** The dialects that this build speaks, by id. */
import type { DialectId } from '../catalog/dialect-id.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import type { Dialect } from './dialect.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  'anthropic-messages': anthropicMessages,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
}

export function dialectOf(id: DialectId): Dialect {
  return DIALECTS[id]
}
