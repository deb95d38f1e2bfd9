import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { classify, type AddressClass } from '../../src/outbound/address.ts'
import { isBlockedPort } from '../../src/outbound/ports.ts'

const ADDRESSES: readonly (readonly [string, AddressClass | undefined])[] = [
  ['8.8.8.8', 'global'],
  ['1.1.1.1', 'global'],
  ['100.63.255.255', 'global'],
  ['100.128.0.0', 'global'],
  ['172.15.255.255', 'global'],
  ['172.32.0.0', 'global'],
  ['223.255.255.255', 'global'],
  ['2606:4700:4700::1111', 'global'],
  ['2001:4860:4860::8888', 'global'],
  ['::ffff:8.8.8.8', 'global'],
  ['64:ff9b::8.8.8.8', 'global'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.5', 'private'],
  ['100.64.0.1', 'private'],
  ['::ffff:192.168.1.5', 'private'],
  ['::ffff:c0a8:105', 'private'],
  ['fd12:3456::1', 'private'],
  ['fc00::1', 'private'],
  ['fec0::1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['169.254.170.2', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['fd00:c1::a9fe:a9fe', 'metadata'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['::ffff:0.0.0.0', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  ['0.1.2.3', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['203.0.113.7', 'reserved'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['64:ff9b::10.0.0.1', 'reserved'],
  ['64:ff9b::169.254.169.254', 'reserved'],
  ['64:ff9b:1::8.8.8.8', 'reserved'],
  ['2002:808:808::1', 'reserved'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'reserved'],
  ['::8.8.8.8', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['100::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['fe80::1%eth0', undefined],
  ['0177.0.0.1', undefined],
  ['127.1', undefined],
  ['2130706433', undefined],
  ['example.com', undefined],
  ['', undefined],
  ['[::1]', undefined],
]

test.each(ADDRESSES)('%s is %p', (address, expected) => {
  expect(classify(address)).toBe(expected)
})

/** What must never pass as global, kept apart from the table under test. */
const NOT_GLOBAL: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
]

export const notGlobalIpv4: fc.Arbitrary<number> = fc
  .tuple(fc.constantFrom(...NOT_GLOBAL), fc.nat({ max: 0xffffffff }))
  .map(([[network, bits], noise]) => (network + (noise % 2 ** (32 - bits))) >>> 0)

const dotted = (ip: number) => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.')
const groups = (ip: number) => `${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}`
const WRAPPINGS: Readonly<Record<string, (ip: number) => string>> = {
  'no wrapping': dotted,
  'v4-mapped': (ip) => `::ffff:${dotted(ip)}`,
  'v4-mapped in hexadecimal': (ip) => `::ffff:${groups(ip)}`,
  'v4-mapped in full': (ip) => `0:0:0:0:0:FFFF:${groups(ip)}`,
  'v4-compatible': (ip) => `::${dotted(ip)}`,
  'v4-translated': (ip) => `::ffff:0:${dotted(ip)}`,
  NAT64: (ip) => `64:ff9b::${groups(ip)}`,
  'local NAT64': (ip) => `64:ff9b:1::${groups(ip)}`,
  '6to4': (ip) => `2002:${groups(ip)}::1`,
  Teredo: (ip) => `2001:0:4136:e378:8000:63bf:${groups(~ip >>> 0)}`,
  'Teredo server': (ip) => `2001:0:${groups(ip)}:8000:63bf:3fff:fdd2`,
}

test.each(Object.entries(WRAPPINGS))('no address of a non-global IPv4 block passes as global with %s', (_, wrap) => {
  fc.assert(
    fc.property(notGlobalIpv4, (ip) => {
      expect(classify(wrap(ip))).not.toBe('global')
      expect(classify(wrap(ip))).toBeDefined()
    }),
  )
})

test('text that is no address has no class, and none throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void classify(text)))
})

test.each([22, 25, 53, 6379, 2375])('port %i is blocked', (port) => expect(isBlockedPort(port)).toBe(true))
test.each([80, 443, 8080, 1234, 8000, 11434])('port %i is not blocked', (port) =>
  expect(isBlockedPort(port)).toBe(false),
)
