/** What tests of the requests that go to hosts ask, and the parts that they are made of. */
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { Json } from '../../../src/core/json.ts'
import type { EncodedRequest } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { chatRequest, targetContext } from './support.ts'

export interface Host {
  readonly quirks?: Quirks
  readonly can?: Partial<ModelCapabilities>
}

export function encoded(request: Partial<ChatRequest>, { quirks, can }: Host = {}): EncodedRequest {
  const result = openaiChat.encodeRequest(chatRequest(request), targetContext(quirks, can))
  if (!result.ok) throw new Error(`${result.error.kind} ${result.error.param}: ${result.error.message}`)
  return result.value
}

export function refusalOf(request: Partial<ChatRequest>, { quirks, can }: Host = {}): string {
  const result = openaiChat.encodeRequest(chatRequest(request), targetContext(quirks, can))
  return result.ok ? 'accepted' : `${result.error.kind} ${result.error.param}`
}

export function messagesOf(request: Partial<ChatRequest>, host: Host = {}): Json | undefined {
  return encoded(request, host).body['messages']
}

export const text = (words: string): Part & { type: 'text' } => ({ type: 'text', text: words })
export const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
export const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })

export const call = (id: string, name = 'f', argumentsText = '{}'): Part => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})

export const result = (
  callId: string,
  ...parts: readonly (Part & { type: 'text' | 'image' | 'document' })[]
): Part => ({
  type: 'tool-result',
  callId,
  parts,
  isError: false,
})

export const image: Part & { type: 'image' } = {
  type: 'image',
  source: { kind: 'base64', mime: 'image/png', data: 'AAAA' },
}
