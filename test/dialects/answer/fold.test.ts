import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { firstViolation } from '../../support/validator.ts'

type ReplyPart = ChatReply['parts'][number]

const START: ChatEvent = { type: 'start', id: 'x', model: 'm' }
const END: readonly ChatEvent[] = [{ type: 'finish', finish: { reason: 'stop' } }, { type: 'end' }]

function anyReply(): fc.Arbitrary<ChatReply> {
  const text = fc.string()
  const opaque = fc.record({
    vendor: fc.constantFrom('anthropic', 'openai'),
    kind: fc.constantFrom('signature', 'encrypted'),
    blob: text,
  })
  const part: fc.Arbitrary<ReplyPart> = fc.oneof(
    text.map((words) => ({ type: 'text', text: words }) as const),
    text.map((words) => ({ type: 'text', text: words, citations: [{ url: words }] }) as const),
    text.map((words) => ({ type: 'refusal', text: words }) as const),
    fc
      .tuple(text, fc.boolean(), opaque)
      .map(([words, redacted, state]) => ({ type: 'reasoning', text: words, redacted, opaque: state }) as const),
    text.map((words) => ({ type: 'reasoning', text: words, redacted: false }) as const),
    fc
      .tuple(text, fc.constantFrom('function', 'custom'))
      .map(([words, kind]) => ({ type: 'tool-call', id: 'c', name: 'f', kind, argumentsText: words }) as const),
    fc.constant({ type: 'foreign', origin: 'openai-chat', kind: 'k', raw: { type: 'k' } } as const),
  )
  const finish = fc.constantFrom(
    { reason: 'stop' } as const,
    { reason: 'length' } as const,
    { reason: 'other', raw: 'new', inferred: true } as const,
  )
  const usage = fc.nat().map((output) => ({ ...NO_USAGE, output, tier: 'standard' }))
  return fc.record({ id: text, model: text, parts: fc.array(part, { maxLength: 8 }), finish, usage })
}

describe('a reply and its stream', () => {
  test('folding undoes unfolding', () => {
    fc.assert(
      fc.property(anyReply(), (reply) => expect(foldEvents(unfoldReply(reply))).toEqual({ ok: true, value: reply })),
    )
  })

  test('what is unfolded is in the legal order', () => {
    fc.assert(fc.property(anyReply(), (reply) => expect(firstViolation(unfoldReply(reply))).toBeUndefined()))
  })

  test('pings and how the text is divided do not matter', () => {
    fc.assert(
      fc.property(anyReply(), (reply) => {
        const events = unfoldReply(reply).flatMap((event): readonly ChatEvent[] => {
          if (!event.type.endsWith('-delta') || !('text' in event)) return [event, { type: 'ping' }]
          return [...event.text].map((text) => ({ ...event, text }))
        })
        expect(foldEvents(events)).toEqual({ ok: true, value: reply })
      }),
    )
  })

  test('a reply without names stays without them', () => {
    const reply: ChatReply = { parts: [], finish: { reason: 'stop' }, usage: NO_USAGE }
    expect(foldEvents(unfoldReply(reply))).toEqual({ ok: true, value: reply })
    expect(unfoldReply(reply)[0]).toEqual({ type: 'start' })
  })
})

describe('folding', () => {
  const text = (words: string): readonly ChatEvent[] => [
    { type: 'text-start' },
    { type: 'text-delta', text: words },
    { type: 'text-end' },
  ]

  test('the last usage counts, whole', () => {
    const usages: ChatEvent[] = [1, 2].map((output) => ({ type: 'usage', usage: { ...NO_USAGE, output } }))
    expect(foldEvents([START, ...usages, ...END])).toMatchObject({ ok: true, value: { usage: { output: 2 } } })
  })

  test('a failure is the result, whatever came before', () => {
    const failed: ChatEvent = { type: 'failure', failure: { kind: 'overloaded', message: 'm' } }
    expect(foldEvents([START, ...text('a'), failed, { type: 'end' }])).toEqual({
      ok: false,
      error: { kind: 'overloaded', message: 'm' },
    })
  })

  test('a stream without an end is cut', () => {
    expect(foldEvents([START, ...text('a')])).toMatchObject({ ok: false, error: { kind: 'cut' } })
  })

  test('parts without text are parts', () => {
    const parts: readonly ChatEvent[] = [
      { type: 'text-start' },
      { type: 'text-end' },
      { type: 'tool-call-start', id: 'c', name: 'f', kind: 'function' },
      { type: 'tool-call-end', complete: true },
    ]
    expect(foldEvents([START, ...parts, ...END])).toMatchObject({
      ok: true,
      value: {
        parts: [
          { type: 'text', text: '' },
          { id: 'c', argumentsText: '' },
        ],
      },
    })
  })

  test('arguments that a limit cut are unfolded as incomplete', () => {
    const call: ReplyPart = { type: 'tool-call', id: 'c', name: 'f', kind: 'function', argumentsText: '{"a' }
    const events = unfoldReply({ parts: [call], finish: { reason: 'length' }, usage: NO_USAGE })
    expect(events).toContainEqual({ type: 'tool-call-end', complete: false })
  })
})
