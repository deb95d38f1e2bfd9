import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FRAME_BYTES_MAX, type Frame } from '../../../src/core/framing/frame.ts'
import { NdjsonFramer } from '../../../src/core/framing/ndjson.ts'

/** `reused`: chunks share one piece of memory, as a reader that fills the same buffer again gives them. */
function framesOf(chunks: readonly Uint8Array[], reused = false): readonly Frame[] {
  const framer = new NdjsonFramer()
  const memory = new Uint8Array(Math.max(0, ...chunks.map((chunk) => chunk.length)))
  const frames = chunks.flatMap((chunk) => {
    if (!reused) return [...framer.push(chunk)]
    memory.set(chunk)
    return [...framer.push(memory.subarray(0, chunk.length))]
  })
  const last = framer.finish()
  return last === undefined ? frames : [...frames, last]
}

const dataOf = (text: string): string[] => framesOf([Buffer.from(text)]).map(({ data }) => data)

describe('lines', () => {
  const cases: readonly (readonly [name: string, text: string, data: readonly string[]])[] = [
    ['a value each', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['CRLF', '{"a":1}\r\n{"b":2}\r\n', ['{"a":1}', '{"b":2}']],
    ['white space around a value', ' {"a":1} \n', ['{"a":1}']],
    ['a blank line has no data', '\n{"a":1}\n\n', ['', '{"a":1}', '']],
    ['a mark of byte order', '\ufeff{"a":1}\n', ['{"a":1}']],
    ['characters of several bytes', '{"a":"é👋"}\n', ['{"a":"é👋"}']],
    ['what is no JSON is the decoder’s business', '<html>\n', ['<html>']],
    ['a last line without its end counts when it is JSON', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['half a line is none', '{"a":1}\n{"b":', ['{"a":1}']],
    ['white space at the end is none', '{"a":1}\n  ', ['{"a":1}']],
    ['nothing is nothing', '', []],
  ]
  for (const [name, text, data] of cases) {
    test(name, () => {
      expect(dataOf(text)).toEqual([...data])
      const bytewise = framesOf([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))
      expect(bytewise.map((frame) => frame.data)).toEqual([...data])
    })
  }

  test('a last line without its end is given one', () => {
    expect(framesOf([Buffer.from('{"a":1}')]).map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{"a":1}\n'])
  })
})

describe('laws', () => {
  const text = fc.array(fc.tuple(fc.json(), fc.constantFrom('\n', '\r\n')), { maxLength: 20 })

  test('where the network cuts the bytes never matters, and the frames together are the bytes', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (lines, places) => {
        const bytes = Buffer.from(lines.flat().join(''))
        const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
        const frames = framesOf(edges.slice(1).map((end, index) => bytes.subarray(edges[index], end)))
        expect(Buffer.concat(frames.map((frame) => frame.bytes)).toString()).toBe(bytes.toString())
        expect(frames.map(({ data }) => JSON.parse(data))).toEqual(lines.map(([line]) => JSON.parse(line)))
      }),
    )
  })

  test('what is held of a line stays as it came when its memory is used again', () => {
    const pieces = ['{"a":"x', 'yyyyyy', 'z"}\n'].map((piece) => Buffer.from(piece))
    expect(framesOf(pieces, true).map(({ data }) => data)).toEqual(['{"a":"xyyyyyyz"}'])
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 }), (chunks) => void framesOf(chunks)),
    )
  })
})

describe('size', () => {
  test('a line of 5 MB in small pieces is read in linear time', () => {
    const line = Buffer.from(`${JSON.stringify('x'.repeat(5 * 1024 * 1024))}\n`)
    const pieces = Array.from({ length: Math.ceil(line.length / 1_024) }, (_, at) =>
      line.subarray(at * 1_024, (at + 1) * 1_024),
    )
    const startMs = performance.now()
    expect(framesOf(pieces)[0]?.bytes.length).toBe(line.length)
    expect(performance.now() - startMs).toBeLessThan(2_000)
  })

  test('a line without an end is given up at the limit, and the lines before it are kept', () => {
    const framer = new NdjsonFramer()
    expect(framer.push(Buffer.from('{"a":1}\n"')).length).toBe(1)
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    for (let pushed = 0; pushed <= FRAME_BYTES_MAX; pushed += chunk.length) framer.push(chunk)
    expect(framer.overflowed).toBe(true)
    expect(framer.push(Buffer.from('\n{"b":2}\n'))).toEqual([])
    expect(framer.finish()).toBeUndefined()
  })
})
