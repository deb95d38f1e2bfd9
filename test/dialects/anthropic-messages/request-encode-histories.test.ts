import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { Message, Part } from '../../../src/dialects/neutral.ts'
import { NEWEST, OLDER, targetContext } from './support.ts'
import { assistant, call, encode, result, text, user } from './request-encoding.ts'

describe('histories are brought into order', () => {
  const order: readonly [name: string, messages: readonly Message[], sent: readonly object[]][] = [
    [
      'text before results',
      [user(text('a')), assistant(call('t'), call('u')), user(text('b'), result('u')), user(result('t'))],
      [{}, {}, { content: [{ tool_use_id: 't' }, { tool_use_id: 'u' }, { text: 'b' }] }],
    ],
    [
      'a call without a result',
      [user(text('a')), assistant(call('t')), user(text('b'))],
      [{}, {}, { content: [{ tool_use_id: 't', is_error: true, content: '(no result)' }, { text: 'b' }] }],
    ],
    [
      'a call at the end',
      [user(text('a')), assistant(call('t'))],
      [{}, {}, { content: [{ tool_use_id: 't', is_error: true }] }],
    ],
    [
      'a result without a call',
      [user(result('x', 'late'))],
      [{ content: [{ text: '[result of tool call x]' }, { text: 'late' }] }],
    ],
    [
      'a result that came twice',
      [user(text('a')), assistant(call('t')), user(result('t', 'old'), result('t', 'new'))],
      [{}, {}, { content: [{ content: 'new' }] }],
    ],
    [
      'a result that came late',
      [user(text('a')), assistant(call('t')), user(text('b')), assistant(text('c')), user(result('t'))],
      [
        {},
        { content: [{ type: 'tool_use' }] },
        { content: [{ tool_use_id: 't', content: 'ok' }, { text: 'b' }] },
        { content: 'c' },
      ],
    ],
    [
      'ids that are not allowed here',
      [user(text('a')), assistant(call('functions.f:0')), user(result('functions.f:0'))],
      [
        {},
        { content: [{ id: expect.stringMatching(/^toolu_[0-9a-f]{24}$/) }] },
        { content: [{ tool_use_id: expect.stringMatching(/^toolu_/) }] },
      ],
    ],
    [
      'ids that are empty',
      [user(text('a')), assistant(call(''), call('')), user(result('', '1'), result('', '2'))],
      [{}, {}, { content: [{ content: '1' }, { content: '2' }] }],
    ],
    [
      'empty text',
      [user(text('a'), text('')), assistant(text('  '), call('t')), user(result('t', ''))],
      [{ content: 'a' }, { content: [{ type: 'tool_use' }] }, { content: [{ type: 'tool_result', tool_use_id: 't' }] }],
    ],
  ]
  for (const [name, messages, sent] of order) {
    test(name, () => {
      const target = targetContext({ ...NEWEST, prefill: true })
      const { body } = encode({ messages }, target)
      expect(body['messages']).toMatchObject(sent as never)
      expect(body['messages']).toHaveLength(sent.length)
    })
  }

  test('any history becomes one that the provider takes, the same each time', () => {
    fc.assert(
      fc.property(anyHistory(), (messages) => {
        const target = targetContext({ ...OLDER, thinking: 'adaptive' })
        const { body } = encode({ messages }, target)
        expect(encode({ messages }, target).body).toEqual(body)
        expectAccepted(body['messages'] as readonly { role: string; content: string | JsonObject[] }[])
      }),
      { numRuns: 300 },
    )
  })
})

/** Turns as decoders give them: calls of the assistant, results of the user, in any order and with any holes. */
function anyHistory(): fc.Arbitrary<readonly Message[]> {
  const id = fc.constantFrom('a', 'b', 'c.1', '')
  const words = fc.constantFrom(text('x'), text(''), text(' '))
  const thought = {
    type: 'reasoning',
    text: 't',
    redacted: false,
    opaque: { vendor: 'openai', kind: 'encrypted', blob: 'b' },
  } as const
  const partsOf = (part: fc.Arbitrary<Part>): fc.Arbitrary<readonly Part[]> => fc.array(part, { maxLength: 4 })
  const turn: fc.Arbitrary<Message> = fc.oneof(
    partsOf(
      fc.oneof(
        words,
        id.map((one) => result(one)),
      ),
    ).map((parts) => user(...parts)),
    partsOf(
      fc.oneof(
        words,
        fc.constant(thought),
        id.map((one) => call(one)),
      ),
    ).map((parts) => assistant(...parts)),
    words.map((part) => ({ role: 'system', parts: [part] }) as const),
  )
  return fc.array(turn, { maxLength: 8 })
}

/** The rules by which the provider refuses a history. */
function expectAccepted(turns: readonly { role: string; content: string | JsonObject[] }[]): void {
  const used = new Set<unknown>()
  let open: (Json | undefined)[] = []
  for (const [index, { role, content }] of turns.entries()) {
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    expect(blocks.length).toBeGreaterThan(0)
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id'])
    expect(blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')).toBe(true)
    expect(results).toEqual(open)
    open = role === 'assistant' ? blocks.filter(({ type }) => type === 'tool_use').map((block) => block['id']) : []
    for (const id of open) expect(used.has(id)).toBe(false)
    for (const id of open) used.add(id)
    for (const block of blocks) if (block['type'] === 'text') expect(String(block['text']).trim()).not.toBe('')
  }
  expect(open).toEqual([])
}
