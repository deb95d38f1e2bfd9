/**
 * For providers with many accounts: which of them can be used for a model, kept as their states change, so that a request does not
 * ask them all. What changes by time alone and what other things hold back is looked at when it is met, and remembered for a while.
 */
import type { Clock } from '../../core/clock.ts'
import { type AccountPool, type PoolTier, WALKED_MAX } from '../../routing/account-pool.ts'
import { ReadyTree } from '../../routing/ready-tree.ts'
import type { KeyRank } from '../../routing/request-view.ts'
import { tiersOf } from '../../routing/tiers.ts'
import type { SkipReason } from '../../routing/skip.ts'
import type { Account } from './account.ts'

/** Models of all providers that are kept, for each rank; names come from clients. */
const POOLS_MAX = 128
/** How long an account that something holds back is not looked at again. */
const HELD_MS = 500

interface Deps {
  readonly clock: Pick<Clock, 'nowMs'>
  /** From which moment on the account's state lets it be used, if nothing else holds it back; Infinity: not by waiting. */
  readonly readyAtMs: (account: Account, model: string, nowMs: number) => number
  /** What keeps requests from an account besides its state; asked for each that is drawn, so it must cost next to nothing. */
  readonly held: (account: Account, model: string, rank: KeyRank, nowMs: number) => SkipReason | null
}

/** The accounts of one provider in their order, whatever the model. */
interface Ranks {
  readonly accounts: readonly Account[]
  readonly positions: ReadonlyMap<string, number>
  readonly tiers: readonly PoolTier[]
}

export class ReadyPools {
  readonly #deps: Deps
  readonly #ranks = new Map<string, Ranks>()
  readonly #pools = new Map<string, Pool>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Undefined where there are few enough to be asked one by one. `accounts`: all of the provider, ranked. */
  of(providerId: string, model: string, rank: KeyRank, accounts: readonly Account[]): AccountPool<Account> | undefined {
    if (accounts.length <= WALKED_MAX) return undefined
    const name = `${rank} ${providerId}/${model}`
    const known = this.#pools.get(name)
    if (known !== undefined) return known
    if (this.#pools.size >= POOLS_MAX) this.#pools.clear()
    const pool = new Pool(this.#deps, this.#ranksOf(providerId, accounts), model, rank)
    this.#pools.set(name, pool)
    return pool
  }

  /** The state of an account has changed. */
  changed(account: Account): void {
    for (const pool of this.#pools.values()) pool.refresh(account)
  }

  /** Accounts have come, gone or changed their order. */
  clear(): void {
    this.#ranks.clear()
    this.#pools.clear()
  }

  #ranksOf(providerId: string, accounts: readonly Account[]): Ranks {
    const known = this.#ranks.get(providerId)
    if (known !== undefined) return known
    const ranks = ranksOf(accounts)
    this.#ranks.set(providerId, ranks)
    return ranks
  }
}

class Pool implements AccountPool<Account> {
  readonly tiers: readonly PoolTier[]
  readonly #deps: Deps
  readonly #ranks: Ranks
  readonly #model: string
  readonly #rank: KeyRank
  readonly #tree: ReadyTree

  constructor(deps: Deps, ranks: Ranks, model: string, rank: KeyRank) {
    const nowMs = deps.clock.nowMs()
    this.#deps = deps
    this.#ranks = ranks
    this.#model = model
    this.#rank = rank
    this.tiers = ranks.tiers
    this.#tree = new ReadyTree(ranks.accounts.map((account) => deps.readyAtMs(account, model, nowMs)))
  }

  at(position: number): Account {
    const account = this.#ranks.accounts[position]
    if (account === undefined) throw new RangeError(`no account at ${position}`)
    return account
  }

  positionOf(accountId: string): number | undefined {
    return this.#ranks.positions.get(accountId)
  }

  isReady(position: number): boolean {
    const nowMs = this.#deps.clock.nowMs()
    return this.#tree.readyAtMs(position) <= nowMs && !this.#isHeld(position, nowMs)
  }

  next(from: number, to: number): number {
    const nowMs = this.#deps.clock.nowMs()
    let position = this.#tree.next(from, to, nowMs)
    while (position >= 0 && this.#isHeld(position, nowMs)) position = this.#tree.next(position + 1, to, nowMs)
    return position
  }

  /** Looked at closely; what cannot be used after all is left alone for a while. */
  #isHeld(position: number, nowMs: number): boolean {
    if (this.#deps.held(this.at(position), this.#model, this.#rank, nowMs) === null) return false
    this.#tree.set(position, nowMs + HELD_MS)
    return true
  }

  /** The account's state has changed. */
  refresh(account: Account): void {
    const position = this.#ranks.positions.get(account.id)
    if (position === undefined) return
    this.#tree.set(position, this.#deps.readyAtMs(this.at(position), this.#model, this.#deps.clock.nowMs()))
  }
}

function ranksOf(all: readonly Account[]): Ranks {
  const groups = tiersOf(all, (account) => account)
  const accounts = groups.flat()
  const tiers: PoolTier[] = []
  for (const group of groups) {
    const from = tiers.at(-1)?.to ?? 0
    tiers.push({ from, to: from + group.length, weights: sums(group.map(({ weight }) => weight)) })
  }
  return { accounts, tiers, positions: new Map(accounts.map(({ id }, position) => [id, position])) }
}

function sums(values: readonly number[]): readonly number[] {
  let sum = 0
  return values.map((value) => (sum += value))
}
