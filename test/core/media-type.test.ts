import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { essenceOf, SNIFFED_BYTES, sniffedType } from '../../src/core/media-type.ts'

const FILES: readonly (readonly [start: string, type: string | undefined])[] = [
  ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
  ['\0\0\0\x18ftypheic', 'image/heic'],
  ['%PDF-1.7\n', 'application/pdf'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
  ['ID3\x04\0', 'audio/mpeg'],
  ['\xff\xfb\x90', 'audio/mpeg'],
  ['OggS\0', 'audio/ogg'],
  ['fLaC\0', 'audio/flac'],
  ['\0\0\0\x20ftypM4A ', 'audio/mp4'],
  ['\0\0\0\x20ftypisom', 'video/mp4'],
  ['PK\x03\x04\x14\0', 'application/zip'],
  ['RIFF\x24\0\0\0AVI ', undefined],
  ['GIF', undefined],
  ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
  ['<!doctype html>', undefined],
  ['BMW is a maker of cars', undefined],
  ['The ftypes of things', undefined],
  ['ID3 is an algorithm', undefined],
  ['', undefined],
]

test.each(FILES)('a file that begins with %j is %p', (start, type) => {
  expect(sniffedType(Buffer.from(start, 'latin1'))).toBe(type as string)
})

test('only the first bytes of a file say what it is, and none make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: SNIFFED_BYTES, maxLength: 64 }), (bytes) => {
      expect(sniffedType(bytes)).toBe(sniffedType(bytes.subarray(0, SNIFFED_BYTES)) as string)
    }),
  )
})

test.each([
  ['image/jpg', 'image/jpeg'],
  ['IMAGE/PNG', 'image/png'],
  [' text/html ; charset=utf-8', 'text/html'],
  ['application/x-pdf', 'application/pdf'],
  ['', ''],
  [';base64', ''],
])('the type %j is %j', (written, essence) => {
  expect(essenceOf(written)).toBe(essence)
})

test.each(['constructor', '__proto__', 'toString'])('%s is a name like any other, not what objects have', (name) => {
  expect(essenceOf(name)).toBe(name.toLowerCase())
})
