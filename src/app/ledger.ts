import type { Databases } from '../db/open.ts'
import { Keeper } from '../ledger/keeping/keeper.ts'
import type { ContentKeeper } from '../resources/contents/keeper.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import type { System } from './system.ts'

const DAY_MS = 86_400_000
const MIB = 1_024 * 1_024

interface KeeperParts extends System {
  readonly databases: Databases
  readonly contents: Pick<ContentKeeper, 'keptBytes'>
  readonly settings: SettingsService
}

/** Keeps the ledger as small as the settings say, from now on. */
export function openKeeper({ databases, contents, settings, clock, log }: KeeperParts): Keeper {
  const { telemetry, telemetryPath } = databases
  const keeper = new Keeper({
    clock,
    log,
    ledger: telemetryPath === ':memory:' ? { database: telemetry.$client } : { path: telemetryPath },
    retention: () => {
      const { retainRowsDays, retainDailyDays, dbMaxMib } = settings.current().logging
      const bytesMax = dbMaxMib * MIB + contents.keptBytes
      return { rowsMs: retainRowsDays * DAY_MS, daysMs: retainDailyDays * DAY_MS, bytesMax }
    },
  })
  keeper.start()
  return keeper
}
