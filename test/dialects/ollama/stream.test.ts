/** What a server's lines may hold besides what the documentation shows, and the lines that a client gets, one by one. */
import { describe, expect, test } from 'bun:test'
import { failure, type FailureKind } from '../../../src/core/failure.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply, StopReason } from '../../../src/dialects/neutral.ts'
import { ollamaGenerate } from '../../../src/dialects/ollama/index.ts'
import { firstViolation } from '../../support/validator.ts'
import { clientContext } from '../samples/wire.ts'
import { encodeAll, folded } from '../streams.ts'
import { decodeLines, rendered } from './support.ts'

type Lines = readonly (object | string)[]
type ReplyPart = ChatReply['parts'][number]

function eventsOf(lines: Lines): readonly ChatEvent[] {
  const told = decodeLines(...lines)
  expect(firstViolation(told)).toBeUndefined()
  return told
}

const line = (message: object, more: object = {}): object => ({
  model: 'qwen3',
  created_at: '2026-11-21T00:00:00Z',
  message: { role: 'assistant', ...message },
  done: false,
  ...more,
})
const DONE = line({ content: '' }, { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 })
const calling = (name: string, args: unknown, id?: string): object => ({
  content: '',
  tool_calls: [{ ...(id === undefined ? {} : { id }), function: { name, arguments: args } }],
})

const text = (words: string): ReplyPart => ({ type: 'text', text: words })
const call = (id: string, name: string, argumentsText: string): ReplyPart => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})
const thought = (words: string): ReplyPart => ({
  type: 'reasoning',
  text: words,
  redacted: false,
  opaque: { vendor: 'ollama', kind: 'signature', blob: '' },
})

describe('lines of a server', () => {
  const CASES: readonly (readonly [name: string, lines: Lines, parts: ChatReply['parts']])[] = [
    [
      'text, call, text, call keep their order',
      [
        line({ content: 'a' }),
        line(calling('f', {}, '1')),
        line({ content: 'b' }),
        line(calling('g', { x: 1 }, '2')),
        DONE,
      ],
      [text('a'), call('1', 'f', ''), text('b'), call('2', 'g', '{"x":1}')],
    ],
    [
      'a change of kind closes the part before',
      [line({ thinking: 'a' }), line({ content: 'b' }), line({ thinking: 'c' }), line({ content: 'd' }), DONE],
      [thought('a'), text('b'), thought('c'), text('d')],
    ],
    ['thinking and text on one line', [line({ thinking: 'hm', content: 'so' }), DONE], [thought('hm'), text('so')]],
    ['thinking alone is an answer', [line({ thinking: 'hm' }), DONE], [thought('hm')]],
    ['arguments as text', [line(calling('f', '{"x":1}', '1')), DONE], [call('1', 'f', '{"x":1}')]],
    ['arguments that are null', [line(calling('f', null, '1')), DONE], [call('1', 'f', '')]],
    [
      'what stands on the last line',
      [line({ content: 'a' }), line({ content: 'b' }, { done: true, done_reason: 'stop' })],
      [text('ab')],
    ],
    ['empty and null pieces open nothing', [line({ content: '', thinking: null, tool_calls: null }), DONE], []],
    ['an empty line', ['\n', line({ content: 'a' }), '\n', DONE], [text('a')]],
    ['what comes after the end is ignored', [line({ content: 'a' }), DONE, line({ content: 'b' }), DONE], [text('a')]],
    [
      'a prompt’s answer, whose text stands outside of a message',
      [
        { model: 'm', response: 'a', thinking: 'hm', done: false },
        { model: 'm', response: '', done: true, done_reason: 'stop' },
      ],
      [thought('hm'), text('a')],
    ],
  ]
  for (const [name, lines, parts] of CASES) test(name, () => expect(folded(eventsOf(lines)).parts).toEqual(parts))

  const ENDS: readonly (readonly [word: string | undefined, hasCall: boolean, finish: object])[] = [
    ['stop', true, { reason: 'tool-calls' }],
    ['stop', false, { reason: 'stop' }],
    ['length', true, { reason: 'length' }],
    ['load', false, { reason: 'other', raw: 'load' }],
    [undefined, false, { reason: 'stop', inferred: true }],
  ]
  for (const [word, hasCall, finish] of ENDS) {
    test(`${word ?? 'no reason'} ${hasCall ? 'with' : 'without'} a call is ${JSON.stringify(finish)}`, () => {
      const last = line({ content: '' }, { done: true, ...(word === undefined ? {} : { done_reason: word }) })
      const lines = [line(hasCall ? calling('f', {}) : { content: 'a' }), last]
      expect(folded(eventsOf(lines)).finish).toEqual(finish as never)
    })
  }

  test('figures of any line count, the last ones win, and none is an unknown', () => {
    const counted = line({ content: 'a' }, { prompt_eval_count: 9, eval_count: 1 })
    expect(folded(eventsOf([counted, DONE])).usage).toMatchObject({ inputUncached: 3, output: 2 })
    const bare = line({ content: '' }, { done: true, done_reason: 'stop' })
    expect(eventsOf([line({ content: 'a' }), bare]).some(({ type }) => type === 'usage')).toBe(false)
  })

  const FAILURES: readonly (readonly [name: string, lines: Lines, kind: FailureKind])[] = [
    ['no bytes', [], 'empty'],
    ['no content and no end', [line({ content: '' })], 'empty'],
    ['text without an end', [line({ content: 'half' })], 'cut'],
    ['a call without an end', [line(calling('f', {}))], 'cut'],
    ['an error after text', [line({ content: 'half' }), { error: 'llama runner crashed' }], 'server'],
    ['an error first', [{ error: 'server busy, please try again' }], 'overloaded'],
    ['an error as an object', [{ error: { message: 'input length exceeds the context length' } }], 'context_too_long'],
    ['a page', ['<html>busy</html>\n'], 'server'],
    ['half a line', [line({ content: 'a' }), '{"model":"qwen3","mess'], 'cut'],
  ]
  for (const [name, lines, kind] of FAILURES) {
    test(`${name} is no whole answer`, () => {
      expect(foldEvents(eventsOf(lines))).toMatchObject({ ok: false, error: { kind } })
    })
  }
})

