import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { scanObject } from '../../../src/core/json-scan.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { WatchedFrame } from '../../../src/dialects/dialect.ts'
import { framesOf } from '../streams.ts'
import { START, decodeStream, ended, exchanges, replyContext, wireStream } from './support.ts'

function watch(text: string): {
  seen: readonly WatchedFrame[]
  watcher: ReturnType<typeof anthropicMessages.passThrough.streamWatcher>
} {
  const watcher = anthropicMessages.passThrough.streamWatcher(replyContext(), false)
  return { seen: framesOf('sse', Buffer.from(text)).map((frame) => watcher.push(frame)), watcher }
}

const block = (content_block: JsonObject): JsonObject => ({ type: 'content_block_start', index: 0, content_block })
const DELTA = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } }

describe('watching a stream that passes through', () => {
  for (const { name, stream, reply } of exchanges()) {
    test(`${name}: it knows the same usage and reason as the decoder`, () => {
      const { watcher, seen } = watch(Buffer.from(stream).toString())
      const folded = foldEvents(decodeStream([stream]))
      expect(watcher.usage).toEqual(folded.ok ? folded.value.usage : undefined)
      expect(watcher.stopReason).toBe(reply['stop_reason'] as string)
      expect(watcher.finish()).toBeUndefined()
      expect(seen.some(({ content }) => content)).toBe((reply['content'] as unknown[]).length > 0)
      expect(seen.at(-1)).toEqual({ content: false, ended: true, omit: false })
    })

    test(`${name}: the plain reply shows the same usage and reason`, () => {
      const scanned = scanObject(Buffer.from(JSON.stringify(reply)))
      const seen = scanned.ok && anthropicMessages.passThrough.inspectReply(scanned.value, replyContext())
      const decoded = anthropicMessages.decodeReply(reply, replyContext())
      expect(seen).toEqual({
        ok: true,
        value: { usage: decoded.ok ? decoded.value.usage : undefined, stopReason: reply['stop_reason'] as string },
      })
    })
  }

  const contents: readonly [name: string, event: JsonObject, content: boolean][] = [
    ['the start of a message', START, false],
    ['the empty start of text', block({ type: 'text', text: '' }), false],
    ['the empty start of thinking', block({ type: 'thinking', thinking: '', signature: '' }), false],
    ['a filled start of text', block({ type: 'text', text: 'a' }), true],
    ['a tool call', block({ type: 'tool_use', id: 't', name: 'f', input: {} }), true],
    ['redacted thinking', block({ type: 'redacted_thinking', data: 'x' }), true],
    ['a delta', DELTA, true],
    ['a ping', { type: 'ping' }, false],
  ]
  for (const [name, event, content] of contents) {
    test(`${name} ${content ? 'commits' : 'does not commit'}`, () => {
      expect(watch(wireStream(event)).seen[0]?.content).toBe(content)
      expect(watch(`data: ${JSON.stringify(event)}\n\n`).seen[0]?.content).toBe(content)
    })
  }

  test('an error is told with its kind', () => {
    const { seen, watcher } = watch(
      wireStream(START, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    )
    expect(seen[1]?.failure?.kind).toBe('overloaded')
    expect(watcher.finish()).toBeUndefined()
  })

  test('an end before its time is cut after content and empty before it', () => {
    expect(watch(wireStream(START, DELTA)).watcher.finish()?.kind).toBe('cut')
    expect(watch(wireStream(START)).watcher.finish()?.kind).toBe('empty')
    expect(watch('').watcher.finish()?.kind).toBe('empty')
    expect(watch(wireStream(START, DELTA, ...ended('end_turn').slice(0, 1))).watcher.finish()).toBeUndefined()
  })

  test('frames that are no events are let through', () => {
    const { seen } = watch(': comment\n\ndata: [DONE]\n\nevent: x\ndata: {\n\nevent: content_block_start\ndata: {\n\n')
    expect(seen.every(({ failure, ended }) => failure === undefined && !ended)).toBe(true)
  })
})

describe('inspecting a plain reply', () => {
  const inspect = (body: string): unknown => {
    const scanned = scanObject(Buffer.from(body))
    return scanned.ok && anthropicMessages.passThrough.inspectReply(scanned.value, replyContext())
  }
  const failures: readonly [body: string, kind: string][] = [
    ['{"type":"error","error":{"type":"overloaded_error","message":"x"}}', 'overloaded'],
    ['{"error":"boom"}', 'server'],
    ['{"id":"x"}', 'server'],
  ]
  for (const [body, kind] of failures) {
    test(`${body} is ${kind}`, () => {
      expect(inspect(body)).toMatchObject({ ok: false, error: { kind } })
      expect(anthropicMessages.decodeReply(JSON.parse(body), replyContext())).toMatchObject({
        ok: false,
        error: { kind },
      })
    })
  }

  test('an error that is null is none', () => {
    expect(inspect('{"content":[],"error":null}')).toEqual({
      ok: true,
      value: { usage: undefined, stopReason: undefined },
    })
  })
})

describe('keeping a client waiting', () => {
  test('with a comment before the answer, with an event inside it', () => {
    expect(anthropicMessages.keepAlive(false)).toBe(': keepalive\n\n')
    expect(anthropicMessages.keepAlive(true)).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  })
})
