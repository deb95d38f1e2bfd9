import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { ResponseParser, type Parsed } from '../../../src/outbound/http1/response-parser.ts'

interface Read {
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly body: string
  readonly end: 'ended' | 'surplus' | 'until-close' | 'unfinished' | string
}

/** Reads pieces with a fresh parser, each in memory of its own as a socket delivers it. */
function read(pieces: readonly Uint8Array[]): Read {
  const parser = new ResponseParser()
  const body: Uint8Array[] = []
  let head: Parsed['head']
  for (const piece of pieces) {
    const parsed = parser.push(Uint8Array.from(piece))
    head ??= parsed.head
    if (parsed.body !== undefined) body.push(Uint8Array.from(parsed.body))
    const end = parsed.problem ?? (parsed.surplus ? 'surplus' : parsed.ended ? 'ended' : undefined)
    if (end !== undefined) return readOf(head, body, end)
  }
  return readOf(head, body, parser.endsWithConnection ? 'until-close' : 'unfinished')
}

function readOf(head: Parsed['head'], body: readonly Uint8Array[], end: string): Read {
  const text = Buffer.concat(body).toString('latin1')
  return head === undefined ? { body: text, end } : { status: head.status, headers: head.headers, body: text, end }
}

const bytes = (text: string) => Buffer.from(text, 'latin1')
const whole = (text: string) => read([bytes(text)])

function cutAt(input: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.map((cut) => cut % (input.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...at].map((start, index) => input.subarray(start, at[index] ?? input.length))
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`

const LEGAL: Readonly<Record<string, readonly [reply: string, body: string, end: Read['end']]>> = {
  'a length': [`${OK}content-length: 5\r\n\r\nhello`, 'hello', 'ended'],
  'a length of nothing': [`${OK}Content-Length: 0\r\n\r\n`, '', 'ended'],
  'a repeated length that agrees': [`${OK}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`, 'hello', 'ended'],
  'a joined length that agrees': [`${OK}content-length: 5, 5\r\n\r\nhello`, 'hello', 'ended'],
  'no reason phrase': ['HTTP/1.1 200\r\ncontent-length: 1\r\n\r\nx', 'x', 'ended'],
  'an empty reason phrase': ['HTTP/1.1 200 \r\ncontent-length: 1\r\n\r\nx', 'x', 'ended'],
  'an odd reason phrase': ['HTTP/1.1 200 Très bien!\r\ncontent-length: 1\r\n\r\nx', 'x', 'ended'],
  chunks: [`${CHUNKED}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`, 'hello world', 'ended'],
  'chunk sizes in capitals and with zeros': [`${CHUNKED}00A\r\n0123456789\r\n000\r\n\r\n`, '0123456789', 'ended'],
  'chunk extensions': [`${CHUNKED}5;a=b;c="d"\r\nhello\r\n0;last\r\n\r\n`, 'hello', 'ended'],
  'a space after the chunk size': [`${CHUNKED}5 \r\nhello\r\n0\r\n\r\n`, 'hello', 'ended'],
  trailers: [`${CHUNKED}5\r\nhello\r\n0\r\nx-checksum: 1\r\nx-more: 2\r\n\r\n`, 'hello', 'ended'],
  'CRLF inside chunks': [`${CHUNKED}6\r\na\r\n0\r\n\r\n0\r\n\r\n`, 'a\r\n0\r\n', 'ended'],
  'an end with the connection': [`${OK}x: y\r\n\r\nhello`, 'hello', 'until-close'],
  'HTTP/1.0': ['HTTP/1.0 200 OK\r\n\r\nhello', 'hello', 'until-close'],
  'no content': ['HTTP/1.1 204 No Content\r\n\r\n', '', 'ended'],
  'not modified, with a length': ['HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n', '', 'ended'],
  'an interim reply first': [`HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 1\r\n\r\nx`, 'x', 'ended'],
  'early hints first': [`HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n${OK}content-length: 1\r\n\r\nx`, 'x', 'ended'],
  'a header without a value': [`${OK}x-empty:\r\ncontent-length: 1\r\n\r\nx`, 'x', 'ended'],
  'space around values': [`${OK}content-length: \t 1 \t \r\n\r\nx`, 'x', 'ended'],
  'a coding and a length': [
    `${OK}content-length: 99\r\ntransfer-encoding: Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
    'x',
    'ended',
  ],
  'bytes that nobody asked for': [`${OK}content-length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n`, 'x', 'surplus'],
  'bytes after the last chunk': [`${CHUNKED}1\r\nx\r\n0\r\n\r\nmore`, 'x', 'surplus'],
  'a body that is not all there': [`${OK}content-length: 9\r\n\r\nhello`, 'hello', 'unfinished'],
}

