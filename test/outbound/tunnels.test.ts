import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { parseExit } from '../../src/outbound/exits/exit.ts'
import { tunnelThrough } from '../../src/outbound/exits/tunnel-through.ts'
import type { TunnelStep } from '../../src/outbound/exits/tunnel.ts'

const HTTP = 'http://ann:secret@exit.example:3128'
const SOCKS = 'socks5h://ann:secret@exit.example'

function tunnelOf(url: string, host = 'api.example.com') {
  const exit = parseExit(url)
  if (!exit.ok) throw new Error(exit.error)
  return tunnelThrough(exit.value, { host, port: 443 })
}

/** All that was sent, as hex, and how it ended. Each piece waits for the answer before it, as over a wire. */
function converse(url: string, pieces: readonly Uint8Array[], host?: string): readonly [sent: string, end: string] {
  const tunnel = tunnelOf(url, host)
  const sent = [tunnel.begin()]
  let step: TunnelStep = { kind: 'waits' }
  for (const piece of pieces) {
    step = tunnel.push(piece)
    if (step.kind !== 'waits') break
    if (step.send !== undefined) sent.push(step.send)
  }
  return [Buffer.concat(sent).toString('hex'), step.kind === 'refused' ? step.refusal.words : step.kind]
}

const bytes = (...all: readonly number[]) => Uint8Array.from(all)
const http = (text: string) => [Buffer.from(text, 'latin1')]

const ANSWERS: readonly (readonly [name: string, url: string, answers: readonly Uint8Array[], end: string])[] = [
  ['a 200', HTTP, http('HTTP/1.1 200 Connection established\r\nvia: x\r\ncontent-length: 5\r\n\r\n'), 'open'],
  ['a 200 without a reason', HTTP, http('HTTP/1.0 200\r\n\r\n'), 'open'],
  ['an interim reply before it', HTTP, http('HTTP/1.1 103 Early\r\na: b\r\n\r\nHTTP/1.1 204 x\r\n\r\n'), 'open'],
  ['a 407', HTTP, http('HTTP/1.1 407 No\r\n\r\n'), 'does not accept the credentials that the pool has for it'],
  ['SOCKS with an IPv4 address', SOCKS, [bytes(5, 2), bytes(1, 0), bytes(5, 0, 0, 1, 1, 2, 3, 4, 0, 80)], 'open'],
  ['SOCKS with a name', SOCKS, [bytes(5, 2), bytes(1, 0), bytes(5, 0, 0, 3, 2, 97, 98, 0, 80)], 'open'],
  ['SOCKS with an empty name', SOCKS, [bytes(5, 0), bytes(5, 0, 0, 3, 0, 0, 80)], 'open'],
  ['SOCKS with an IPv6 address', SOCKS, [bytes(5, 0), bytes(5, 0, 0, 4, ...Array(16).fill(9), 0, 80)], 'open'],
  ['SOCKS with a refusal', SOCKS, [bytes(5, 0), bytes(5, 5, 0, 1)], 'was refused by the provider'],
]

describe.each(ANSWERS)('%s', (_, url, answers, end) => {
  test('ends as it should, wherever the network cuts the answers', () => {
    const whole = converse(url, answers)
    expect(whole[1]).toBe(end)
    const cuts = fc.array(fc.nat(200), { maxLength: 8 })
    fc.assert(
      fc.property(cuts, (at) =>
        expect(
          converse(
            url,
            answers.flatMap((one) => cutAt(one, at)),
          ),
        ).toEqual(whole),
      ),
    )
  })
})

function cutAt(piece: Uint8Array, at: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set(at.map((place) => 1 + (place % piece.length)))].toSorted((a, b) => a - b)
  return [...ends, piece.length]
    .map((end, index) => piece.subarray(index === 0 ? 0 : ends[index - 1], end))
    .filter(({ length }) => length > 0)
}

test('any answer ends in a step, and none opens a way that was not granted', () => {
  fc.assert(
    fc.property(fc.constantFrom(HTTP, SOCKS), fc.uint8Array({ minLength: 1, maxLength: 40 }), (url, answer) => {
      const [, end] = converse(url, [answer])
      expect(end).not.toBe('open')
    }),
  )
})

test('what is asked is what the standards say', () => {
  const pair = Buffer.from('ann:secret').toString('base64')
  const [connect] = converse(HTTP, [])
  expect(Buffer.from(connect, 'hex').toString()).toBe(
    `CONNECT api.example.com:443 HTTP/1.1\r\nhost: api.example.com:443\r\nproxy-authorization: Basic ${pair}\r\n\r\n`,
  )
  const [ipv6] = converse('http://exit.example', [], '2606:4700::1')
  expect(Buffer.from(ipv6, 'hex').toString()).toStartWith('CONNECT [2606:4700::1]:443 HTTP/1.1\r\n')
  const hex = (...parts: readonly (string | Uint8Array)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part))).toString('hex')
  const granted = [bytes(5, 2), bytes(1, 0)]
  expect(converse(SOCKS, granted)[0]).toBe(
    hex(
      bytes(5, 2, 0, 2),
      bytes(1, 3),
      'ann',
      bytes(6),
      'secret',
      bytes(5, 1, 0, 3, 15),
      'api.example.com',
      bytes(1, 187),
    ),
  )
  expect(converse('socks5://exit.example', [bytes(5, 0)], '93.184.216.34')[0]).toBe(
    hex(bytes(5, 1, 0), bytes(5, 1, 0, 1, 93, 184, 216, 34, 1, 187)),
  )
})
