/** How what goes on is joined to what was cut: no word twice, no word lost, and events in the legal order. */
import { describe, expect, test } from 'bun:test'
import { array, assert, integer, oneof, property, string } from 'fast-check'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import { beyondOverlap } from '../../../src/gateway/streaming/overlap.ts'
import { Seam } from '../../../src/gateway/streaming/seam.ts'
import { firstViolation } from '../../support/validator.ts'

describe('what is beyond the text so far', () => {
  const told = 'The quick brown fox jumps over the lazy'
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['a new word', told, ' dog.', ' dog.'],
    ['what repeats the end', told, 'jumps over the lazy dog.', ' dog.'],
    ['what repeats all', told, `${told} dog.`, ' dog.'],
    ['a short repetition, which may be meant', 'It costs 1000', '000 dollars', '000 dollars'],
    ['the white space that the client has', 'one \n', ' \ntwo', 'two'],
    ['a part of that white space', 'one\n\n', '\ntwo', 'two'],
    ['more white space than that', 'one\n', '\n\ntwo', '\ntwo'],
    ['no white space where there was some', 'one ', 'two', 'two'],
    ['nothing', told, '', ''],
  ]
  test.each(cases)('%s', (_, text, added, rest) => {
    expect(beyondOverlap(text, added, true)).toBe(rest)
  })

  test('is not told as long as more may be repeated', () => {
    expect(beyondOverlap(told, 'jumps over', false)).toBeUndefined()
    expect(beyondOverlap(told, 'jumps high', false)).toBe('jumps high')
  })

  test('is told after a bounded number of characters', () => {
    const text = 'ab'.repeat(10_000)
    expect(beyondOverlap(text, 'ab'.repeat(300), false)).toBeDefined()
  })
})

const CUT_TEXT = 'The answer so far, which stops in the'
const BEFORE: readonly ChatEvent[] = [{ type: 'start' }, { type: 'text-start' }, { type: 'text-delta', text: CUT_TEXT }]

function joined(events: readonly ChatEvent[], text = CUT_TEXT): readonly ChatEvent[] {
  const seam = new Seam({ text, usage: { ...NO_USAGE, inputUncached: 10, output: 5 } })
  return [...BEFORE, ...events.flatMap((event) => seam.push(event))]
}

const replyOf = (parts: ChatReply['parts']): ChatReply => ({
  parts,
  finish: { reason: 'stop' },
  usage: { ...NO_USAGE, inputUncached: 12, output: 7 },
})

function folded(events: readonly ChatEvent[]): ChatReply {
  const reply = foldEvents(events)
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

describe('a seam', () => {
  test('makes one text of two, and sums the usage', () => {
    const reply = folded(joined(unfoldReply(replyOf([{ type: 'text', text: ' middle.' }]))))
    expect(reply.parts).toEqual([{ type: 'text', text: `${CUT_TEXT} middle.` }])
    expect(reply.usage).toMatchObject({ inputUncached: 22, output: 12 })
  })

  test('leaves out what is thought before it, and keeps what comes after the text', () => {
    const parts: ChatReply['parts'] = [
      { type: 'reasoning', text: 'hm', redacted: false },
      { type: 'text', text: ' middle.' },
      { type: 'tool-call', id: 'a', name: 'look', kind: 'function', argumentsText: '{}' },
    ]
    const types = folded(joined(unfoldReply(replyOf(parts)))).parts.map(({ type }) => type)
    expect(types).toEqual(['text', 'tool-call'])
  })

  test('moves citations to where their words are', () => {
    const citations = [{ url: 'https://example.com', span: { start: 1, end: 7 } }]
    const [part] = folded(joined(unfoldReply(replyOf([{ type: 'text', text: ' middle.', citations }])))).parts
    const start = CUT_TEXT.length + 1
    expect(part).toMatchObject({ citations: [{ span: { start, end: start + 6 } }] })
  })

  test('keeps the legal order, whatever goes on and however it is cut into pieces', () => {
    const text = string({ maxLength: 40 })
    const part = oneof(
      text.map((said) => ({ type: 'text' as const, text: said })),
      text.map((said) => ({ type: 'reasoning' as const, text: said, redacted: false })),
      text.map((said) => ({ type: 'refusal' as const, text: said })),
      text.map((said) => ({
        type: 'tool-call' as const,
        id: 'a',
        name: 'n',
        kind: 'function' as const,
        argumentsText: said,
      })),
    )
    assert(
      property(array(part, { maxLength: 5 }), integer({ min: 1, max: 5 }), (parts, size) => {
        const events = unfoldReply(replyOf(parts)).flatMap((event) => inPieces(event, size))
        expect(firstViolation(joined(events))).toBeUndefined()
      }),
    )
  })

  test('stays legal when what goes on breaks, too', () => {
    const broken: readonly ChatEvent[] = [
      { type: 'start' },
      { type: 'text-start' },
      { type: 'failure', failure: { kind: 'cut', message: 'cut' } },
      { type: 'end' },
    ]
    expect(firstViolation(joined(broken))).toBeUndefined()
  })
})

function inPieces(event: ChatEvent, size: number): readonly ChatEvent[] {
  if (event.type !== 'text-delta') return [event]
  const count = Math.ceil(event.text.length / size)
  return Array.from({ length: count }, (_, at) => ({ ...event, text: event.text.slice(at * size, (at + 1) * size) }))
}
