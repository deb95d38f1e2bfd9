/** What this process is doing: its figures, and its console with those who follow it. */
import type { Config } from '../config.ts'
import type { Databases } from '../db/open.ts'
import type { LiveRequests } from '../gateway/live.ts'
import type { LedgerWriter } from '../ledger/writer.ts'
import type { AccountRoster } from '../resources/accounts/roster.ts'
import type { ProviderWatch } from '../resources/providers/watch.ts'
import type { AuditService } from '../resources/audit/service.ts'
import { Followers } from '../resources/console/follow.ts'
import { ConsoleService } from '../resources/console/service.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import { SystemService } from '../resources/system/service.ts'
import { SystemStore } from '../resources/system/store.ts'
import type { Traffic } from '../resources/system/traffic.ts'
import type { LedgerReader } from './ledger.ts'
import type { System } from './system.ts'

interface StatsParts extends System {
  readonly config: Config
  readonly databases: Databases
  readonly audit: AuditService
  readonly reader: LedgerReader
  readonly traffic: Traffic
  readonly live: LiveRequests
  readonly ledger: LedgerWriter
  readonly roster: AccountRoster
  readonly watch: ProviderWatch
  readonly settings: SettingsService
  readonly queued: () => number
  readonly anonymous: { warning(): string | null }
}

export function openStats(parts: StatsParts) {
  const { clock, audit, consoleRing, config, databases, reader, roster, watch, settings, anonymous } = parts
  const dataDir = databases.telemetryPath === ':memory:' ? null : config.dataDir
  const followers = new Followers(consoleRing, clock)
  const system = new SystemService({
    ...parts,
    build: config.build,
    listening: { host: config.host, isTls: config.tls !== null },
    dataDir,
    store: new SystemStore({ databases, reader, dataDir }),
    accountsCooldown: () => roster.coolingDown(),
    circuitOpen: () => watch.open(),
    isPaused: () => settings.current().routing.paused,
    anonymousKey: () => anonymous.warning(),
  })
  return { system, followers, console: new ConsoleService({ ring: consoleRing, followers, audit }) }
}
