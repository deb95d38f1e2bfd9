/** What tests of the requests of clients send. */
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'

export const USER = { role: 'user', content: 'hi' }

export function decoded(fields: JsonObject): ChatRequest {
  const request = openaiChat.decodeRequest({ model: 'm', messages: [USER], ...fields }, new Headers())
  if (!request.ok) throw new Error(`${request.error.kind} ${request.error.param}: ${request.error.message}`)
  return request.value
}
