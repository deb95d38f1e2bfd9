/** The dialects in which this build speaks to providers, by id. */
import type { DialectId } from '../catalog/dialect-id.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { bedrockConverse } from './bedrock-converse/index.ts'
import { cohereV2 } from './cohere-v2/index.ts'
import type { UpstreamDialect } from './dialect.ts'
import { gemini } from './gemini/index.ts'
import { ollama } from './ollama/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

const DIALECTS: Readonly<Record<DialectId, UpstreamDialect>> = {
  'anthropic-messages': anthropicMessages,
  'bedrock-converse': bedrockConverse,
  'cohere-v2': cohereV2,
  gemini,
  ollama,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
}

export function dialectOf(id: DialectId): UpstreamDialect {
  return DIALECTS[id]
}
