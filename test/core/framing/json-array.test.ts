import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FRAME_BYTES_MAX, type Frame } from '../../../src/core/framing/frame.ts'
import { ARRAY_END, JsonArrayFramer } from '../../../src/core/framing/json-array.ts'

function framesOf(chunks: readonly Uint8Array[]): readonly Frame[] {
  const framer = new JsonArrayFramer()
  const frames = chunks.flatMap((chunk) => [...framer.push(chunk)])
  expect(framer.finish()).toBeUndefined()
  return frames
}

/** Data of the elements, and what closes the array. */
function check(text: string): readonly string[] {
  return framesOf([Buffer.from(text)]).map(({ event, data }) => (event === ARRAY_END ? ']' : data))
}

test('elements come one by one, then the end', () => {
  expect(check('[{"a":1}\r\n,\r\n{"b":[2,{"c":3}]}\n]\n')).toEqual(['{"a":1}', '{"b":[2,{"c":3}]}', ']'])
  expect(check('[]')).toEqual([']'])
  expect(check('\ufeff [ {} ] ')).toEqual(['{}', ']'])
})

test('brackets, braces and quotes inside strings count for nothing', () => {
  expect(check('[{"a":"]}{[\\"]}"},{"b\\\\":"\\\\"}]')).toEqual(['{"a":"]}{[\\"]}"}', '{"b\\\\":"\\\\"}', ']'])
})

test('an object without an array around it is an element', () => {
  expect(check('{"error":{"code":500}}\n')).toEqual(['{"error":{"code":500}}'])
  expect(check('[{"a":1},\n{"error":{}}')).toEqual(['{"a":1}', '{"error":{}}'])
})

test('an element that was cut is none, and what follows the end is left out', () => {
  expect(check('[{"a":1},{"b":"')).toEqual(['{"a":1}'])
  expect(check('[{"a":1}]{"b":2}]')).toEqual(['{"a":1}', ']'])
})

test('text that is no array is refused instead of being held', () => {
  const framer = new JsonArrayFramer()
  expect(framer.push(Buffer.from('data: {"a":1}\n\n'))).toEqual([])
  expect(framer.overflowed).toBe(true)
  expect(framer.push(Buffer.from('[{}]'))).toEqual([])
})

test('an element longer than a frame may be is refused', () => {
  const framer = new JsonArrayFramer()
  framer.push(Buffer.from('[{"a":"'))
  const piece = Buffer.alloc(1024 * 1024, 'x')
  for (let sent = 0; sent <= FRAME_BYTES_MAX; sent += piece.length) expect(framer.push(piece)).toEqual([])
  expect(framer.overflowed).toBe(true)
})

test('wherever the bytes are cut, the frames are the same and together they are the bytes', () => {
  const values = fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), { maxLength: 5 })
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2), fc.array(fc.nat(500), { maxLength: 8 }), (elements, space, places) => {
      const bytes = Buffer.from(JSON.stringify(elements, null, space))
      const edges = [0, ...places.map((place) => place % bytes.length).toSorted((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
      const frames = framesOf(chunks)
      expect(frames).toEqual(framesOf([bytes]))
      expect(frames.slice(0, -1).map(({ data }) => JSON.parse(data))).toEqual(JSON.parse(bytes.toString()))
      expect(Buffer.concat(frames.map((frame) => frame.bytes))).toEqual(bytes)
    }),
  )
})

test('what was handed out is not written over by what comes later', () => {
  const framer = new JsonArrayFramer()
  const first = [...'[{"a":1},'].flatMap((byte) => [...framer.push(Buffer.from(byte))])
  framer.push(Buffer.from('{"b":"some longer element"}]'))
  expect(first.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['[{"a":1}'])
})
