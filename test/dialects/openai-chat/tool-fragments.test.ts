/** The oddities of streaming.md's normaliser, one row each: fragments in, whole calls out. */
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import { firstViolation } from '../../support/validator.ts'
import { chunk, decodeText, DONE, replyContext, toolChunk, wireStream } from './support.ts'

const NEW_ID = 'synthesised'

/** `[id, name, arguments]` of each call; an id of ours shows as `NEW_ID`. */
function callsOf(deltas: readonly JsonObject[], quirks: Quirks = {}): readonly (readonly string[])[] | string {
  const stream = wireStream(...deltas, chunk({}, 'tool_calls'), DONE)
  const events = decodeText(stream, replyContext(quirks))
  expect(firstViolation(events)).toBeUndefined()
  const reply = foldEvents(events)
  if (!reply.ok) return reply.error.kind
  return reply.value.parts
    .filter((part) => part.type === 'tool-call')
    .map(({ id, name, argumentsText }) => [/^call_\w{24}$/.test(id) ? NEW_ID : id, name, argumentsText])
}

function fragment(
  index: number | string | undefined,
  id?: string,
  name?: string,
  args?: string | JsonObject | null,
): JsonObject {
  const body = { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) }
  return toolChunk({ ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: body })
}

interface Case {
  readonly name: string
  readonly deltas: readonly JsonObject[]
  readonly quirks?: Quirks
  readonly calls: readonly (readonly string[])[] | string
}

const CASES: readonly Case[] = [
  {
    name: 'an index that starts at 1 and has gaps',
    deltas: [fragment(1, 'a', 'f', '{"x":1}'), fragment(7, 'b', 'g', '{}')],
    calls: [
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{}'],
    ],
  },
  {
    name: 'no index, whole calls with ids',
    deltas: [fragment(undefined, 'a', 'f', '{"x":1}'), fragment(undefined, 'b', 'f', '{"x":2}')],
    calls: [
      ['a', 'f', '{"x":1}'],
      ['b', 'f', '{"x":2}'],
    ],
  },
  {
    name: 'no index, no id, arguments in pieces',
    deltas: [
      fragment(undefined, undefined, 'f', '{"x"'),
      fragment(undefined, undefined, undefined, ':1}'),
      fragment(undefined, undefined, 'g', '{}'),
    ],
    calls: [
      [NEW_ID, 'f', '{"x":1}'],
      [NEW_ID, 'g', '{}'],
    ],
  },
  {
    name: 'no index, calls without arguments told apart by their ids',
    deltas: [fragment(undefined, 'a', 'f', ''), fragment(undefined, 'b', 'g', '')],
    calls: [
      ['a', 'f', ''],
      ['b', 'g', ''],
    ],
  },
  {
    name: 'no index, pieces found by their id',
    deltas: [
      fragment(undefined, 'a', 'f', '{"x"'),
      fragment(undefined, 'b', 'g', '{"y"'),
      fragment(undefined, 'a', undefined, ':1}'),
      fragment(undefined, 'b', undefined, ':2}'),
    ],
    calls: [
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{"y":2}'],
    ],
  },
  {
    name: 'an index that comes again with another id and a name',
    deltas: [
      fragment(0, 'a', 'f', '{"x":1}'),
      fragment(0, 'b', 'f', '{"x":2}'),
      fragment(0, undefined, undefined, ' '),
    ],
    calls: [
      ['a', 'f', '{"x":1}'],
      ['b', 'f', '{"x":2} '],
    ],
  },
  {
    name: 'an index that comes again without ids',
    deltas: [fragment(0, '', 'f', '{"x":1}'), fragment(0, '', 'f', '{"x":2}'), fragment(0, '', 'g', '{}')],
    calls: [
      [NEW_ID, 'f', '{"x":1}'],
      [NEW_ID, 'f', '{"x":2}'],
      [NEW_ID, 'g', '{}'],
    ],
  },
  {
    name: 'an index as text',
    deltas: [fragment('0', 'a', 'f', '{'), fragment('0', undefined, undefined, '}')],
    calls: [['a', 'f', '{}']],
  },
  {
    name: 'interleaved fragments of parallel calls',
    deltas: [
      fragment(0, 'a', 'f', ''),
      fragment(1, 'b', 'g', ''),
      fragment(0, undefined, undefined, '{"x":'),
      fragment(1, undefined, undefined, '{"y":'),
      fragment(0, undefined, undefined, '1}'),
      fragment(1, undefined, undefined, '2}'),
    ],
    calls: [
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{"y":2}'],
    ],
  },
  {
    name: 'arguments that parse on the way are not the end of a call',
    deltas: [
      fragment(0, 'a', 'f', '{"x":1}'),
      fragment(0, undefined, undefined, '\n'),
      fragment(0, undefined, undefined, ' '),
    ],
    calls: [['a', 'f', '{"x":1}\n ']],
  },
  {
    name: 'the name comes after the arguments have begun',
    deltas: [fragment(0, undefined, '', '{"x"'), fragment(0, 'a', 'f', ':1}')],
    calls: [['a', 'f', '{"x":1}']],
  },
  { name: 'the name never comes', deltas: [fragment(0, 'a', '', '{"x":1}')], calls: 'server' },
  { name: 'the id is empty', deltas: [fragment(0, '', 'f', '{}')], calls: [[NEW_ID, 'f', '{}']] },
  {
    name: 'an id that comes after the name is too late',
    deltas: [fragment(0, undefined, 'f', '{'), fragment(0, 'late', undefined, '}')],
    calls: [[NEW_ID, 'f', '{}']],
  },
  {
    name: 'id and name on every fragment',
    deltas: [fragment(0, 'a', 'f', '{"x"'), fragment(0, 'a', 'f', ':1}')],
    calls: [['a', 'f', '{"x":1}']],
  },
  {
    name: 'one id for two calls',
    deltas: [fragment(0, 'a', 'f', '{}'), fragment(1, 'a', 'f', '{}')],
    calls: [
      ['a', 'f', '{}'],
      [NEW_ID, 'f', '{}'],
    ],
  },
  {
    name: 'arguments as an object, and as null',
    deltas: [fragment(0, 'a', 'f', { x: 1 }), fragment(1, 'b', 'g', null)],
    calls: [
      ['a', 'f', '{"x":1}'],
      ['b', 'g', ''],
    ],
  },
  { name: 'no arguments', deltas: [fragment(0, 'a', 'f', '')], calls: [['a', 'f', '']] },
  {
    name: 'a name in pieces, on a host that does so',
    deltas: [fragment(0, 'a', 'get_', ''), fragment(0, undefined, 'time', ''), fragment(0, undefined, undefined, '{}')],
    quirks: { nameFragments: true },
    calls: [['a', 'get_time', '{}']],
  },
  {
    name: 'a name in pieces without arguments',
    deltas: [fragment(0, 'a', 'get_', ''), fragment(0, undefined, 'time', '')],
    quirks: { nameFragments: true },
    calls: [['a', 'get_time', '']],
  },
  {
    name: 'text between calls',
    deltas: [fragment(0, 'a', 'f', '{}'), chunk({ content: 'and' }), fragment(1, 'b', 'g', '{}')],
    calls: [
      ['a', 'f', '{}'],
      ['b', 'g', '{}'],
    ],
  },
  {
    name: 'more arguments for a call that had to be closed',
    deltas: [
      fragment(0, 'a', 'f', '{"path":"/"'),
      chunk({ content: 'and' }),
      fragment(0, undefined, undefined, ',"x":1}'),
    ],
    calls: 'server',
  },
]

