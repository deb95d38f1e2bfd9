/** Where bytes pass through, what is seen of them is what a decoder would see. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { scanObject, type ScannedObject } from '../../../src/core/json-scan.ts'
import type { PassThrough } from '../../../src/dialects/dialect.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { replies } from '../arbitraries.ts'
import type { WholeSample } from '../samples/sample.ts'
import { replyContext } from '../samples/wire.ts'
import { framesOf } from '../streams.ts'
import { figures, USAGE } from './compare.ts'
import { NO_ANSWERS } from './failures.ts'
import { damagedFrames } from './streams.ts'

export function watchersAgree(sample: WholeSample, native: PassThrough): void {
  const { vendor, opaque, voice } = sample.upstream

  test('a watcher sees the usage, the content and the end that a decoder sees', () => {
    fc.assert(
      fc.property(replies(opaque), (reply) => {
        const watcher = native.streamWatcher(replyContext(vendor), false)
        const seen = framesOf(native.framing, voice.stream(reply)).map((frame) => watcher.push(frame))
        expect(watcher.finish()).toBeUndefined()
        expect(seen.some(({ content }) => content)).toBe(true)
        expect(seen.some(({ ended }) => ended)).toBe(sample.endsWithItsBytes !== true)
        expect(figures(watcher.usage ?? reply.usage)).toEqual(figures(sample.carried(reply).usage))
        expect(watcher.usage).toBeDefined()
      }),
    )
  })

  test('content of any kind is content, thinking alone and a call alone included', () => {
    const call = { type: 'tool-call' as const, id: 'c', name: 'f', kind: 'function' as const, argumentsText: '{}' }
    const thought = { type: 'reasoning' as const, text: 'Hm.', redacted: false, ...(opaque && { opaque }) }
    for (const part of [{ type: 'text' as const, text: 'a' }, thought, call]) {
      const watcher = native.streamWatcher(replyContext(vendor), false)
      const bytes = voice.stream({ parts: [part], finish: { reason: 'stop' }, usage: USAGE })
      expect(framesOf(native.framing, bytes).some((frame) => watcher.push(frame).content)).toBe(true)
    }
  })

  test('a watcher takes any stream', () => {
    fc.assert(
      fc.property(damagedFrames(sample), (frames) => {
        const watcher = native.streamWatcher(replyContext(vendor), true)
        for (const frame of frames) watcher.push(frame)
        watcher.finish()
      }),
    )
  })

  test('a watcher takes a part of a stream for a part', () => {
    const said: ChatReply = { parts: [{ type: 'text', text: 'a' }], finish: { reason: 'stop' }, usage: USAGE }
    const watcher = native.streamWatcher(replyContext(vendor), false)
    framesOf(native.framing, voice.stream(said)).find((frame) => watcher.push(frame).content)
    expect(watcher.finish()?.kind).toBe('cut')
    expect(native.streamWatcher(replyContext(vendor), false).finish()).toBeDefined()
  })

  test('a plain reply is inspected without being changed, and an error in its place is found', () => {
    fc.assert(
      fc.property(replies(opaque), (reply) => {
        const inspected = native.inspectReply(scanned(voice.plain(reply)), replyContext(vendor))
        if (!inspected.ok) throw new Error(inspected.error.message)
        expect(figures(inspected.value.usage ?? reply.usage)).toEqual(figures(sample.carried(reply).usage))
        expect(inspected.value.usage).toBeDefined()
      }),
    )
    for (const body of NO_ANSWERS) expect(native.inspectReply(scanned(body), replyContext(vendor)).ok).toBe(false)
  })
}

function scanned(body: object): ScannedObject {
  const result = scanObject(Buffer.from(JSON.stringify(body)))
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
