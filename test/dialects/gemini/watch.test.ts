import { expect, test } from 'bun:test'
import type { Framing } from '../../../src/core/framing/frame.ts'
import { scanObject } from '../../../src/core/json-scan.ts'
import { inspectReply } from '../../../src/dialects/gemini/reply.ts'
import { GeminiWatcher } from '../../../src/dialects/gemini/watch.ts'
import { framesOf } from '../streams.ts'
import { chunk, events, STOP } from './support.ts'

const USAGE = { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 3, thoughtsTokenCount: 2 }

function watch(text: string, framing: Framing = 'sse') {
  const watcher = new GeminiWatcher()
  const seen = framesOf(framing, Buffer.from(text)).map((frame) => watcher.push(frame))
  const failure = seen.find((frame) => frame.failure !== undefined)?.failure ?? watcher.finish()
  const { usage, stopReason } = watcher
  return {
    content: seen.map(({ content }) => content),
    ended: seen.map(({ ended }) => ended),
    failure: failure?.kind,
    usage,
    stopReason,
  }
}

test('parts are content, thoughts and calls included; figures and empty parts are none', () => {
  const { content, ended, failure, usage, stopReason } = watch(
    events(
      { usageMetadata: { promptTokenCount: 10 } },
      chunk([{ text: '' }]),
      chunk([{ text: 'Hm.', thought: true }]),
      chunk([{ functionCall: { name: 'f' } }]),
      { ...STOP, usageMetadata: USAGE },
      { usageMetadata: USAGE },
    ),
  )
  expect(content.slice(0, 4)).toEqual([false, false, true, true])
  expect(ended).not.toContain(true)
  expect(failure).toBeUndefined()
  expect(usage).toMatchObject({ inputUncached: 6, cacheRead: 4, output: 5, reasoning: 2 })
  expect(stopReason).toBe('STOP')
})

test('thinking of which there is nothing but its state is content, as it is when it is translated', () => {
  const { content, failure } = watch(events(chunk([{ text: '', thoughtSignature: 'c2ln' }]), STOP))
  expect([content[0], failure]).toEqual([true, undefined])
  expect(watch(events(chunk([{ text: '', thoughtSignature: '' }]), STOP)).failure).toBe('empty')
})

test('an error is one wherever it comes', () => {
  const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }
  expect(watch(events(error)).failure).toBe('overloaded')
  expect(watch(events(chunk([{ text: 'a' }]), error)).failure).toBe('overloaded')
  expect(watch(`[${JSON.stringify(chunk([{ text: 'a' }]))},${JSON.stringify(error)}]`, 'json-array').failure).toBe(
    'overloaded',
  )
})

test('an end without a reason is a cut after content and empty before, also where an array is closed', () => {
  const said = chunk([{ text: 'a' }])
  expect(watch(events(said)).failure).toBe('cut')
  expect(watch('').failure).toBe('empty')
  expect(watch(events(STOP)).failure).toBe('empty')
  expect(watch(`[${JSON.stringify(said)}]`, 'json-array').failure).toBe('cut')
})

test('a closed array is the end', () => {
  const { ended, failure } = watch(
    `[${JSON.stringify(chunk([{ text: 'a' }]))},\n${JSON.stringify(STOP)}]`,
    'json-array',
  )
  expect(ended).toEqual([false, false, true])
  expect(failure).toBeUndefined()
})

test('a prompt that is blocked is an answer without content, a botched call is none', () => {
  expect(watch(events({ promptFeedback: { blockReason: 'SAFETY' } }))).toMatchObject({
    failure: undefined,
    stopReason: 'SAFETY',
  })
  expect(watch(events(chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL' }))).failure).toBe('server')
})

function inspect(body: object) {
  const scanned = scanObject(Buffer.from(JSON.stringify(body)))
  if (!scanned.ok) throw new Error(scanned.error.message)
  const inspected = inspectReply(scanned.value)
  return inspected.ok ? inspected.value.stopReason : inspected.error.kind
}

const REPLIES: readonly (readonly [string, object, string])[] = [
  ['an answer', chunk([{ text: 'a' }], { finishReason: 'STOP' }), 'STOP'],
  ['an answer of nothing', { candidates: [{ finishReason: 'STOP' }] }, 'empty'],
  ['a limit before any content', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'MAX_TOKENS'],
  ['a botched call', { candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }] }, 'server'],
  ['a prompt that is blocked', { promptFeedback: { blockReason: 'SAFETY' } }, 'SAFETY'],
  ['an error', { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'rate_limit'],
  ['nothing known', { choices: [] }, 'server'],
]
for (const [what, body, expected] of REPLIES)
  test(`a plain reply that is ${what}`, () => expect(inspect(body)).toBe(expected))
