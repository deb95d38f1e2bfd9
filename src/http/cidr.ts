import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A block of addresses, parsed once. */
export interface Cidr {
  readonly base: Address
  readonly bits: number
}

/** `10.0.0.0/8`, `fd00::/8` or one address; undefined when it is none of these. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const base = parseAddress(address)
  if (base === undefined || rest.length > 0) return undefined
  const all = base.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return { base, bits: all }
  return /^\d{1,3}$/.test(bits) && Number(bits) <= all ? { base, bits: Number(bits) } : undefined
}

/** Is the address inside one of the blocks? An address that cannot be read is in none. */
export function isInside(blocks: readonly Cidr[], address: string): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && blocks.some(({ base, bits }) => matches(parsed, base, bits))
}

function matches(address: Address, base: Address, bits: number): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

/** IPv4 only in its four decimal parts; an IPv4 address inside an IPv6 one counts as IPv4. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined
}
