/** Streams of hosts, read to their end. */
import { expect } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { firstViolation } from '../../support/validator.ts'
import { decodeText, replyContext } from './support.ts'

export type Parts = ChatReply['parts']

export const text = (words: string): Parts[number] => ({ type: 'text', text: words })

export const call = (id: string, name: string, argumentsText: string): Parts[number] => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})

export function replyTo(stream: string, quirks: Quirks = {}): ChatReply {
  const events = decodeText(stream, replyContext(quirks))
  expect(firstViolation(events)).toBeUndefined()
  const folded = foldEvents(events)
  if (!folded.ok) throw new Error(`${folded.error.kind}: ${folded.error.message}`)
  return folded.value
}

export const usage = (prompt: number, completion: number): JsonObject => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
})