describe.each(Object.entries(LEGAL))('%s', (_, [reply, body, end]) => {
  test('is read', () => expect(whole(reply)).toMatchObject({ body, end }))

  test('is read alike byte by byte', () => {
    const single = [...bytes(reply)].map((byte) => Uint8Array.of(byte))
    expect(read(single)).toMatchObject({ body, end: end === 'surplus' ? 'ended' : end })
  })

  test('is read alike wherever the network cuts it', () => {
    const expected = whole(reply)
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        const got = read(cutAt(bytes(reply), cuts))
        expect({ ...got, end: 'any' }).toEqual({ ...expected, end: 'any' })
        expect([expected.end, 'ended']).toContain(got.end)
      }),
    )
  })
})

test.each<[string, string, string]>([
  ['another protocol', 'SSH-2.0-x\r\n\r\n', 'no status line'],
  ['HTTP/2 in clear', 'HTTP/2 200\r\n\r\n', 'no status line'],
  ['HTTP/0.9', '<html>\r\n\r\n', 'no status line'],
  ['a status out of range', 'HTTP/1.1 099 No\r\n\r\n', 'no status line'],
  ['a status of four digits', 'HTTP/1.1 2000 No\r\n\r\n', 'no status line'],
  ['a folded header', `${OK}x: a\r\n b\r\n\r\n`, 'a malformed header'],
  ['a space before the colon', `${OK}content-length : 5\r\n\r\n`, 'a malformed header'],
  ['a header without a colon', `${OK}nonsense\r\n\r\n`, 'a malformed header'],
  ['a NUL in a value', `${OK}x: a\0b\r\n\r\n`, 'a malformed header'],
  ['a bare LF in the head', `${OK}x: a\ny: b\r\n\r\n`, 'a malformed header'],
  ['a bare CR in the head', `${OK}x: a\ry: b\r\n\r\n`, 'a malformed header'],
  ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 'two lengths'],
  ['two lengths in one', `${OK}content-length: 1, 2\r\n\r\n`, 'a length that is not a number'],
  ['a negative length', `${OK}content-length: -1\r\n\r\n`, 'a length that is not a number'],
  ['a length with a sign', `${OK}content-length: +1\r\n\r\n`, 'a length that is not a number'],
  ['a length in hexadecimal', `${OK}content-length: 0x10\r\n\r\n`, 'a length that is not a number'],
  ['a length too large to count', `${OK}content-length: 9999999999999999\r\n\r\n`, 'a length that is not a number'],
  ['another coding', `${OK}transfer-encoding: gzip, chunked\r\n\r\n`, 'a transfer coding other than chunked'],
  ['chunked twice', `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`, 'other than chunked'],
  ['a change of protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n', 'a change of protocol'],
  ['a chunk size that is no number', `${CHUNKED}xyz\r\n`, 'a chunk without a size'],
  ['an empty chunk size', `${CHUNKED}\r\n`, 'a chunk without a size'],
  ['a negative chunk size', `${CHUNKED}-5\r\n`, 'a chunk without a size'],
  ['a chunk size with 0x', `${CHUNKED}0x5\r\n`, 'not hexadecimal'],
  ['a chunk size too large to count', `${CHUNKED}fffffffffffffff\r\n`, 'too large'],
  ['a chunk size that ends with LF', `${CHUNKED}5\nhello\r\n`, 'not hexadecimal'],
  ['a chunk extension that ends with LF', `${CHUNKED}5;a\nhello\r\n`, 'does not end with CRLF'],
  ['a chunk longer than its size', `${CHUNKED}5\r\nhello!\r\n`, 'longer than its size'],
  ['a trailer line that ends with LF', `${CHUNKED}0\r\nx: y\n\r\n`, 'does not end with CRLF'],
])('%s is refused', (_, reply, problem) => {
  expect(whole(reply).end).toContain(problem)
  const single = [...bytes(reply)].map((byte) => Uint8Array.of(byte))
  expect(read(single).end).toContain(problem)
})