describe('fragments of tool calls', () => {
  for (const { name, deltas, quirks, calls } of CASES) test(name, () => expect(callsOf(deltas, quirks)).toEqual(calls))

  test('names come back as the client wrote them', () => {
    const context = replyContext({}, { toolNames: new Map([['a_b', 'a.b']]) })
    const events = decodeText(wireStream(fragment(0, 'x', 'a_b', '{}'), chunk({}, 'tool_calls')), context)
    expect(events).toContainEqual({ type: 'tool-call-start', id: 'x', name: 'a.b', kind: 'function' })
  })

  test('the first call streams while it grows', () => {
    const events = decodeText(wireStream(fragment(0, 'a', 'f', '{"x"'), fragment(0, undefined, undefined, ':1}')))
    expect(events.map((event) => event.type).slice(1, 4)).toEqual([
      'tool-call-start',
      'tool-call-delta',
      'tool-call-delta',
    ])
  })

  test('more calls than any answer has are refused', () => {
    const many = Array.from({ length: 200 }, (_, index) => fragment(index, `id${index}`, 'f', '{}'))
    expect(callsOf(many)).toBe('server')
  })

  test('however the fragments of parallel calls interleave, none is lost', () => {
    const calls = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string(), { minKeys: 1 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat()), (inputs, choices) => {
        const queues = inputs.map((input, index) => [
          fragment(index, `id${index}`, 'f', ''),
          ...pieces(JSON.stringify(input)).map((piece) => fragment(index, undefined, undefined, piece)),
        ])
        const expected = inputs.map((input, index) => [`id${index}`, 'f', JSON.stringify(input)])
        expect(callsOf(interleaved(queues, choices)).toString()).toBe(expected.toString())
      }),
      { numRuns: 100 },
    )
  })
})

function pieces(text: string): readonly string[] {
  return text.match(/.{1,5}/gs) ?? []
}

/** Starts come in order, as an index shows the order of the calls; what follows comes in any. */
function interleaved(queues: readonly (readonly JsonObject[])[], choices: Iterator<number>): readonly JsonObject[] {
  const starts = queues.flatMap((queue) => queue.slice(0, 1))
  const rest = queues.map((queue) => queue.slice(1))
  const mixed: JsonObject[] = []
  for (;;) {
    const open = rest.filter((queue) => queue.length > 0)
    if (open.length === 0) return [...starts, ...mixed]
    const next = open[(choices.next().value ?? 0) % open.length]?.shift()
    if (next !== undefined) mixed.push(next)
  }
}
