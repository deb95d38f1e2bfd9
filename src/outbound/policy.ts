/** What each policy allows, as pure checks: of the URL before a look-up, and of every address after it. */
import { failure, type Failure } from '../core/failure.ts'
import { classify, type AddressClass } from './address.ts'
import { hostOf, portOf } from './client.ts'
import { isBlockedPort } from './ports.ts'
import type { ConnectionPolicy } from './transport.ts'

export interface PolicyDeps {
  /** Whether this process itself listens there: a request to itself would go round forever, or past its own locks. */
  readonly isOwnListener: (address: string, port: number) => boolean
  /** Ports of the block list that the owner needs all the same. */
  readonly portsAllowed: ReadonlySet<number>
}

type Refusal = Failure | undefined

/** Scheme, user-info and port. A refusal of `http` waits for the addresses, unless nothing will look them up. */
export function checkUrl(url: URL, policy: ConnectionPolicy, deps: PolicyDeps): Refusal {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('Only http and https addresses can be called.')
  if (url.username !== '' || url.password !== '')
    return refuse('An address with a user name or password is not called.')
  if (isBlockedPort(portOf(url)) && !deps.portsAllowed.has(portOf(url))) {
    return refuse(`Port ${portOf(url)} belongs to another kind of service and is not called.`)
  }
  if (url.protocol === 'http:' && !mayBePrivate(policy)) return refuse(HTTP_IS_FOR_LAN[policy.kind])
  return undefined
}

const HTTP_IS_FOR_LAN: Readonly<Record<ConnectionPolicy['kind'], string>> = {
  trusted: 'The address must begin with https.',
  owner: 'The address must begin with https, unless "allow private network" is on and it is a private one.',
  public: 'The address must begin with https.',
}

/** Every answer of a look-up must pass, since any of them may be dialled. */
export function checkAddresses(
  addresses: readonly string[],
  url: URL,
  policy: ConnectionPolicy,
  deps: PolicyDeps,
): Refusal {
  for (const address of addresses) {
    const reason = whyNot(address, url, policy, deps)
    if (reason !== undefined) return refuseAddress(reason, policy)
  }
  return undefined
}

const PRIVATE = 'The address is on a private network. Turn on "allow private network" to call it.'

function whyNot(address: string, url: URL, policy: ConnectionPolicy, deps: PolicyDeps): string | undefined {
  if (deps.isOwnListener(address, portOf(url))) return 'The address is a listener of this gateway itself.'
  const kind = classify(address)
  if (kind === 'global')
    return url.protocol === 'https:' ? undefined : 'An address on the internet must begin with https.'
  if (!isLan(kind)) return `The address is ${kind ?? 'unreadable'} and never called.`
  return mayBePrivate(policy) ? undefined : PRIVATE
}

/** For a public call the reason stays inside: it would tell a stranger what our network looks like. */
function refuseAddress(reason: string, policy: ConnectionPolicy): Failure {
  if (policy.kind === 'owner') return refuse(reason)
  return failure('forbidden', 'The address is not one of the public internet.', { detail: reason })
}

/** A proxy is the owner's configuration and may stand anywhere an owner's host may, plain http included. */
export function checkProxyAddresses(addresses: readonly string[], port: number, deps: PolicyDeps): Refusal {
  const allowed = (address: string) => {
    const kind = classify(address)
    return !deps.isOwnListener(address, port) && (kind === 'global' || isLan(kind))
  }
  return addresses.every(allowed) ? undefined : refuse('The address of the outbound proxy is one that is never called.')
}

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|lan|home\.arpa|onion)\.?$/i

/** What a proxy looks up we cannot see, so only a name of the public internet is handed over, whatever the policy allows. */
export function checkProxiedName(url: URL): Refusal {
  const host = hostOf(url)
  const kind = classify(host)
  const isPublic = kind === undefined ? host.includes('.') && !LOCAL_NAMES.test(host) : kind === 'global'
  if (!isPublic) return refuse('A private address cannot be called through the outbound proxy.')
  return url.protocol === 'https:' ? undefined : refuse('An address on the internet must begin with https.')
}

/** Names and addresses of this machine and its network that can be told without a look-up: they need no proxy. */
export function isPlainlyLocal(url: URL): boolean {
  return /(^|\.)localhost\.?$/i.test(url.hostname) || isLan(classify(hostOf(url)))
}

export function mayBePrivate(policy: ConnectionPolicy): boolean {
  return policy.kind === 'owner' && policy.allowPrivateNetwork
}

function isLan(kind: AddressClass | undefined): boolean {
  return kind === 'private' || kind === 'loopback'
}

function refuse(message: string): Failure {
  return failure('forbidden', message)
}
