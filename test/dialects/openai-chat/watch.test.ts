/** Streams and replies that pass through: what is seen of them without changing a byte. */
import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { Failure } from '../../../src/core/failure.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { scanObject } from '../../../src/core/json-scan.ts'
import type { StreamWatcher, WatchedFrame } from '../../../src/dialects/dialect.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { framesOf } from '../streams.ts'
import { chunk, decodeText, DONE, exchanges, replyContext, toolChunk, wireStream } from './support.ts'

interface Watched {
  readonly frames: readonly WatchedFrame[]
  readonly failure: Failure | undefined
  readonly watcher: StreamWatcher
}

function watched(
  stream: string,
  { quirks = {}, omitUsage = false }: { quirks?: Quirks; omitUsage?: boolean } = {},
): Watched {
  const watcher = openaiChat.passThrough.streamWatcher(replyContext(quirks), omitUsage)
  const frames = framesOf('sse', Buffer.from(stream)).map((frame) => watcher.push(frame))
  const failed = frames.find((frame) => frame.failure !== undefined)?.failure
  return { frames, failure: failed ?? watcher.finish(), watcher }
}

const USAGE = { prompt_tokens: 5, completion_tokens: 2 }
const usageChunk: JsonObject = { id: 'c1', choices: [], usage: USAGE }

describe('a stream that passes through', () => {
  for (const { name, stream, neutral } of exchanges()) {
    test(`${name}: the watcher sees what the decoder sees`, () => {
      const { frames, failure, watcher } = watched(Buffer.from(stream).toString())
      expect(failure).toBeUndefined()
      expect(watcher.usage).toEqual(neutral.usage)
      expect(frames.at(-1)?.ended).toBe(true)
      expect(frames.filter((frame) => frame.omit)).toEqual([])
      const events = decodeText(Buffer.from(stream).toString())
      expect(frames.some((frame) => frame.content)).toBe(events.some((event) => event.type.endsWith('-start')))
    })
  }

  const contents: readonly (readonly [string, JsonObject, boolean])[] = [
    ['a role', { role: 'assistant', content: '' }, false],
    ['nothing', {}, false],
    ['null', { content: null, tool_calls: null }, false],
    ['text', { content: 'a' }, true],
    ['parts', { content: [{ type: 'thinking', thinking: 'a' }] }, true],
    ['thinking', { reasoning: 'a' }, true],
    ['empty thinking', { reasoning_content: '' }, false],
    ['a refusal', { refusal: 'a' }, true],
    ['a call', { tool_calls: [{ index: 0, id: 'a' }] }, true],
    ['audio', { audio: { id: 'a' } }, true],
  ]
  for (const [name, delta, content] of contents) {
    test(`content: ${name}: ${content}`, () =>
      expect(watched(wireStream(chunk(delta))).frames[0]?.content).toBe(content))
  }

  test('the usage that we alone asked for is left out whole, and only it', () => {
    const stream = wireStream(
      { choices: [], prompt_filter_results: [] },
      { ...chunk({ content: 'a' }), usage: null },
      { ...chunk({}, 'stop'), usage: null },
      usageChunk,
      DONE,
    )
    const { frames, watcher } = watched(stream, { omitUsage: true })
    expect(frames.map((frame) => frame.omit)).toEqual([false, false, false, true, false])
    expect(watcher.usage).toMatchObject({ inputUncached: 5, output: 2 })
    expect(watched(stream).frames.some((frame) => frame.omit)).toBe(false)
  })

  test('usage on the chunk that stops goes on', () => {
    const { frames, watcher } = watched(wireStream(chunk({ content: 'a' }), { ...chunk({}, 'stop'), usage: USAGE }), {
      omitUsage: true,
    })
    expect(frames.some((frame) => frame.omit)).toBe(false)
    expect(watcher.usage).toMatchObject({ output: 2 })
    expect(watcher.stopReason).toBe('stop')
  })

  test('a text that speaks of usage and errors is text', () => {
    const told = 'say "usage":{"prompt_tokens":9} and "error":"x" and "finish_reason":"stop"'
    const { failure, watcher } = watched(
      wireStream(chunk({ content: 'a' }), chunk({ content: told }), chunk({}, 'length'), DONE),
    )
    expect(failure).toBeUndefined()
    expect(watcher.usage).toBeUndefined()
    expect(watcher.stopReason).toBe('length')
  })

  const broken: readonly (readonly [string, readonly (JsonObject | string)[], string | undefined, Quirks?])[] = [
    ['an error first', [{ error: { message: 'x', code: 'rate_limit_exceeded' } }], 'rate_limit'],
    ['an error after text', [chunk({ content: 'a' }), { error: 'x' }], 'server'],
    ['an error event', [chunk({ content: 'a' }), 'event: error\ndata: {"message":"x"}\n\n'], 'server'],
    [
      'an error in the choice',
      [chunk({ content: 'a' }), { choices: [{ index: 0, error: { message: 'x' } }] }],
      'server',
    ],
    ['a broken answer', [chunk({ content: 'a' }), chunk({}, 'error')], 'server'],
    ['an error of null', [{ ...chunk({ content: 'a' }, 'stop'), error: null }, DONE], undefined],
    ['broken JSON', ['data: {"choices":\n\n'], 'server'],
    ['not JSON', ['data: <html>\n\n'], 'server'],
    ['cut inside', [chunk({ content: 'a' })], 'cut'],
    ['cut inside an event', [chunk({ content: 'a' }), 'data: {"choi'], 'cut'],
    ['nothing', [], 'empty'],
    ['nothing but [DONE]', [DONE], 'empty'],
    ['no [DONE] after the reason', [chunk({ content: 'a' }), chunk({}, 'stop')], undefined],
    ['no reason before [DONE]', [chunk({ content: 'a' }), DONE], undefined],
    ['a host that never gives a reason', [chunk({ content: 'a' })], undefined, { endsWithoutFinish: true }],
    [
      'a host that never gives a reason, inside a call',
      [chunk({ content: 'a' }), toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } })],
      'cut',
      { endsWithoutFinish: true },
    ],
  ]
  for (const [name, stream, kind, quirks = {}] of broken) {
    test(`${name}: ${kind ?? 'fine'}`, () =>
      expect(watched(wireStream(...stream), { quirks }).failure?.kind).toBe(kind as 'cut'))
  }

  test('nothing after the end matters', () => {
    const { frames } = watched(wireStream(chunk({ content: 'a' }, 'stop'), DONE, { error: 'x' }))
    expect(frames.at(-1)).toEqual({ content: false, ended: false, omit: false })
  })
})

