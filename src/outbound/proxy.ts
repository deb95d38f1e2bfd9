import ipaddr from 'ipaddr.js'
import { onlyExit, type Exits } from './exits/exit-pool.ts'
import { parseExit } from './exits/exit.ts'
import type { Target } from './target.ts'

/** `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` as the configuration read them. */
export interface ProxyConfig {
  readonly http?: string
  readonly https?: string
  readonly all?: string
  /** Hosts that are called directly: `*`, a name with its subdomains, an address, a block of addresses; each with `:port` or without. */
  readonly no: readonly string[]
}

/** The environment's proxy for a target; undefined to connect directly. A value that is not a proxy's address is ignored. */
export type EnvironmentExits = (target: Target) => Exits | undefined

export function environmentExits(config: ProxyConfig | undefined): EnvironmentExits {
  if (config === undefined) return () => undefined
  const [http, https] = [exitsAt(config.http ?? config.all, config.no), exitsAt(config.https ?? config.all, config.no)]
  return ({ isTls }) => (isTls ? https : http)
}

function exitsAt(text: string | undefined, bypass: readonly string[]): Exits | undefined {
  if (text === undefined) return undefined
  const exit = parseExit(text.includes('://') ? text : `http://${text}`)
  return exit.ok ? onlyExit("The environment's proxy", exit.value, undefined, bypass) : undefined
}

/** Whether a host is one of those that are called directly. Names are not looked up for it. */
export function isBypassed(target: Target, entries: readonly string[]): boolean {
  return entries.some((entry) => matches(entry, target))
}

/** Whether text names hosts in one of the ways that `isBypassed` reads. */
export function isBypassEntry(text: string): boolean {
  if (text === '*') return true
  const { name, port } = splitPort(text.toLowerCase())
  if (port !== undefined && (port < 1 || port > 65_535)) return false
  if (name.includes('/')) return ipaddr.isValidCIDR(name)
  if (name.includes(':')) return ipaddr.IPv6.isValid(name)
  return /^(\*?\.)?[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?$/.test(name)
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
