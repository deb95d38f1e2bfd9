import ipaddr from 'ipaddr.js'
import type { Target } from './target.ts'

/** `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` as the configuration read them. */
export interface ProxyConfig {
  readonly http?: string
  readonly https?: string
  readonly all?: string
  /** Hosts that are called directly: `*`, a name with its subdomains, an address, a block of addresses; each with `:port` or without. */
  readonly no: readonly string[]
}

/** The proxy for this URL, or undefined to connect directly. A value that is not an http or https proxy is ignored. */
export function proxyFor(target: Target, config: ProxyConfig | undefined): URL | undefined {
  if (config === undefined || config.no.some((entry) => matches(entry, target))) return undefined
  const text = (target.isTls ? config.https : config.http) ?? config.all
  const proxy = text === undefined ? null : URL.parse(text.includes('://') ? text : `http://${text}`)
  return proxy?.protocol === 'http:' || proxy?.protocol === 'https:' ? proxy : undefined
}

function matches(entry: string, { host, port: targetPort }: Target): boolean {
  if (entry === '*') return true
  const { name, port } = splitPort(entry.toLowerCase())
  if (port !== undefined && port !== targetPort) return false
  if (name.includes('/')) return isWithin(host, name)
  const suffix = name.replace(/^\*?\./, '')
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`))
}

function splitPort(entry: string): { readonly name: string; readonly port: number | undefined } {
  const parts = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(entry)
  const [, name, port] = parts ?? []
  const isBareIpv6 = !entry.startsWith('[') && (name?.includes(':') ?? false)
  if (name === undefined || isBareIpv6) return { name: entry.replace(/^\[|\]$/g, ''), port: undefined }
  return { name, port: Number(port) }
}

function isWithin(host: string, block: string): boolean {
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(block)) return false
  const address = ipaddr.process(host)
  const [network, bits] = ipaddr.parseCIDR(block)
  return address.kind() === network.kind() && address.match(network, bits)
}
