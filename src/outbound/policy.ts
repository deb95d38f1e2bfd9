/** What each policy allows, as pure checks: of the URL before a look-up, and of every address after it. */
import { failure, type Failure } from '../core/failure.ts'
import type { Address, AddressClass } from './address.ts'
import type { Exit } from './exits/exit.ts'
import { isBlockedPort } from './ports.ts'
import { targetOf, type Target } from './target.ts'
import type { ConnectionPolicy } from './transport.ts'

export interface PolicyDeps {
  /** Whether this process itself listens there: a request to itself would go round forever, or past its own locks. */
  readonly isOwnListener: (address: string, port: number) => boolean
  /** Ports of the block list that the owner needs all the same. */
  readonly portsAllowed: ReadonlySet<number>
}

type Refusal = Failure | undefined

/** Scheme, user-info and port. A refusal of `http` waits for the addresses, unless nothing will look them up. */
export function checkTarget({ url, port }: Target, policy: ConnectionPolicy, deps: PolicyDeps): Refusal {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('Only http and https addresses can be called.')
  if (url.username !== '' || url.password !== '')
    return refuse('An address with a user name or password is not called.')
  if (isBlockedPort(port) && !deps.portsAllowed.has(port)) {
    return refuse(`Port ${port} belongs to another kind of service and is not called.`)
  }
  if (url.protocol === 'http:' && !mayBePrivate(policy)) return refuse(HTTP_IS_FOR_LAN[policy.kind])
  return undefined
}

const HTTP_IS_FOR_LAN: Readonly<Record<ConnectionPolicy['kind'], string>> = {
  trusted: 'The address must begin with https.',
  owner: 'The address must begin with https, unless "allow private network" is on and it is a private one.',
  public: 'The address must begin with https.',
}

const AT_SAVE: PolicyDeps = { isOwnListener: () => false, portsAllowed: new Set() }
const LOCALHOST: Address = { address: '127.0.0.1', kind: 'loopback' }

/** The same rules that hold at use, as far as they can be told when an address is saved: names are not looked up. */
export function checkAtSave(url: URL, policy: ConnectionPolicy): Refusal {
  const target = targetOf(url)
  const refusal = checkTarget(target, policy, AT_SAVE)
  const told = target.literal ?? (isPlainlyLocal(target) ? LOCALHOST : undefined)
  return refusal ?? (told === undefined ? undefined : checkAddresses([told], target, policy, AT_SAVE))
}

/** Every answer of a look-up must pass, since any of them may be dialled. */
export function checkAddresses(
  addresses: readonly Address[],
  target: Target,
  policy: ConnectionPolicy,
  deps: PolicyDeps,
): Refusal {
  for (const address of addresses) {
    const reason = whyNot(address, target, policy, deps)
    if (reason !== undefined) return refuseAddress(reason, policy)
  }
  return undefined
}

const PRIVATE = 'The address is on a private network. Turn on "allow private network" to call it.'

function whyNot(
  { address, kind }: Address,
  target: Target,
  policy: ConnectionPolicy,
  deps: PolicyDeps,
): string | undefined {
  if (deps.isOwnListener(address, target.port)) return 'The address is a listener of this gateway itself.'
  if (kind === 'global') return target.isTls ? undefined : 'An address on the internet must begin with https.'
  if (!isLan(kind)) return `The address is ${kind ?? 'unreadable'} and never called.`
  return mayBePrivate(policy) ? undefined : PRIVATE
}

/** For a public call the reason stays inside: it would tell a stranger what our network looks like. */
function refuseAddress(reason: string, policy: ConnectionPolicy): Failure {
  if (policy.kind === 'owner') return refuse(reason)
  return failure('forbidden', 'The address is not one of the public internet.', { detail: reason })
}

/** A proxy is the owner's configuration and may stand anywhere an owner's host may, plain http included. */
export function checkExitAddresses(addresses: readonly Address[], port: number, deps: PolicyDeps): Refusal {
  const allowed = ({ address, kind }: Address) =>
    !deps.isOwnListener(address, port) && (kind === 'global' || isLan(kind))
  if (isBlockedPort(port) && !deps.portsAllowed.has(port)) {
    return refuse(`Port ${port} belongs to another kind of service and is not called.`)
  }
  return addresses.every(allowed) ? undefined : refuse('The address of the outbound proxy is one that is never called.')
}

/** The same rules, as far as they can be told when an exit is saved. */
export function checkExitAtSave({ literal, port }: Pick<Exit, 'literal' | 'port'>): Refusal {
  return checkExitAddresses(literal === undefined ? [] : [literal], port, AT_SAVE)
}

/** RFC 1035, and what every kind of proxy can be handed. */
const NAME_LENGTH_MAX = 253
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|lan|home\.arpa|onion)\.?$/i

/** What a proxy looks up we cannot see, so only a name of the public internet is handed over, whatever the policy allows. */
export function checkProxiedName({ host, literal, isTls }: Target): Refusal {
  if (host.length > NAME_LENGTH_MAX) return refuse('The host name of the address is too long.')
  const isPublic = literal === undefined ? host.includes('.') && !LOCAL_NAMES.test(host) : literal.kind === 'global'
  if (!isPublic) return refuse('A private address cannot be called through the outbound proxy.')
  return isTls ? undefined : refuse('An address on the internet must begin with https.')
}

/** Names and addresses of this machine and its network that can be told without a look-up: they need no proxy. */
export function isPlainlyLocal({ host, literal }: Target): boolean {
  return isLan(literal?.kind) || /(^|\.)localhost\.?$/i.test(host)
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
