/** What tests of the requests that go to providers ask, and the parts that they are made of. */
import { expect } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { EncodedRequest, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part, Tool } from '../../../src/dialects/neutral.ts'
import { chatRequest, targetContext } from './support.ts'

export function encode(more: Partial<ChatRequest>, target: TargetContext = targetContext()): EncodedRequest {
  const result = anthropicMessages.encodeRequest(chatRequest(more), target)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

export const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
export const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
export const text = (words: string): Part => ({ type: 'text', text: words })

export const call = (id: string, argumentsText = '{}', name = 'f'): Part => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})

export const result = (callId: string, words = 'ok'): Part => ({
  type: 'tool-result',
  callId,
  parts: [{ type: 'text', text: words }],
  isError: false,
})

export const TOOL: Tool = { kind: 'function', name: 'f', schema: { type: 'object' } }

/** Members given as undefined must be absent. */
export function expectBody(body: JsonObject, expected: object): void {
  const given = Object.entries(expected)
  expect(body).toMatchObject(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
  for (const [name, value] of given) if (value === undefined) expect(body).not.toHaveProperty(name)
}
