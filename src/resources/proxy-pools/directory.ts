/** Which pool's exits a call leaves through. Read for every call, so it is made anew when pools change and only looked up here. */
import type { ChosenExits } from '../../outbound/connector.ts'
import { ExitPool, type ExitPoolDeps } from '../../outbound/exits/exit-pool.ts'
import type { Behalf } from '../../outbound/transport.ts'
import { calledBy, type PoolScope, type ProxyPool } from './proxy-pool.ts'

/** What an account says that wants no exit. */
export const DIRECT = 'direct'

export class PoolDirectory {
  readonly #byId = new Map<string, ExitPool>()
  /** Pools that are switched on, by their scope. */
  readonly #byScope = new Map<PoolScope, ExitPool>()
  /** Stands for a pool that is gone: whoever named it does not go direct. */
  readonly #gone: ExitPool

  constructor(pools: readonly ProxyPool[], deps: ExitPoolDeps) {
    for (const pool of pools) {
      const exits = exitPoolOf(pool, deps)
      this.#byId.set(pool.id, exits)
      if (pool.enabled) this.#byScope.set(pool.scope, exits)
    }
    const nothing = { strategy: 'random', strict: true, bypass: [], exits: [] } as const
    this.#gone = new ExitPool({ by: 'A proxy pool that is gone', ...nothing }, deps)
  }

  /** Account before provider before global; undefined where no pool is meant. */
  exitsFor(behalf: Behalf | undefined): ChosenExits | 'direct' | undefined {
    const named = behalf?.proxyPool ?? null
    if (named === DIRECT) return 'direct'
    if (named !== null) return { exits: this.#byId.get(named) ?? this.#gone, isNamed: true }
    const ofProvider = behalf && this.#byScope.get(`provider:${behalf.providerId}`)
    if (ofProvider !== undefined) return { exits: ofProvider, isNamed: true }
    const ofAll = this.#byScope.get('global')
    return ofAll && { exits: ofAll, isNamed: false }
  }

  /** Whether a call would leave through this pool. */
  isUsedFor(poolId: string, behalf: Behalf): boolean {
    const chosen = this.exitsFor(behalf)
    return chosen !== undefined && chosen !== 'direct' && chosen.exits === this.#byId.get(poolId)
  }
}

/** A pool that is switched off has no exits: those who name it fail or go direct, as it says. */
function exitPoolOf(pool: ProxyPool, deps: ExitPoolDeps): ExitPool {
  const { strategy, strict, noProxy, endpoints } = pool
  const exits = pool.enabled ? endpoints.filter(({ enabled }) => enabled) : []
  return new ExitPool({ by: calledBy(pool), strategy, strict, bypass: noProxy, exits }, deps)
}