describe('a plain reply that passes through', () => {
  function inspected(body: Json): unknown {
    const object = scanObject(Buffer.from(JSON.stringify(body)))
    if (!object.ok) throw new Error(object.error.message)
    const seen = openaiChat.passThrough.inspectReply(object.value, replyContext())
    return seen.ok ? seen.value : seen.error.kind
  }

  for (const { name, reply, neutral } of exchanges()) {
    test(`${name}: usage and reason are seen`, () => {
      const seen = inspected(reply) as { usage: unknown; stopReason: string }
      expect(seen.usage).toEqual(neutral.usage)
      if (neutral.finish.reason !== 'refusal') expect(seen.stopReason).toBe(neutral.finish.reason)
    })
  }

  test('an error under a status of 200', () => {
    expect(inspected({ error: { message: 'x', code: 'insufficient_quota' } })).toBe('billing')
    expect(inspected({ choices: [{ error: { message: 'x' } }] })).toBe('server')
    expect(inspected({ choices: [{ finish_reason: 'error' }] })).toBe('server')
  })

  test('another shape, and no answer at all', () => {
    expect(inspected({ hello: 1 })).toBe('server')
    expect(inspected({ choices: 'x' })).toBe('server')
    expect(inspected({ choices: [] })).toBe('empty')
  })

  test('a reply without usage', () => {
    expect(inspected({ choices: [{ finish_reason: 'stop' }] })).toEqual({ usage: undefined, stopReason: 'stop' })
  })
})
