/** What tests of the requests of clients send. */
import type { JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'

export const BASE = { model: 'anthropic/m', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }

export function decode(body: object): ReturnType<typeof anthropicMessages.decodeRequest> {
  return anthropicMessages.decodeRequest(body as JsonObject, new Headers())
}

export function decoded(more: object): ChatRequest {
  const result = decode({ ...BASE, ...more })
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