test.each<[string, string, string]>([
  ['a head without an end', `${OK}x: ${'y'.repeat(70_000)}`, 'a head too long'],
  ['a head whose end comes too late', `${OK}x: ${'y'.repeat(70_000)}\r\n\r\n`, 'a head too long'],
  ['300 headers', `${OK}${'x: y\r\n'.repeat(300)}\r\n`, 'more than 256 headers'],
  ['interim replies without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20), 'too many interim replies'],
  ['an extension without end', `${CHUNKED}5;${'x'.repeat(5000)}`, 'extension too long'],
  ['a trailer line without end', `${CHUNKED}0\r\n${'x'.repeat(5000)}`, 'trailers too long'],
  ['trailers without end', `${CHUNKED}0\r\n${'x: y\r\n'.repeat(20_000)}`, 'trailers too long'],
])('%s is bounded', (_, reply, problem) => expect(whole(reply).end).toContain(problem))

test('nothing after a problem counts', () => {
  const parser = new ResponseParser()
  expect(parser.push(bytes('garbage\r\n\r\n')).problem).toBeDefined()
  expect(parser.push(bytes(`${OK}content-length: 1\r\n\r\nx`))).toEqual({ ended: false, surplus: true })
})

test('any bytes at all give a result, within the input', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ maxLength: 100 }).map((tail) => Buffer.concat([bytes(CHUNKED), tail])),
    fc.stringMatching(/^[0-9a-f;\r\nx: ]{0,80}$/).map((tail) => bytes(CHUNKED + tail)),
    fc.stringMatching(/^[a-z:\r\n 0-9-]{0,80}$/).map((tail) => bytes(OK + tail)),
  )
  fc.assert(
    fc.property(noise, fc.array(fc.nat()), (input, cuts) => {
      const got = read(cutAt(input, cuts))
      expect(got.body.length).toBeLessThanOrEqual(input.length)
    }),
    { numRuns: 500 },
  )
})

test('what was chunked in any way comes out as it went in', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, fc.array(fc.nat()), (payload, cuts) => {
      const chunks = payload.map((piece) => [bytes(`${piece.length.toString(16)}\r\n`), piece, bytes('\r\n')])
      const reply = Buffer.concat([bytes(CHUNKED), ...chunks.flat(), bytes('0\r\n\r\n')])
      expect(read(cutAt(reply, cuts))).toMatchObject({
        body: Buffer.concat(payload).toString('latin1'),
        end: 'ended',
      })
    }),
  )
})

test.each<[string, boolean, number | undefined]>([
  [`${OK}content-length: 0\r\n\r\n`, true, undefined],
  [`${OK}content-length: 0\r\nconnection: close\r\n\r\n`, false, undefined],
  [`${OK}content-length: 0\r\nconnection: Keep-Alive, Close\r\n\r\n`, false, undefined],
  [`${OK}content-length: 0\r\nconnection: keep-alive\r\nkeep-alive: timeout=5, max=100\r\n\r\n`, true, 5],
  ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n', false, undefined],
  ['HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n', true, undefined],
  [`${OK}\r\n`, false, undefined],
  [`${OK}content-length: 9\r\ntransfer-encoding: chunked\r\n\r\n`, false, undefined],
])('%j: the connection may be kept: %p, for %p seconds', (reply, keepAlive, idleSeconds) => {
  const { head } = new ResponseParser().push(bytes(reply))
  expect(head).toMatchObject({ keepAlive })
  expect(head?.idleSeconds).toBe(idleSeconds)
})
