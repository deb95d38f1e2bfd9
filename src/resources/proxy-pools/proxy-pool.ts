/**
 * Proxy pools: the exits that calls leave through, by account, by provider or for all. What an operator sets is here and in the
 * database, what is known of exits is in memory alone. Invariants: no login of an exit leaves but masked; a login never stays when
 * the address that it was given for changes; a pool that is in use is not deleted.
 */
import type { ExitStrategy } from '../../outbound/exits/choice.ts'
import type { Exit } from '../../outbound/exits/exit.ts'

export interface PoolEndpoint {
  readonly exit: Exit
  readonly weight: number
  readonly enabled: boolean
}

/** `manual`: for those that name it. Of each other scope there is at most one pool. */
export type PoolScope = 'manual' | 'global' | `provider:${string}`

export interface CheckRules {
  /** What is fetched through each exit; null connects to a provider that uses the pool. */
  readonly url: string | null
  readonly everyS: number
  readonly timeoutMs: number
  /** Failed checks in a row until an exit is down, and passed ones until it is back. */
  readonly failAfter: number
  readonly okAfter: number
}

export interface ProxyPoolRules {
  readonly name: string
  readonly endpoints: readonly PoolEndpoint[]
  readonly strategy: ExitStrategy
  /** Hosts that go direct, in the words of `NO_PROXY`. */
  readonly noProxy: readonly string[]
  /** Without an exit that is alive: fail, rather than go direct. */
  readonly strict: boolean
  readonly scope: PoolScope
  readonly check: CheckRules
  readonly enabled: boolean
}

export interface ProxyPool extends ProxyPoolRules {
  readonly id: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

/** How failures and logs call a pool, as the beginning of a sentence. */
export function calledBy({ name, enabled }: Pick<ProxyPool, 'name' | 'enabled'>): string {
  return enabled ? `The proxy pool "${name}"` : `The proxy pool "${name}", which is switched off,`
}
