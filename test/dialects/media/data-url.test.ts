import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { dataUrl, mediaFromUrl, mimeOf } from '../../../src/dialects/media/data-url.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64')
const HELLO = Buffer.from('héllo, world').toString('base64')

const URLS: readonly (readonly [url: string, mime: string, data: string])[] = [
  [`data:image/png;base64,${PNG}`, 'image/png', PNG],
  [`DATA:IMAGE/PNG;BASE64,${PNG}`, 'image/png', PNG],
  [`data:image/jpeg;base64,${PNG}`, 'image/png', PNG],
  [`data:image/*;base64,${PNG}`, 'image/png', PNG],
  [`data:;base64,${PNG}`, 'image/png', PNG],
  ['data:image/jpg;base64,AAAA', 'image/jpeg', 'AAAA'],
  [`data:text/plain;charset=utf-8;base64,${HELLO}`, 'text/plain', HELLO],
  ['data:text/plain,h%C3%A9llo%2C%20world', 'text/plain', HELLO],
  ['data:text/plain;charset=utf-8,héllo, world', 'text/plain', HELLO],
  ['data:,h%c3%a9llo, world', 'text/plain', HELLO],
  ['data:text/plain,100%', 'text/plain', Buffer.from('100%').toString('base64')],
  ['data:text/plain,%zz%4', 'text/plain', Buffer.from('%zz%4').toString('base64')],
  ['data:application/octet-stream,%ff%00', 'application/octet-stream', '/wA='],
  [`data:image/png;base64,${encodeURIComponent(PNG)}`, 'image/png', PNG],
  ['data:application/octet-stream;base64,_-8=', 'application/octet-stream', '/+8='],
  [`data:image/png;base64,${PNG.slice(0, 8)}\n ${PNG.slice(8)}`, 'image/png', PNG],
  ['data:text/plain,', 'text/plain', ''],
]

test.each(URLS)('%s holds its bytes', (url, mime, data) => {
  expect(mediaFromUrl(url)).toEqual({ kind: 'base64', mime, data })
})

test.each(['https://cdn.example/a.png', 'data:nothing', `data:${'x'.repeat(300)},late`, 'gs://bucket/a.png', ''])(
  '%s stays a URL',
  (url) => expect(mediaFromUrl(url)).toEqual({ kind: 'url', url }),
)

test('what is written as a data URL is read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const data = Buffer.from(bytes).toString('base64')
      expect(mediaFromUrl(dataUrl('application/x-any', data))).toMatchObject({ kind: 'base64', data })
    }),
  )
})

test('any bytes survive being percent-encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const escaped = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      expect(mediaFromUrl(`data:a/b,${escaped}`)).toMatchObject({ data: Buffer.from(bytes).toString('base64') })
    }),
  )
})

test('a zip keeps the name of what is in it', () => {
  const zip = Buffer.from('PK\x03\x04\x14\0\0\0').toString('base64')
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  expect(mimeOf(docx, zip)).toBe(docx)
  expect(mimeOf('', zip)).toBe('application/zip')
})

test('the type is told from the first bytes alone, whatever follows', () => {
  fc.assert(
    fc.property(fc.string(), (rest) =>
      expect(mimeOf('image/gif', PNG.slice(0, 20).padEnd(44, 'A') + rest)).toBe('image/png'),
    ),
  )
})
