import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Message, Part } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { assistant, call, encoded, image, messagesOf, result, text, user } from './request-encoding.ts'

describe('laws', () => {
  const parts = fc.oneof(
    fc.string({ minLength: 1 }).map(text),
    fc.constantFrom('1', '2', '3').map((id) => call(id)),
    fc.constantFrom('1', '2', '3', '9').map((id) => result(id, text('ok'))),
    fc.constant<Part>(image),
    fc.constant<Part>({ type: 'reasoning', text: 'hm', redacted: false }),
  )
  const turns = fc.array(
    fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      parts: fc.array(parts, { maxLength: 5 }),
    }),
    { maxLength: 8 },
  )

  test('each call is answered exactly once, directly behind its turn', () => {
    fc.assert(
      fc.property(turns, (messages) => {
        const wire = messagesOf({ messages: messages.map(withSingleCalls) }) as readonly JsonObject[]
        let open: string[] = []
        for (const message of wire) {
          if (message['role'] === 'tool') expect(message['tool_call_id'] as string).toBe(open.shift() ?? '(none)')
          else expect(open).toEqual([])
          if (Array.isArray(message['tool_calls']))
            open = message['tool_calls'].map((wireTool: JsonObject) => String(wireTool['id']))
        }
        expect(open).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('the same request gives the same bytes', () => {
    fc.assert(
      fc.property(turns, (messages) => {
        const once = JSON.stringify(encoded({ messages }, { quirks: { nineCharacterToolIds: true } }).body)
        expect(JSON.stringify(encoded({ messages }, { quirks: { nineCharacterToolIds: true } }).body)).toBe(once)
      }),
      { numRuns: 50 },
    )
  })

  test('a text conversation decodes to what was encoded', () => {
    const words = fc.string({ minLength: 1 })
    const turn = fc.record({ ask: words, answer: words })
    fc.assert(
      fc.property(words, fc.array(turn, { minLength: 1, maxLength: 4 }), (system, exchanges) => {
        const messages = exchanges.flatMap(({ ask, answer }) => [user(text(ask)), assistant(text(answer))])
        const { body } = encoded({ system: [text(system)], messages })
        const decoded = openaiChat.decodeRequest(body, new Headers())
        expect(decoded.ok && decoded.value).toMatchObject({ system: [text(system)], messages })
      }),
      { numRuns: 100 },
    )
  })
})

/** A turn names a call's id once, as models do. */
function withSingleCalls({ role, parts }: Message): Message {
  const ids = new Set<string>()
  const kept = parts.filter((part) => {
    if (part.type !== 'tool-call') return true
    const seen = ids.has(part.id)
    ids.add(part.id)
    return !seen && role === 'assistant'
  })
  return { role, parts: kept }
}
