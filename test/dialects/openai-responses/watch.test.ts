import { expect, test } from 'bun:test'
import { scanObject } from '../../../src/core/json-scan.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { inspectReply, streamWatcher } from '../../../src/dialects/openai-responses/watch.ts'
import { framesOf } from '../streams.ts'
import { replyContext, sse } from './support.ts'

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 17,
}
const COUNTED = { ...NO_USAGE, inputUncached: 5, cacheRead: 4, cacheWrite5m: 1, output: 7, reasoning: 3 }
const MESSAGE = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] }

function watch(text: string) {
  const watcher = streamWatcher(replyContext())
  const seen = framesOf('sse', Buffer.from(text)).map((frame) => watcher.push(frame))
  const failure = watcher.finish()
  return { seen, failure: failure?.kind, usage: watcher.usage, stopReason: watcher.stopReason }
}

const created = sse({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } })
const added = sse({ type: 'response.output_item.added', output_index: 0, item: MESSAGE })
const delta = sse({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'hi' })

function terminal(status: string, more: object = {}) {
  return sse({ type: `response.${status}`, response: { status, output: [MESSAGE], usage: USAGE, ...more } })
}

test('announcements are not content, deltas are, the terminal event ends', () => {
  const { seen, failure, usage, stopReason } = watch(created + added + delta + terminal('completed'))
  expect(seen.map(({ content }) => content)).toEqual([false, false, true, true])
  expect(seen.map(({ ended }) => ended)).toEqual([false, false, false, true])
  expect(failure).toBeUndefined()
  expect(usage).toEqual(COUNTED)
  expect(stopReason).toBe('completed')
})

test('usage is read from incomplete and failed responses too', () => {
  const details = { incomplete_details: { reason: 'max_output_tokens' } }
  expect(watch(created + delta + terminal('incomplete', details))).toMatchObject({
    usage: COUNTED,
    stopReason: 'max_output_tokens',
  })
  const failed = watch(
    created + delta + terminal('failed', { error: { code: 'rate_limit_exceeded', message: 'slow' } }),
  )
  expect(failed.usage).toEqual(COUNTED)
  expect(failed.seen.at(-1)?.failure?.kind).toBe('rate_limit')
})

test('an error event is a failure, flat or nested', () => {
  const flat = sse({ type: 'error', code: 'server_is_overloaded', message: 'busy', param: null })
  const nested = sse({ type: 'error', error: { type: 'insufficient_quota', message: 'no money' } })
  expect(watch(created + flat).seen.at(-1)?.failure?.kind).toBe('overloaded')
  expect(watch(created + nested).seen.at(-1)?.failure?.kind).toBe('billing')
})

test('an error without a type is a failure all the same', () => {
  expect(watch('data: {"error":{"code":"rate_limit_exceeded","message":"x"}}\n\n').seen[0]?.failure?.kind).toBe(
    'rate_limit',
  )
  expect(watch('data: {"error":"boom"}\n\n').seen[0]?.failure?.kind).toBe('server')
})

test('an end without a terminal event is a cut after content and empty before', () => {
  expect(watch(created + added + delta).failure).toBe('cut')
  expect(watch(created + added).failure).toBe('empty')
  expect(watch('').failure).toBe('empty')
})

test('a completed response without any item is empty, an incomplete one is not', () => {
  expect(watch(created + terminal('completed', { output: [] })).failure).toBe('empty')
  expect(watch(created + terminal('incomplete', { output: [] })).failure).toBeUndefined()
})

test('hosts that name the event only in its data are understood', () => {
  const bare = (payload: object) => `data: ${JSON.stringify(payload)}\n\n`
  const { seen } = watch(
    bare({ type: 'response.created', response: {} }) +
      bare({ sequence_number: 1, type: 'response.output_text.delta', delta: 'x' }) +
      bare({ type: 'response.completed', response: { status: 'completed', output: [MESSAGE] } }) +
      'data: [DONE]\n\n',
  )
  expect(seen.map(({ content }) => content)).toEqual([false, true, true, false])
})

test('a terminal event that is no JSON is a failure', () => {
  expect(watch(`${delta}event: response.completed\ndata: {"x\n\n`).seen.at(-1)?.failure?.kind).toBe('server')
})

function inspect(body: object) {
  const scanned = scanObject(Buffer.from(JSON.stringify(body)))
  if (!scanned.ok) throw new Error(scanned.error.message)
  const inspected = inspectReply(scanned.value, replyContext())
  return inspected.ok ? inspected.value : inspected.error.kind
}

test('a plain reply gives its usage or the error that it is', () => {
  const whole = {
    object: 'response',
    error: null,
    status: 'completed',
    output: [MESSAGE],
    usage: USAGE,
    service_tier: 'flex',
  }
  expect(inspect(whole)).toEqual({ usage: { ...COUNTED, tier: 'flex' }, stopReason: 'completed' })
  expect(inspect({ ...whole, output: [] })).toBe('empty')
  expect(inspect({ ...whole, status: 'failed', error: { code: 'invalid_prompt', message: 'no' } })).toBe(
    'refused_content',
  )
  expect(inspect({ error: 'something broke' })).toBe('server')
  expect(inspect({ ...whole, status: 'failed' })).toBe('server')
})

test('a 200 without output is a failure of the provider', () => {
  expect(inspect({ object: 'response', status: 'completed' })).toBe('server')
})
