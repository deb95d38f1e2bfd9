import ipaddr from 'ipaddr.js'

/**
 * What an IP address is, as far as policies care. `metadata` are the hosts at which clouds hand out credentials, wherever
 * they lie; `reserved` is everything that no policy wants: documentation, benchmarks, retired and unassigned blocks, and
 * IPv6 forms that wrap an IPv4 address which is not global.
 */
export type AddressClass =
  'global' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'unspecified' | 'multicast' | 'reserved'

/** An address, classified once and judged at every use; undefined for text that is none. */
export interface Address {
  readonly address: string
  readonly kind: AddressClass | undefined
}

type Row = readonly [cidr: string, kind: AddressClass]

// In both tables the first row that matches decides; an IPv4 address that matches none is global.
// https://www.iana.org/assignments/iana-ipv4-special-registry (read 2026-11-21)
const IPV4: readonly Row[] = [
  ['100.100.100.200/32', 'metadata'], // Alibaba Cloud, inside the shared block
  ['168.63.129.16/32', 'metadata'], // Azure's host agent, inside a global block
  ['192.0.0.192/32', 'metadata'], // Oracle Cloud (classic)
  ['0.0.0.0/32', 'unspecified'],
  ['0.0.0.0/8', 'reserved'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'], // shared (RFC 6598): carrier NAT and private overlay networks
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'], // holds nearly every cloud's metadata service
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', 'reserved'],
  ['192.175.48.0/24', 'reserved'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'reserved'],
  ['203.0.113.0/24', 'reserved'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
]

// https://www.iana.org/assignments/iana-ipv6-special-registry (read 2026-11-21); of the rest only 2000::/3 is handed out.
const IPV6: readonly Row[] = [
  ['fd00:ec2::/32', 'metadata'], // AWS
  ['fd20:ce::/32', 'metadata'], // Google Cloud
  ['fd00:c1::/32', 'metadata'], // Oracle Cloud
  ['fd00:42::/32', 'metadata'], // Scaleway
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['fc00::/7', 'private'],
  ['ff00::/8', 'multicast'],
  ['2001::/23', 'reserved'], // IETF protocol assignments, Teredo (RFC 4380) among them: retired
  ['2001:db8::/32', 'reserved'],
  ['2002::/16', 'reserved'], // 6to4: its relays are retired (RFC 7526)
  ['2620:4f:8000::/48', 'reserved'],
  ['3fff::/20', 'reserved'],
  ['2000::/3', 'global'],
  ['::/0', 'reserved'],
]

type Parsed = ReturnType<typeof ipaddr.parse>

const IPV4_TABLE = IPV4.map(parseRow)
const IPV6_TABLE = IPV6.map(parseRow)
const MAPPED = ipaddr.parseCIDR('::ffff:0:0/96')
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/**
 * The class of an address in its usual spelling (what a URL's host or a look-up holds); undefined for anything else, a zone
 * (`fe80::1%eth0`) or an odd spelling of IPv4 (`0177.1`) included.
 */
export function classify(text: string): AddressClass | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return lookUp(IPV4_TABLE, ipaddr.IPv4.parse(text))
  const ipv6 = canonicalIpv6(text)
  return ipv6 === undefined ? undefined : classifyIpv6(ipaddr.IPv6.parse(ipv6))
}

/** The platform's own spelling: ipaddr.js reads `::8.8.8.8`, which is a retired block, as the mapped `::ffff:8.8.8.8`. */
function canonicalIpv6(text: string): string | undefined {
  return text.includes(':') ? URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) : undefined
}

function classifyIpv6(address: ipaddr.IPv6): AddressClass {
  if (address.match(MAPPED)) return lookUp(IPV4_TABLE, lastFourBytes(address))
  if (isTunnelled(address)) return 'reserved'
  // A NAT64 gateway (RFC 6052) reaches the IPv4 internet, and must not be asked for anything nearer.
  if (address.match(NAT64)) return lookUp(IPV4_TABLE, lastFourBytes(address)) === 'global' ? 'global' : 'reserved'
  return lookUp(IPV6_TABLE, address)
}

/** An interface identifier of ISATAP (RFC 5214), behind which any IPv4 address may stand, whatever the network before it. */
function isTunnelled({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

function lookUp(table: readonly (readonly [[Parsed, number], AddressClass])[], address: Parsed): AddressClass {
  return table.find(([range]) => address.match(range))?.[1] ?? 'global'
}

function parseRow([cidr, kind]: Row): readonly [[Parsed, number], AddressClass] {
  return [ipaddr.parseCIDR(cidr), kind]
}