const USAGE = { ...NO_USAGE, inputUncached: 5, cacheRead: 3, output: 4 }

function shown(parts: ChatReply['parts'], reason: StopReason = 'stop') {
  return rendered(unfoldReply({ parts, finish: { reason }, usage: USAGE }))
}

describe('lines for a client', () => {
  test('each piece has a line of its own, and the last one has the reason and the figures', () => {
    const lines = shown([thought('hm'), text('a'), call('c', 'f', '{"x":1}')], 'tool-calls')
    const head = { model: 'some/model', created_at: '2026-01-15T12:00:00.000Z' }
    expect(lines).toMatchObject([
      { ...head, message: { role: 'assistant', content: '', thinking: 'hm' }, done: false },
      { ...head, message: { role: 'assistant', content: 'a' }, done: false },
      {
        ...head,
        message: { content: '', tool_calls: [{ id: 'c', function: { index: 0, name: 'f', arguments: { x: 1 } } }] },
        done: false,
      },
      { ...head, message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 8, eval_count: 4 },
    ])
    expect(lines).toHaveLength(4)
  })

  test('no content at all is the last line alone', () => {
    expect(shown([])).toMatchObject([{ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }])
  })

  test('calls are whole, numbered densely, and without arguments have an empty object', () => {
    const calls = shown([call('a', 'f', ''), text('and'), call('b', 'g', '{"y":2}')], 'tool-calls').flatMap(
      ({ message }) => message.tool_calls ?? [],
    )
    expect(calls).toEqual([
      { id: 'a', function: { index: 0, name: 'f', arguments: {} } },
      { id: 'b', function: { index: 1, name: 'g', arguments: { y: 2 } } },
    ])
  })

  test('a call that a limit cut is left out, one that is whole is not', () => {
    const events = (argumentsText: string): readonly ChatEvent[] => [
      { type: 'start' },
      { type: 'tool-call-start', id: 'c', name: 'f', kind: 'function' },
      { type: 'tool-call-delta', text: argumentsText },
      { type: 'tool-call-end', complete: false },
      { type: 'finish', finish: { reason: 'length' } },
      { type: 'end' },
    ]
    expect(rendered(events('{"x":'))).toMatchObject([{ done: true, done_reason: 'length' }])
    expect(rendered(events('{"x":1}'))).toHaveLength(2)
  })

  test('a state that nobody can read leaves no line, and neither does a change of target before any content', () => {
    const opaque = { vendor: 'openai', kind: 'encrypted', blob: 'x' } as const
    expect(shown([{ type: 'reasoning', text: '', redacted: true, opaque }])).toHaveLength(1)
    expect(rendered([{ type: 'start' }, { type: 'start' }, { type: 'usage', usage: USAGE }])).toEqual([])
  })

  test('an error is the last line, and nothing says that the answer is whole', () => {
    const lines = rendered([
      { type: 'start' },
      { type: 'text-start' },
      { type: 'text-delta', text: 'half' },
      { type: 'failure', failure: failure('cut', 'It broke.') },
      { type: 'end' },
    ])
    expect(lines.at(-1)).toEqual({ error: 'It broke.' })
    expect(lines.some(({ done }) => done)).toBe(false)
  })

  test('usage that the provider never gave is estimated', () => {
    const events = unfoldReply({ parts: [text('four letters')], finish: { reason: 'stop' }, usage: USAGE })
    expect(rendered(events.filter(({ type }) => type !== 'usage')).at(-1)).toMatchObject({
      prompt_eval_count: 5,
      eval_count: 3,
    })
  })

  test('a client that sent a prompt gets text instead of messages', () => {
    const reply: ChatReply = { parts: [thought('hm'), text('a')], finish: { reason: 'stop' }, usage: USAGE }
    expect(rendered(unfoldReply(reply), ollamaGenerate)).toMatchObject([
      { response: '', thinking: 'hm', done: false },
      { response: 'a', done: false },
      { response: '', done: true },
    ])
    expect(ollamaGenerate.encodeReply(reply, clientContext())).toMatchObject({
      response: 'a',
      thinking: 'hm',
      done: true,
    })
  })

  test('a sign of life is white space, which is part of no line', () => {
    const events: readonly ChatEvent[] = [
      { type: 'start' },
      { type: 'ping' },
      ...unfoldReply({ parts: [text('a')], finish: { reason: 'stop' }, usage: USAGE }).slice(1),
    ]
    const written = encodeAll(ollamaGenerate, events, clientContext())
    expect(written).toStartWith(' {')
    expect(JSON.parse(written.split('\n')[0] ?? '')).toMatchObject({ response: 'a' })
  })
})
