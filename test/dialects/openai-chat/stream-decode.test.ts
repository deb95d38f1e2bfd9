import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Quirks } from '../../../src/catalog/provider.ts'
import { failure } from '../../../src/core/failure.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { firstViolation } from '../../support/validator.ts'
import { cutsOf } from '../streams.ts'
import { chunk, decodeStream, decodeText, DONE, exchanges, replyContext, toolChunk, wireStream } from './support.ts'

describe('documented exchanges', () => {
  for (const { name, stream, reply, neutral } of exchanges()) {
    test(`${name}: the stream folds to its neutral reply`, () => {
      expect(foldEvents(decodeStream([stream]))).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: the plain reply decodes to the same`, () => {
      expect(openaiChat.decodeReply(reply, replyContext())).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: where the network cuts the bytes never matters`, () => {
      const whole = decodeStream([stream])
      expect(firstViolation(whole)).toBeUndefined()
      fc.assert(
        fc.property(cutsOf(stream), (chunks) => expect(decodeStream(chunks)).toEqual(whole)),
        { numRuns: 40 },
      )
      expect(decodeStream([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
    })

    test(`${name}: a stream that ends too early is a failure, never a shorter answer`, () => {
      const frames = Buffer.from(stream).toString().split('\n\n')
      const last = frames.findIndex((frame) => frame.includes('"finish_reason":"'))
      for (let count = 0; count < last; count++) {
        const events = decodeText(
          frames
            .slice(0, count)
            .map((frame) => `${frame}\n\n`)
            .join(''),
        )
        expect(firstViolation(events)).toBeUndefined()
        expect(events.at(-2)?.type).toBe('failure')
      }
    })
  }
})

function failureOf(stream: string, quirks: Quirks = {}): string | undefined {
  const events = decodeText(stream, replyContext(quirks))
  expect(firstViolation(events)).toBeUndefined()
  const failed = events.find((event) => event.type === 'failure')
  return failed?.failure.kind
}

describe('failures inside a stream', () => {
  const said = chunk({ content: 'half' })
  const cases: readonly (readonly [string, readonly (JsonObject | string)[], string, Quirks?])[] = [
    ['the end without an end', [said], 'cut'],
    ['the end inside a call', [toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } })], 'cut'],
    [
      'a call is never concluded, not even on a lax host',
      [toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } })],
      'cut',
      { endsWithoutFinish: true },
    ],
    ['no bytes at all', [], 'empty'],
    ['nothing but [DONE]', [DONE], 'empty'],
    ['nothing but a role', [chunk({ role: 'assistant', content: '' }), DONE], 'empty'],
    ['an error object', [said, { error: { message: 'boom', type: 'server_error' } }], 'server'],
    ['an error string', [{ code: 'x', error: 'boom' }], 'server'],
    [
      'an error inside the choice',
      [{ choices: [{ index: 0, error: { code: 502, message: 'down' }, finish_reason: 'error' }] }],
      'server',
    ],
    ['the bare word', [said, chunk({}, 'error')], 'server'],
    ['an error in an array', ['data: [{"error":{"code":429,"message":"slow down"}}]\n\n'], 'rate_limit'],
    ['a numeric code is a status', [{ error: { code: 503, message: 'busy' } }], 'overloaded'],
    ['a flat error', [{ object: 'error', message: 'x', type: 'BadRequestError', code: 400 }], 'rejected'],
    ['clear words: length', [{ error: { message: 'too long', code: 'context_length_exceeded' } }], 'context_too_long'],
    ['clear words: money', [{ error: { message: 'no credit', code: 'insufficient_quota' } }], 'billing'],
    ['an event that is called error', ['event: error\ndata: {"message":"oops"}\n\n'], 'server'],
    ['broken JSON', [said, 'data: {"choices":[\n\n'], 'server'],
    ['not an object', ['data: 5\n\n'], 'server'],
    ['a last event without its blank line', [said, 'data: {"choices":[{"del'], 'cut'],
  ]
  for (const [name, stream, kind, quirks] of cases) {
    test(name, () => expect(failureOf(wireStream(...stream), quirks)).toBe(kind))
  }

  test('what was said before stays said', () => {
    const events = decodeText(wireStream(said, { error: { message: 'boom' } }))
    expect(events.map((event) => event.type)).toEqual(['start', 'text-start', 'text-delta', 'failure', 'end'])
  })

  test('the words of the host stay in the log, without its secrets', () => {
    const events = decodeText(wireStream({ error: { message: 'bad key sk-abcdef1234567890', type: 'server_error' } }))
    expect(events[0]).toEqual({
      type: 'failure',
      failure: failure('server', 'The provider failed to answer.', {
        detail: 'inside a 200 server_error bad key [secret]',
      }),
    })
  })
})

describe('whatever comes', () => {
  const loose = fc.oneof(
    fc.constantFrom('', 'a', '\ud83d', '<think>', '</think>', '{"a":', '1}', '{}', 'stop', 'error', 'tool_calls'),
    fc.constant(null),
    fc.integer({ min: -1, max: 2 }),
    fc.boolean(),
    fc.constant({}),
    fc.constant([]),
  )
  const fragment = fc.record(
    { index: loose, id: loose, type: loose, function: fc.oneof(loose, fc.record({ name: loose, arguments: loose })) },
    { requiredKeys: [] },
  )
  const delta = fc.record(
    {
      role: loose,
      content: fc.oneof(
        loose,
        fc.array(fc.record({ type: fc.constantFrom('text', 'thinking'), text: loose, thinking: loose })),
      ),
      reasoning_content: loose,
      reasoning_details: fc.oneof(
        loose,
        fc.array(fc.record({ type: loose, data: loose, signature: loose, index: loose })),
      ),
      refusal: loose,
      tool_calls: fc.oneof(loose, fc.array(fc.oneof(fragment, loose), { maxLength: 3 })),
      function_call: loose,
      annotations: loose,
    },
    { requiredKeys: [] },
  )
  const anyChunk = fc.record(
    {
      id: loose,
      model: loose,
      choices: fc.oneof(
        loose,
        fc.array(fc.record({ index: loose, delta: fc.oneof(delta, loose), finish_reason: loose }), { maxLength: 2 }),
      ),
      usage: loose,
      error: fc.constantFrom(undefined, null, '', 'x', {}),
    },
    { requiredKeys: [] },
  )
  const frame = fc.oneof(
    { weight: 12, arbitrary: anyChunk.map((value) => `data: ${JSON.stringify(value)}\n\n`) },
    { weight: 1, arbitrary: fc.string().map((value) => `data: ${value}\n\n`) },
    { weight: 1, arbitrary: fc.constantFrom(DONE, ': ping\n\n', '\n\n', 'event: error\ndata: {}\n\n') },
  )
  const quirks = fc.record(
    {
      mergeChoices: fc.boolean(),
      nameFragments: fc.boolean(),
      splitThinkTags: fc.boolean(),
      endsWithoutFinish: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  test('the events keep their legal order', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), quirks, (frames, odd) => {
        const events: readonly ChatEvent[] = decodeText(frames.join(''), replyContext(odd))
        expect(firstViolation(events)).toBeUndefined()
      }),
      { numRuns: 1_500 },
    )
  })

  test('a plain reply is an answer or a failure, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anyChunk, fc.object()), quirks, (body, odd) => {
        const reply = openaiChat.decodeReply(JSON.parse(JSON.stringify(body)) as JsonObject, replyContext(odd))
        if (reply.ok)
          for (const part of reply.value.parts) if (part.type === 'tool-call') expect(part.name).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })
})
