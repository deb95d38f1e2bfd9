/** Streams end once, in a legal order, and are never taken for whole when they are not. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Frame } from '../../../src/core/framing/frame.ts'
import { firstViolation } from '../../support/validator.ts'
import { replies } from '../arbitraries.ts'
import type { ClientSample, UpstreamSample } from '../samples/sample.ts'
import { clientContext, replyContext } from '../samples/wire.ts'
import { decodeAll, encodeAll, framesOf } from '../streams.ts'

const NONSENSE = fc
  .tuple(fc.constantFrom('', 'message_delta', 'response.completed', 'error', 'contentBlockDelta'), fc.json())
  .map(([event, data]): Frame => ({ event, data, bytes: new Uint8Array() }))

/** The frames of a real stream, some of them lost, doubled, out of place or replaced by nonsense. */
export function damagedFrames({ upstream }: UpstreamSample): fc.Arbitrary<readonly Frame[]> {
  const { dialect, opaque, voice } = upstream
  return fc.tuple(replies(opaque), fc.infiniteStream(fc.nat(9)), NONSENSE).map(([reply, dice, odd]) =>
    framesOf(dialect.framing, voice.stream(reply)).flatMap((frame) => {
      const { value: roll = 9 } = dice.next()
      if (roll === 0) return []
      if (roll === 1) return [frame, frame]
      return roll === 2 ? [odd, frame] : [frame]
    }),
  )
}

export function streamsAreLegal(sample: UpstreamSample): void {
  const { dialect, vendor, opaque, voice } = sample.upstream

  test('whatever a provider sends, the events are legal and end once', () => {
    fc.assert(
      fc.property(damagedFrames(sample), (frames) => {
        expect(firstViolation(decodeAll(dialect, frames, replyContext(vendor)))).toBeUndefined()
      }),
    )
  })

  test('a stream that stops early is never taken for a whole one', () => {
    fc.assert(
      fc.property(replies(opaque), fc.nat(1_000), (reply, place) => {
        const frames = framesOf(dialect.framing, voice.stream(reply))
        const content = frames.findIndex((_, index) => sawPart(sample, frames.slice(0, index + 1)))
        const events = decodeAll(dialect, frames.slice(0, place % (content + 1)), replyContext(vendor))
        expect(firstViolation(events)).toBeUndefined()
        expect(events.at(-2)?.type).toBe('failure')
      }),
    )
  })
}

function sawPart({ upstream }: UpstreamSample, frames: readonly Frame[]): boolean {
  const decoder = upstream.dialect.streamDecoder(replyContext(upstream.vendor))
  return frames.some((frame) => decoder.push(frame).some(({ type }) => type.endsWith('-start')))
}

export function nothingIsWrittenEarly({ client }: ClientSample): void {
  test('nothing is written before there is content', () => {
    expect(encodeAll(client.dialect, [{ type: 'start', id: 'x', model: 'y' }], clientContext())).toBe('')
  })
}
