import { describe, expect, test } from 'bun:test'
import { type Cidr, isInside, parseCidr } from '../../src/http/cidr.ts'
import { clientAddress } from '../../src/http/client-address.ts'

const blocks = (...texts: string[]): Cidr[] =>
  texts.map((text) => {
    const cidr = parseCidr(text)
    if (cidr === undefined) throw new Error(`${text} is no block`)
    return cidr
  })

describe('a block', () => {
  for (const text of [
    '10.0.0.0/33',
    '10.0.0/8',
    '1',
    '0x7f.0.0.1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fd00::/129',
    'example.com',
    '',
  ]) {
    test(`"${text}" is none`, () => expect(parseCidr(text)).toBeUndefined())
  }

  for (const [block, inside, outside] of [
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
    ['192.168.1.7', '192.168.1.7', '192.168.1.8'],
    ['0.0.0.0/0', '203.0.113.1', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8:1::1', '2001:db9::1'],
    ['127.0.0.0/8', '::ffff:127.0.0.1', '::1'],
  ] as const) {
    test(`${block} holds ${inside} and not ${outside}`, () => {
      expect([isInside(blocks(block), inside), isInside(blocks(block), outside)]).toEqual([true, false])
    })
  }

  test('no block holds what is no address', () => {
    for (const text of ['unknown', '', '127.1', '1.2.3.4:80']) expect(isInside(blocks('0.0.0.0/0'), text)).toBe(false)
  })
})

describe('the client', () => {
  const trusted = blocks('10.0.0.0/8')
  for (const [name, peer, forwarded, client] of [
    ['is the peer', '203.0.113.1', null, '203.0.113.1'],
    ['is the peer, whatever a stranger forwards', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['is what a trusted proxy forwards', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['is the last address that no trusted proxy added', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['is the first of trusted ones', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is the proxy when it forwards nothing', '10.0.0.1', null, '10.0.0.1'],
    ['is unknown when the socket is', null, '198.51.100.1', null],
  ] as const) {
    test(name, () => expect(clientAddress(peer, forwarded, trusted)).toBe(client))
  }
})
