/** Checks of all exits, when they are due and when somebody asks: one timer, and never more than a few at once. */
import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import type { Exit } from '../../outbound/exits/exit.ts'
import type { ObservedExits } from '../../outbound/exits/observed.ts'
import { checkExit, type CheckDeps, type CheckOutcome } from './check.ts'
import type { PoolEndpoint, ProxyPool } from './proxy-pool.ts'
import type { EndpointStatus } from './status.ts'

interface Deps extends CheckDeps {
  readonly clock: Clock
  readonly observed: ObservedExits
  readonly pools: () => readonly ProxyPool[]
}

interface Checked {
  failed: number
  passed: number
  /** Null when there was nothing to ask yet. */
  atMs: number | null
  /** On the monotonic clock. */
  startedMs: number
  exitIp: string | null
  country: string | null
  words: string | null
}

const TICK_MS = 1_000
const CHECKS_AT_ONCE_MAX = 32
/** Of those that somebody waits for none begins later; the exit keeps what is known of it. */
const BEGIN_WITHIN_MS = 45_000

export class ExitChecks {
  readonly #deps: Deps
  /** By pool and exit: pools that share an exit check it each in their own way. */
  readonly #checked = new Map<string, Checked>()
  readonly #running = new Map<string, Promise<CheckOutcome>>()
  readonly #waiting: (() => void)[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Checks what is due from here on, until the returned function is called. */
  start(): () => void {
    return this.#deps.clock.every(TICK_MS, () => this.#startDue())
  }

  /** Checks every exit of a pool now, those that are switched off too. Their states are what these checks found, and no more. */
  async checkAll(pool: ProxyPool): Promise<readonly EndpointStatus[]> {
    const beginByMs = this.#deps.clock.monotonicMs() + BEGIN_WITHIN_MS
    const outcomes = await Promise.all(pool.endpoints.map((endpoint) => this.#check(pool, endpoint, beginByMs)))
    return this.statusOf(pool).map((status, index) => ({ ...status, ...found(outcomes[index] ?? NOT_BEGUN) }))
  }

  statusOf(pool: ProxyPool): readonly EndpointStatus[] {
    return pool.endpoints.map(({ exit }) => {
      const checked = this.#checked.get(keyOf(pool, exit))
      const observed = this.#deps.observed.of(exit)
      const { exitIp = null, country = null } = checked ?? {}
      return {
        exit,
        ...observed,
        lastError: observed.lastError ?? checked?.words ?? null,
        exitIp,
        country,
        checkedAtMs: checked?.atMs ?? null,
      }
    })
  }

  /** Forgets pools and exits that are gone. */
  keepOnly(pools: readonly ProxyPool[]): void {
    const known = new Set(pools.flatMap((pool) => pool.endpoints.map(({ exit }) => keyOf(pool, exit))))
    for (const key of this.#checked.keys()) if (!known.has(key)) this.#checked.delete(key)
    this.#deps.observed.keepOnly(new Set(pools.flatMap(({ endpoints }) => endpoints.map(({ exit }) => exit.key))))
  }

  #startDue(): void {
    for (const pool of this.#deps.pools()) {
      if (!pool.enabled) continue
      for (const endpoint of pool.endpoints) {
        if (this.#running.size >= CHECKS_AT_ONCE_MAX) return // the next tick goes on
        if (endpoint.enabled && this.#isDue(pool, endpoint)) void this.#check(pool, endpoint)
      }
    }
  }

  #isDue(pool: ProxyPool, { exit }: PoolEndpoint): boolean {
    const checked = this.#checked.get(keyOf(pool, exit))
    if (checked === undefined) return true
    const sinceMs = this.#deps.clock.monotonicMs() - checked.startedMs
    return sinceMs >= pool.check.everyS * SECOND_MS || (sinceMs > 0 && this.#deps.observed.isRested(exit))
  }

  /** Joins a check of the same exit that is under way. */
  async #check(pool: ProxyPool, { exit }: PoolEndpoint, beginByMs = Infinity): Promise<CheckOutcome> {
    const key = keyOf(pool, exit)
    const running = this.#running.get(key)
    if (running !== undefined) return await running
    while (this.#running.size >= CHECKS_AT_ONCE_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#deps.clock.monotonicMs() > beginByMs) {
      this.#waiting.shift()?.()
      return NOT_BEGUN
    }
    const check = this.#run(key, pool, exit)
    this.#running.set(key, check)
    return await check
  }

  async #run(key: string, pool: ProxyPool, exit: Exit): Promise<CheckOutcome> {
    const checked = this.#entry(key)
    checked.startedMs = this.#deps.clock.monotonicMs()
    const outcome = await checkExit(pool, exit, this.#deps)
    this.#running.delete(key)
    this.#waiting.shift()?.()
    this.#learn(checked, pool, exit, outcome)
    return outcome
  }

  #learn(checked: Checked, { check }: ProxyPool, exit: Exit, outcome: CheckOutcome): void {
    const { observed, clock } = this.#deps
    if (outcome.kind === 'skipped') return void (checked.words = outcome.words)
    checked.atMs = clock.nowMs()
    if (outcome.kind === 'passed') {
      Object.assign(checked, { failed: 0, passed: checked.passed + 1, words: null })
      Object.assign(checked, { exitIp: outcome.exitIp, country: outcome.country })
      if (checked.passed >= check.okAfter) observed.report(exit, { kind: 'reached', ms: outcome.ms })
      return
    }
    Object.assign(checked, { failed: checked.failed + 1, passed: 0, words: outcome.words })
    observed.note(exit, outcome.words)
    // Until well after the next check, so that an exit that is down stays down between two of them.
    if (checked.failed >= check.failAfter) observed.rest(exit, 2 * check.everyS * SECOND_MS)
    else if (observed.of(exit).state === 'down') observed.rest(exit)
  }

  #entry(key: string): Checked {
    const known = this.#checked.get(key)
    if (known !== undefined) return known
    const checked: Checked = {
      failed: 0,
      passed: 0,
      atMs: null,
      startedMs: 0,
      exitIp: null,
      country: null,
      words: null,
    }
    this.#checked.set(key, checked)
    return checked
  }
}

const NOT_BEGUN: CheckOutcome = { kind: 'skipped', words: 'there was no time left to check it' }

/** What one check says of its exit. */
function found(outcome: CheckOutcome): Pick<EndpointStatus, 'state' | 'latencyMs' | 'lastError'> {
  if (outcome.kind === 'passed') return { state: 'up', latencyMs: outcome.ms, lastError: null }
  return { state: outcome.kind === 'failed' ? 'down' : 'unknown', latencyMs: null, lastError: outcome.words }
}

function keyOf({ id }: ProxyPool, { key }: Exit): string {
  return `${id} ${key}`
}
