import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { EventStreamFramer } from '../../../src/core/framing/event-stream.ts'
import { FRAME_BYTES_MAX, type Frame } from '../../../src/core/framing/frame.ts'
import { framerOf } from '../../../src/core/framing/index.ts'
import { eventMessage, eventOf, exceptionOf, messageOf, textHeader } from '../../support/event-stream.ts'

interface Seen {
  readonly frames: readonly Frame[]
  readonly overflowed: boolean
}

/** What `chunks` give, each in memory that is written over afterwards. */
function framed(chunks: readonly Uint8Array[]): Seen {
  const framer = new EventStreamFramer()
  const frames = chunks.flatMap((chunk) => [...framer.push(Uint8Array.from(chunk))])
  expect(framer.finish()).toBeUndefined()
  return { frames, overflowed: framer.overflowed }
}

function told({ frames }: Seen): readonly (readonly [event: string, data: string])[] {
  return frames.map(({ event, data }) => [event, data])
}

/** `bytes` cut at any places. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

// The test vectors of the SDKs: https://github.com/awslabs/aws-c-event-stream/tree/main/tests (read 2026-11-21)
const VECTORS: readonly (readonly [name: string, hex: string, data: string])[] = [
  ['an empty message', '000000100000000005c248eb7d98c8ff', ''],
  ['a payload without headers', '0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936', "{'foo':'bar'}"],
  [
    'a header of four bytes and a payload',
    '0000002d0000001041c424b80a6576656e742d74797065040000a00c7b27666f6f273a27626172277d36f480a0',
    "{'foo':'bar'}",
  ],
]

describe('messages', () => {
  for (const [name, hex, data] of VECTORS) {
    test(name, () => {
      expect(told(framed([Buffer.from(hex, 'hex')]))).toEqual([['', data]])
    })
  }

  const NAMED: readonly (readonly [name: string, bytes: Buffer, event: string, data: string])[] = [
    ['an event has its type', eventMessage({ ':message-type': 'event', ':event-type': 'a' }, '{}'), 'a', '{}'],
    [
      'an exception is told from an event',
      exceptionOf('throttlingException', { message: 'slow' }),
      'exception:throttlingException',
      '{"message":"slow"}',
    ],
    [
      'an error that has only headers says what they say',
      eventMessage({ ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'Über' }, ''),
      'exception:InternalError',
      '{"message":"Über"}',
    ],
  ]
  for (const [name, bytes, event, data] of NAMED) {
    test(name, () => expect(told(framed([bytes]))).toEqual([[event, data]]))
  }

  test('headers of every other kind are passed over', () => {
    const sizes: readonly (readonly [type: number, bytes: number])[] = [
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 4],
      [5, 8],
      [8, 8],
      [9, 16],
    ]
    const others = sizes.map(([type, size]) => Buffer.concat([Buffer.of(1, 0x78, type), Buffer.alloc(size, 7)]))
    const bytes = Buffer.of(1, 0x79, 6, 0, 3, 1, 2, 3)
    const message = messageOf(Buffer.concat([...others, bytes, textHeader(':event-type', 'last')]), Buffer.from('1'))
    expect(told(framed([message]))).toEqual([['last', '1']])
  })

  test('the frame has the bytes of the message', () => {
    const messages = [eventOf('a', { n: 1 }), eventOf('b', { n: 2 })]
    const { frames } = framed([Buffer.concat(messages)])
    expect(frames.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
      messages.map((m) => m.toString('hex')),
    )
  })
})

describe('what is no message ends the stream', () => {
  const good = eventOf('a', { text: 'good' })
  const withByte = (at: number): Buffer => {
    const bytes = Buffer.from(good)
    bytes.writeUInt8((bytes.readUInt8(at) + 1) % 256, at)
    return bytes
  }
  const BROKEN: readonly (readonly [name: string, bytes: Buffer])[] = [
    ['a length that was changed', withByte(3)],
    ['a changed checksum of the prelude', withByte(9)],
    ['a changed payload', withByte(good.length - 10)],
    ['a changed checksum of the message', withByte(good.length - 1)],
    ['headers that end too early', messageOf(Buffer.of(200, 0x61, 7, 0, 1, 0x62), Buffer.alloc(0))],
    ['a header of an unknown kind', messageOf(Buffer.of(1, 0x61, 10, 0), Buffer.alloc(0))],
    ['a text without its length', messageOf(Buffer.of(1, 0x61, 7, 0), Buffer.alloc(0))],
    ['a web page', Buffer.from('<html><body>Bad gateway</body></html>')],
  ]
  for (const [name, bytes] of BROKEN) {
    test(`${name}: what came before counts, and nothing after it`, () => {
      const seen = framed([good, Buffer.concat([bytes, good]), good])
      expect(seen.overflowed).toBe(true)
      expect(seen.frames).toHaveLength(1)
    })
  }

  test('a message longer than the bound is not waited for', () => {
    const long = messageOf(Buffer.alloc(0), Buffer.alloc(FRAME_BYTES_MAX))
    expect(framed([long.subarray(0, 12)])).toEqual({ frames: [], overflowed: true })
  })

  test('a message that was cut off is none', () => {
    expect(framed([good.subarray(0, -1)])).toEqual({ frames: [], overflowed: false })
  })
})

describe('wherever the network cuts', () => {
  const messages = fc.array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('messageStart', 'metadata'), fc.dictionary(fc.string(), fc.string()))
        .map(([type, body]) => eventOf(type, body)),
      fc.uint8Array({ maxLength: 300 }).map((payload) => eventMessage({ ':event-type': 'x' }, payload)),
    ),
    { maxLength: 6 },
  )

  test('the frames are the same', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.nat(), { maxLength: 20 }), (all, places) => {
        const bytes = Buffer.concat(all)
        const whole = framed([bytes])
        expect(whole.frames).toHaveLength(all.length)
        expect(framed(cut(bytes, places))).toEqual(whole)
      }),
    )
  })

  test('any bytes at all are survived, and alike', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 5 }), (bytes, places) => {
        expect(framed(cut(bytes, places))).toEqual(framed([bytes]))
      }),
    )
  })

  test('a long message in small pieces costs no more than its length', () => {
    const long = eventMessage({ ':event-type': 'image' }, Buffer.alloc(8 * 1024 * 1024, 0x61))
    const pieces = Array.from({ length: Math.ceil(long.length / 4096) }, (_, at) =>
      long.subarray(at * 4096, (at + 1) * 4096),
    )
    const framer = framerOf('event-stream')
    const startMs = performance.now()
    const frames = pieces.flatMap((piece) => [...framer.push(piece)])
    expect(frames[0]?.data).toHaveLength(8 * 1024 * 1024)
    expect(performance.now() - startMs).toBeLessThan(1_000)
  })
})
