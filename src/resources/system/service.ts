/**
 * What the process, its host, its databases and its traffic are doing right now. Nothing here is counted for its own sake: what
 * others know is asked for, the rest is sampled in fixed memory. Invariant: asking never fails because something is hidden.
 */
import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import { cpuUs, hostFacts, type HostFacts, processFacts, type ProcessFacts } from './machine.ts'
import { Pulse } from './pulse.ts'
import type { DbFacts, SystemStore } from './store.ts'
import type { Traffic } from './traffic.ts'
import { warningsOf } from './warnings.ts'

export interface SystemStats {
  readonly app: {
    readonly version: string
    readonly commit: string
    readonly startedAtMs: number
    readonly uptimeS: number
  }
  readonly process: ProcessFacts & { readonly cpuPct: number | null; readonly eventLoopLagP99Ms: number | null }
  readonly host: HostFacts
  readonly gateway: {
    readonly inFlight: number
    /** Requests that wait for an account which is at its own limits. */
    readonly queued: number
    readonly requestsPerSecond: number
    readonly streamsOpen: number
    readonly p50GatewayMs: number | null
    readonly p99GatewayMs: number | null
  }
  readonly db: DbFacts
  readonly logWriter: { readonly pending: number; readonly dropped: number }
  /** Accounts that a limit holds back. */
  readonly accountsCooldown: number
  /** Providers that fail and are left alone for a while. */
  readonly circuitOpen: readonly string[]
  readonly warnings: readonly string[]
}

interface Deps {
  readonly clock: Clock
  readonly build: { readonly version: string; readonly commit: string }
  readonly listening: { readonly host: string; readonly isTls: boolean }
  /** Null when everything is in memory. */
  readonly dataDir: string | null
  readonly store: SystemStore
  readonly traffic: Traffic
  readonly live: { readonly size: number }
  readonly ledger: { readonly pending: number; readonly lost: number }
  readonly accountsCooldown: () => number
  readonly circuitOpen: () => readonly string[]
  readonly queued: () => number
  readonly isPaused: () => boolean
  /** What the key for requests without one does at the moment; null when there is none. */
  readonly anonymousKey: () => string | null
  /** What was found at the start and cannot change while the process runs. */
  readonly notices: readonly string[]
}

export class SystemService {
  readonly #deps: Deps
  readonly #pulse: Pulse
  readonly #startedAtMs: number
  readonly #startedMs: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#pulse = new Pulse(deps.clock, cpuUs)
    this.#startedAtMs = deps.clock.nowMs()
    this.#startedMs = deps.clock.monotonicMs()
  }

  close(): void {
    this.#pulse.close()
  }

  async stats(): Promise<SystemStats> {
    const { clock, build, dataDir, store, ledger } = this.#deps
    const [host, db] = [hostFacts(dataDir), await store.facts()]
    return {
      app: {
        ...build,
        startedAtMs: this.#startedAtMs,
        uptimeS: Math.floor((clock.monotonicMs() - this.#startedMs) / SECOND_MS),
      },
      process: { ...processFacts(), cpuPct: this.#pulse.cpuPct, eventLoopLagP99Ms: this.#pulse.eventLoopLagP99Ms },
      host,
      gateway: this.#gateway(),
      db,
      logWriter: { pending: ledger.pending, dropped: ledger.lost },
      accountsCooldown: this.#deps.accountsCooldown(),
      circuitOpen: this.#deps.circuitOpen(),
      warnings: this.#warnings(host, db),
    }
  }

  #gateway(): SystemStats['gateway'] {
    const { live, traffic, queued } = this.#deps
    return {
      inFlight: live.size,
      queued: queued(),
      requestsPerSecond: traffic.requestsPerSecond,
      streamsOpen: traffic.streamsOpen,
      p50GatewayMs: traffic.gatewayMs(50),
      p99GatewayMs: traffic.gatewayMs(99),
    }
  }

  #warnings({ diskFree }: HostFacts, { lastBackupMs, rows }: DbFacts): readonly string[] {
    const { clock, listening, dataDir, ledger, isPaused, anonymousKey, notices } = this.#deps
    return warningsOf({
      ...listening,
      nowMs: clock.nowMs(),
      isPaused: isPaused(),
      anonymousKey: anonymousKey(),
      dataDir,
      lastBackupMs,
      worthKeeping: (rows.keys ?? 0) + (rows.accounts ?? 0),
      diskFree,
      rowsLost: ledger.lost,
      notices,
    })
  }
}
