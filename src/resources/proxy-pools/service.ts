import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import type { ChosenExits, Connector } from '../../outbound/connector.ts'
import { ObservedExits } from '../../outbound/exits/observed.ts'
import type { Behalf } from '../../outbound/transport.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { ExitChecks } from './checks.ts'
import { destinationOf, type Users } from './destination.ts'
import { DIRECT, PoolDirectory } from './directory.ts'
import type { ProxyPool } from './proxy-pool.ts'
import { readRules } from './rules.ts'
import { rulesToWire, type NewProxyPoolDraft, type ProxyPoolDraft } from './schema.ts'
import type { EndpointStatus } from './status.ts'
import { NO_SUCH_POOL, type ProxyPoolStore } from './store.ts'

interface Deps extends Users {
  readonly store: ProxyPoolStore
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** For checks; it asks this service for exits, so it is there only after it. */
  readonly connector: () => Pick<Connector, 'sendBy' | 'reachBy'>
}

/** A pool with what is known of its exits. */
export interface ShownPool {
  readonly pool: ProxyPool
  readonly status: readonly EndpointStatus[]
}

interface Loaded {
  readonly pools: readonly ProxyPool[]
  readonly directory: PoolDirectory
}

/** What operators do with proxy pools. A change counts from the next call on; every act is audited, no login is. */
export class ProxyPoolService {
  readonly #deps: Deps
  readonly #observed: ObservedExits
  readonly #checks: ExitChecks
  readonly #loaded: Snapshot<Loaded>

  constructor(deps: Deps) {
    this.#deps = deps
    const { clock, log } = deps
    this.#observed = new ObservedExits(clock, ({ where }, isUp) => {
      log.write(isUp ? 'info' : 'warn', 'router', isUp ? 'a proxy exit is back' : 'a proxy exit rests', { exit: where })
    })
    this.#loaded = new Snapshot(this.#made([]))
    this.#checks = new ExitChecks({
      clock,
      observed: this.#observed,
      pools: () => this.all(),
      connector: {
        sendBy: (exits, request) => deps.connector().sendBy(exits, request),
        reachBy: (exits, connecting) => deps.connector().reachBy(exits, connecting),
      },
      destinationOf: (pool) => destinationOf(pool, this.#loaded.current.directory, deps),
    })
  }

  /** Reads what is stored: before calls are made, and after each write. */
  async reload(): Promise<void> {
    const pools = await this.#deps.store.all()
    this.#loaded.replace(this.#made(pools))
    this.#checks.keepOnly(pools)
  }

  /** Checks exits whenever that is due, until the returned function is called. */
  startChecks(): () => void {
    return this.#checks.start()
  }

  /** For the connector. */
  exitsFor(behalf: Behalf | undefined): ChosenExits | 'direct' | undefined {
    return this.#loaded.current.directory.exitsFor(behalf)
  }

  /** In creation order. */
  all(): readonly ProxyPool[] {
    return this.#loaded.current.pools
  }

  /** What an account or a provider may name. */
  isChoice(id: string): boolean {
    return id === DIRECT || this.all().some((pool) => pool.id === id)
  }

  shown(pool: ProxyPool): ShownPool {
    return { pool, status: this.#checks.statusOf(pool) }
  }

  /** Refusal: `missing`. */
  get(id: string): Result<ShownPool, Refusal> {
    const pool = this.all().find((one) => one.id === id)
    return pool === undefined ? err(NO_SUCH_POOL) : ok(this.shown(pool))
  }

  /** Refusals: `invalid`; `conflict` for a name or a scope that another pool has. */
  async create(draft: NewProxyPoolDraft, caller: Caller): Promise<Result<ShownPool, Refusal>> {
    const { store, clock, random } = this.#deps
    const rules = readRules(draft, 'put', null, this.#isProvider)
    if (!rules.ok) return err(invalid(rules.error))
    const nowMs = clock.nowMs()
    const pool = { id: newId('ppl', random), ...rules.value, createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    const inserted = await store.insert(pool)
    if (!inserted.ok) return inserted
    await this.reload()
    await this.#record('proxy_pool.create', caller, pool, { after: rulesToWire(pool) })
    return ok(this.shown(pool))
  }

  /** `version`: the one that the caller has seen; null when it does not matter. Refusals: those of `create`, `missing`, `stale`. */
  async change(
    id: string,
    draft: ProxyPoolDraft,
    mode: 'put' | 'patch',
    version: number | null,
    caller: Caller,
  ): Promise<Result<ShownPool, Refusal>> {
    const changed = await this.#deps.store.change(id, (before) => {
      const stale = staleness(before.version, version)
      if (stale !== undefined) return err(stale)
      const rules = readRules(draft, mode, before, this.#isProvider)
      if (!rules.ok) return err(invalid(rules.error))
      return ok(revised(before, { ...before, ...rules.value }, this.#deps.clock.nowMs()))
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(this.shown(after))
    await this.reload()
    await this.#record('proxy_pool.change', caller, after, { before: rulesToWire(before), after: rulesToWire(after) })
    return ok(this.shown(after))
  }

  /** Refusals: `missing`, `stale`; `conflict` while accounts or custom providers name it. */
  async remove(id: string, version: number | null, caller: Caller): Promise<Result<ProxyPool, Refusal>> {
    const removed = await this.#deps.store.remove(id, (pool) => staleness(pool.version, version))
    if (!removed.ok) return removed
    await this.reload()
    await this.#record('proxy_pool.delete', caller, removed.value, { before: rulesToWire(removed.value) })
    return removed
  }

  /** Checks every exit of a pool now; the states are what the checks found. Refusal: `missing`. */
  async test(id: string, caller: Caller): Promise<Result<ShownPool, Refusal>> {
    const found = this.get(id)
    if (!found.ok) return found
    const { pool } = found.value
    const status = await this.#checks.checkAll(pool)
    const up = status.filter(({ state }) => state === 'up').length
    await this.#record('proxy_pool.test', caller, pool, { after: { up, exits: status.length } })
    return ok({ pool, status })
  }

  /** Checks every exit of every pool now. */
  async testAll(caller: Caller): Promise<readonly ShownPool[]> {
    const tested = await Promise.all(this.all().map(({ id }) => this.test(id, caller)))
    return tested.flatMap((one) => (one.ok ? [one.value] : [])) // a pool that was deleted meanwhile is no news
  }

  #made(pools: readonly ProxyPool[]): Loaded {
    return { pools, directory: new PoolDirectory(pools, { ...this.#deps, observed: this.#observed }) }
  }

  readonly #isProvider = (id: string): boolean => this.#deps.provider(id) !== undefined

  async #record(
    action: string,
    caller: Caller,
    { id, name }: ProxyPool,
    values: { readonly before?: unknown; readonly after?: unknown },
  ): Promise<void> {
    const object = { type: 'proxy_pool', id, name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, outcome: 'ok', ...values })
  }
}
