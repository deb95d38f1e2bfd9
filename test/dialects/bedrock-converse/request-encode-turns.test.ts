import { describe, expect, test } from 'bun:test'
import type { Message } from '../../../src/dialects/neutral.ts'
import { assistant, call, CLAUDE, content, LLAMA, messages, refusal, result, text, user } from './request-encoding.ts'

const MISTRAL = 'mistral.mistral-large-2407-v1:0'

describe('turns', () => {
  const CASES: readonly (readonly [name: string, messages: readonly Message[], wire: unknown])[] = [
    [
      'neighbours of one role become one turn',
      [user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d')), user(text('e'))],
      [
        { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
        { role: 'assistant', content: [{ text: 'c' }, { text: 'd' }] },
        { role: 'user', content: [{ text: 'e' }] },
      ],
    ],
    [
      'the user begins',
      [assistant(text('a')), user(text('b'))],
      [
        { role: 'user', content: [{ text: '.' }] },
        { role: 'assistant', content: [{ text: 'a' }] },
        { role: 'user', content: [{ text: 'b' }] },
      ],
    ],
    ['a conversation of nothing is one turn', [], [{ role: 'user', content: [{ text: '.' }] }]],
    [
      'blank text is left out, and a turn of it',
      [user(text('a')), assistant(text(' \n')), user(text('b'), text(''))],
      [{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }],
    ],
    [
      'system text inside a conversation is the user’s',
      [user(text('a')), { role: 'system', parts: [text('Hurry.')] }],
      [{ role: 'user', content: [{ text: 'a' }, { text: '<system-reminder>\nHurry.\n</system-reminder>' }] }],
    ],
    [
      'results of parallel calls stand in one turn, in the order of the calls and before all words',
      [user(text('q')), assistant(call('a'), call('b')), user(text('so?'), result('b', 'B')), user(result('a', 'A'))],
      [
        { role: 'user', content: [{ text: 'q' }] },
        {
          role: 'assistant',
          content: [
            { toolUse: { toolUseId: 'a', name: 'f', input: {} } },
            { toolUse: { toolUseId: 'b', name: 'f', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'a', content: [{ text: 'A' }] } },
            { toolResult: { toolUseId: 'b', content: [{ text: 'B' }] } },
            { text: 'so?' },
          ],
        },
      ],
    ],
    [
      'a call without a result gets one, and a result without a call becomes words',
      [user(text('q')), assistant(call('a')), user(result('x', 'late'))],
      [
        { role: 'user', content: [{ text: 'q' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }] },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'a', content: [{ text: '(no result)' }], status: 'error' } },
            { text: '[result of tool call x]' },
            { text: 'late' },
          ],
        },
      ],
    ],
    [
      'an empty result says so',
      [user(text('q')), assistant(call('a')), user(result('a', ''))],
      [
        { role: 'user', content: [{ text: 'q' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: '(no output)' }] } }] },
      ],
    ],
  ]
  for (const [name, given, wire] of CASES) {
    test(name, () => expect(messages({ messages: given })).toEqual(wire as never))
  }

  test('a beginning of the answer ends without white space, where the model takes one', () => {
    const given = [user(text('q')), assistant(text('Well, \n'))]
    expect(content({ messages: given }, 1)).toEqual([{ text: 'Well,' }])
    expect(refusal({ messages: given, capabilities: { prefill: false } })).toBe('messages')
  })

  test('what is no error to the model’s family says so in words', () => {
    const given = [user(text('q')), assistant(call('a')), user(result('a', 'oops', true))]
    expect(content({ messages: given, to: LLAMA }, 2)).toEqual([
      { toolResult: { toolUseId: 'a', content: [{ text: '[error]' }, { text: 'oops' }] } },
    ])
  })
})

describe('ids of calls', () => {
  const idsFor = (to: string, ids: readonly string[]) => {
    const given = [user(text('q')), assistant(...ids.map((id) => call(id))), user(...ids.map((id) => result(id, id)))]
    const blocks = [1, 2].map(
      (turn) => content({ to, messages: given }, turn) as readonly Record<string, { toolUseId: string }>[],
    )
    const [calls = [], results = []] = blocks.map((list) =>
      list.flatMap((block) => Object.values(block).map((one) => one.toolUseId)),
    )
    return { calls, results }
  }
  const IDS = ['call_1', 'functions.weather:0', 'x'.repeat(100), `${'x'.repeat(100)}y`, 'ünï', 'call_1']

  test('are legal, one for each call, and the same for its result', () => {
    const { calls, results } = idsFor(CLAUDE, IDS)
    expect(calls[0]).toBe('call_1')
    expect(new Set(calls).size).toBe(IDS.length)
    expect(results).toEqual(calls)
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(idsFor(CLAUDE, IDS)).toEqual({ calls, results })
  })

  test('are nine letters and digits where the model wants that', () => {
    const { calls, results } = idsFor(MISTRAL, [...IDS, 'abcDEF123'])
    expect(results).toEqual(calls)
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(calls.at(-1)).toBe('abcDEF123')
  })
})
