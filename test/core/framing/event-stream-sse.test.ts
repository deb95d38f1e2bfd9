import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { framerOf } from '../../../src/core/framing/index.ts'
import { SseFramer } from '../../../src/core/framing/sse.ts'
import type { Frame, Framer } from '../../../src/core/framing/frame.ts'
import { MessagesWatcher } from '../../../src/dialects/anthropic-messages/watch.ts'
import { chunkOf, eventMessage, eventOf, exceptionOf } from '../../support/event-stream.ts'

function framed(framer: Framer, bytes: Uint8Array): readonly Frame[] {
  const frames = framer.push(Uint8Array.from(bytes))
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

const unwrapped = (...messages: readonly Buffer[]) => framed(framerOf('event-stream-sse'), Buffer.concat(messages))

describe('wrapped events', () => {
  test('are the frames that server-sent events would have been', () => {
    const events = fc.array(
      fc.record({ type: fc.stringMatching(/^[a-z_]{1,20}$/), text: fc.string({ unit: 'grapheme' }) }),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(events, (all) => {
        const frames = unwrapped(...all.map(chunkOf))
        const direct = framed(new SseFramer(), Buffer.concat(frames.map(({ bytes }) => bytes)))
        const names = (list: readonly Frame[]) => list.map(({ event, data }) => [event, JSON.parse(data)])
        expect(names(frames)).toEqual(all.map((event) => [event.type, event]))
        expect(names(direct)).toEqual(names(frames))
      }),
    )
  })

  test('keep their JSON as it was sent', () => {
    const json = '{"type":"ping" , "n":1.0, "é":"\\u00e9"}'
    expect(unwrapped(chunkOf(json)).map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      `event: ping\ndata: ${json}\n\n`,
    ])
  })

  test('stay one event although their JSON has several lines', () => {
    const [frame] = framed(new SseFramer(), unwrapped(chunkOf('{\n "type": "ping"\r\n}'))[0]?.bytes ?? Buffer.alloc(0))
    expect(JSON.parse(frame?.data ?? '')).toEqual({ type: 'ping' })
  })

  const SILENT: readonly (readonly [string, Buffer])[] = [
    ['another event', eventOf('initial-response', {})],
    ['a chunk without bytes', eventOf('chunk', { other: 1 })],
    ['a payload that is not JSON', eventMessage({ ':event-type': 'chunk' }, 'oops')],
    ['bytes that are not an event', chunkOf('[1]')],
    ['a type that would begin another event', chunkOf(JSON.stringify({ type: 'ping\n\nevent: message_stop' }))],
  ]
  for (const [name, message] of SILENT) {
    test(`${name} says nothing`, () => {
      expect(unwrapped(message)).toEqual([{ event: '', data: '', bytes: new Uint8Array(0) }])
    })
  }
})

describe('exceptions', () => {
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html (read 2026-11-21)
  const KINDS = [
    ['throttlingException', 'rate_limit'],
    ['serviceUnavailableException', 'overloaded'],
    ['internalServerException', 'server'],
    ['modelStreamErrorException', 'server'],
    ['modelTimeoutException', 'server'],
    ['validationException', 'rejected'],
    ['ThrottlingException', 'rate_limit'],
    ['somethingNew', 'server'],
  ] as const
  for (const [type, kind] of KINDS) {
    test(`${type} is a failure of kind ${kind} to whoever watches`, () => {
      const [frame] = unwrapped(exceptionOf(type, { message: 'What happened.' }))
      if (frame === undefined) throw new Error('there is no frame')
      expect(new MessagesWatcher().push(frame).failure?.kind).toBe(kind)
      expect(JSON.parse(frame.data).error.message).toBe('What happened.')
    })
  }
})
