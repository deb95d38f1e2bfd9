import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FRAME_BYTES_MAX, type Frame } from '../../../src/core/framing/frame.ts'
import { SseFramer } from '../../../src/core/framing/sse.ts'

function framesOf(chunks: readonly Uint8Array[]): readonly Frame[] {
  const framer = new SseFramer()
  const frames = chunks.flatMap((chunk) => [...framer.push(Uint8Array.from(chunk))])
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

function read(text: string): readonly [event: string, data: string][] {
  return framesOf([Buffer.from(text)]).map(({ event, data }) => [event, data])
}

/** `bytes` cut at any places. */
function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

describe('lines and fields', () => {
  const cases: readonly [name: string, text: string, frames: readonly (readonly [string, string])[]][] = [
    ['an event and its data', 'event: a\ndata: 1\n\n', [['a', '1']]],
    ['no space after the colon', 'event:a\ndata:1\n\n', [['a', '1']]],
    ['only one space is taken away', 'data:  1 \n\n', [['', ' 1 ']]],
    ['several lines of data', 'data: 1\ndata:\ndata: 2\n\n', [['', '1\n\n2']]],
    ['a field without a colon is empty', 'data\n\n', [['', '']]],
    [
      'CRLF',
      'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n',
      [
        ['a', '1'],
        ['', '2'],
      ],
    ],
    [
      'lone CR',
      'event: a\rdata: 1\r\rdata: 2\r\r',
      [
        ['a', '1'],
        ['', '2'],
      ],
    ],
    [
      'line ends mixed',
      'data: 1\n\r\ndata: 2\r\n\ndata: 3\r\r',
      [
        ['', '1'],
        ['', '2'],
        ['', '3'],
      ],
    ],
    ['a mark of byte order', '\ufeffdata: 1\n\n', [['', '1']]],
    [
      'comments',
      ': PROCESSING\n\ndata: 1\n\n',
      [
        ['', ''],
        ['', '1'],
      ],
    ],
    ['other fields are ignored', 'id: 7\nretry: 10\nfoo: x\ndata: 1\n\n', [['', '1']]],
    [
      'a name is forgotten after its frame',
      'event: a\ndata: 1\n\ndata: 2\n\n',
      [
        ['a', '1'],
        ['', '2'],
      ],
    ],
    ['characters of several bytes', 'data: "é👋"\n\n', [['', '"é👋"']]],
    ['bytes that are no text', 'data: \u0000\n\n', [['', '\u0000']]],
  ]
  for (const [name, text, frames] of cases) {
    test(name, () => {
      expect(read(text)).toEqual(frames as never)
      const bytewise = framesOf([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))
      expect(bytewise.map(({ event, data }) => [event, data])).toEqual(frames as never)
    })
  }
})

describe('the end of the stream', () => {
  const ends: readonly [name: string, text: string, data: string | undefined, bytes?: string][] = [
    ['JSON without its blank line is whole', 'data: {"a":1}\n', '{"a":1}', 'data: {"a":1}\n\n'],
    ['JSON without any line end is whole', 'data: {"a":1}', '{"a":1}', 'data: {"a":1}\n\n'],
    ['JSON with half a CRLF is whole', 'event: x\r\ndata: 1\r', '1', 'event: x\r\ndata: 1\r\n\n'],
    ['the end mark is whole', 'data: [DONE]', '[DONE]', 'data: [DONE]\n\n'],
    ['half an event is none', 'data: {"a":', undefined],
    ['a name without data is none', 'event: message_stop\n', undefined],
    ['a comment is none', ': keepalive', undefined],
    ['nothing is nothing', '', undefined],
  ]
  for (const [name, text, data, bytes] of ends) {
    test(name, () => {
      const [frame] = framesOf([Buffer.from(text)])
      expect(frame?.data).toBe(data as string)
      expect(frame && Buffer.from(frame.bytes).toString()).toBe(bytes as string)
    })
  }
})

describe('laws', () => {
  const line = fc.oneof(
    fc.constantFrom('event: a', 'data: {"x":1}', 'data:', ': c', 'data: é👋', ''),
    fc.string({ maxLength: 20 }),
  )
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
  const bytesOf = stream.map((lines) => Buffer.from(lines.flat().join('')))

  test('where the network cuts the bytes never matters', () => {
    fc.assert(
      fc.property(bytesOf, fc.array(fc.nat(), { maxLength: 12 }), (bytes, places) => {
        const whole = framesOf([bytes])
        const pieces = framesOf(cut(bytes, places))
        expect(pieces.map(({ event, data }) => [event, data])).toEqual(whole.map(({ event, data }) => [event, data]))
      }),
      { numRuns: 500 },
    )
  })

  test('the frames together are the bytes, whatever was cut, and stay so', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 }), { maxLength: 10 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (data, places) => {
          const text = data.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join('')
          const bytes = Buffer.from(text)
          const frames = framesOf(cut(bytes, places))
          expect(Buffer.concat(frames.map((frame) => frame.bytes)).toString()).toBe(text)
          expect(frames.map((frame) => JSON.parse(frame.data) as string)).toEqual(data)
        },
      ),
    )
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 }), (chunks) => void framesOf(chunks)),
    )
  })
})

describe('size', () => {
  const CHUNK_BYTES = 16_384

  function chunksOf(text: string): readonly Uint8Array[] {
    const bytes = Buffer.from(text)
    const count = Math.ceil(bytes.length / CHUNK_BYTES)
    return Array.from({ length: count }, (_, index) => bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES))
  }

  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const) {
    test(`a line of 5 MB is read in linear time (${name})`, () => {
      const data = JSON.stringify('x'.repeat(5 * 1024 * 1024))
      const startMs = performance.now()
      const [frame] = framesOf(chunksOf(`event: image${end}data: ${data}${end}${end}`))
      expect(frame?.event).toBe('image')
      expect(frame?.data.length).toBe(data.length)
      expect(performance.now() - startMs).toBeLessThan(2_000)
    })
  }

  test('a frame without an end is given up at the limit, and the frames before it are kept', () => {
    const framer = new SseFramer()
    expect(framer.push(Buffer.from('data: 1\n\ndata: ')).length).toBe(1)
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let pushed = 0; pushed <= FRAME_BYTES_MAX; pushed += chunk.length) framer.push(chunk)
    expect(framer.overflowed).toBe(true)
    expect(framer.push(Buffer.from('\n\ndata: 2\n\n'))).toEqual([])
    expect(framer.finish()).toBeUndefined()
  })
})
