/** What requests leave behind: written by one writer, read in a thread of its own, kept as small as the settings say. */
import { DAY_MS } from '../core/duration.ts'
import type { Log } from '../core/log.ts'
import type { Databases } from '../db/open.ts'
import { LocalReader, type Reader, WorkerReader } from '../db/reader.ts'
import type { Vault } from '../db/seal.ts'
import { NAMES_KEPT_MS } from '../gateway/copies/idempotency.ts'
import type { Memory } from '../gateway/memory.ts'
import { keyUseQueries } from '../ledger/day-use.ts'
import { Keeper } from '../ledger/keeping/keeper.ts'
import { namedRequestsSince } from '../ledger/named-requests.ts'
import { recover } from '../ledger/recover.ts'
import { spendQueries } from '../ledger/spending/spend-log.ts'
import { LedgerWriter } from '../ledger/writer.ts'
import { budgetQueries } from '../resources/budgets/course-queries.ts'
import { chainQueries } from '../resources/chains/queries.ts'
import { ContentKeeper } from '../resources/contents/keeper.ts'
import { ContentStore } from '../resources/contents/store.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import { skillQueries } from '../resources/skills/usage-queries.ts'
import { systemQueries } from '../resources/system/store.ts'
import { usageQueries } from '../resources/usage/queries.ts'
import type { System } from './system.ts'

const MIB = 1_024 * 1_024
/** All that the reader's thread may be asked. */
const READER_QUERIES = {
  ...usageQueries,
  ...systemQueries,
  ...chainQueries,
  ...keyUseQueries,
  ...spendQueries,
  ...budgetQueries,
  ...skillQueries,
}

/** Asked from any thread but the one that writes. */
export type LedgerReader = Reader<keyof typeof READER_QUERIES>

interface LedgerParts extends Pick<System, 'clock' | 'random' | 'log'> {
  readonly databases: Databases
  readonly settings: SettingsService
  readonly memory: Memory
}

/** Closes what the last process left open before anything is counted; `memory` has the names of its requests afterwards. */
export function openLedger({ databases, settings, memory, clock, log }: LedgerParts) {
  const { telemetry, telemetryPath } = databases
  const database = telemetry.$client
  noteRecovered(recover(database, settings.current().logging.crashChargePct), log)
  const reader =
    telemetryPath === ':memory:'
      ? new LocalReader(database, READER_QUERIES)
      : new WorkerReader(telemetryPath, READER_QUERIES, { clock, log })
  const ledger = new LedgerWriter(database, { clock, log, checkpoint: () => reader.checkpoint() })
  for (const named of namedRequestsSince(database, clock.nowMs() - NAMES_KEPT_MS))
    memory.idempotency.remember(named, clock.monotonicMs())
  return { ledger, reader }
}

function noteRecovered({ requests, attempts }: { requests: number; attempts: number }, log: Log): void {
  if (requests === 0 && attempts === 0) return
  log.write('warn', 'db', 'requests that the last process left open were closed', {
    requests,
    attempts,
  })
}

interface KeepingParts extends System {
  readonly databases: Databases
  readonly settings: SettingsService
  readonly vault: Vault
}

/** The words of requests, where they are wanted, and the end of what is older or larger than the settings say. */
export async function openKeeping({ databases, settings, ...parts }: KeepingParts) {
  const contents = await ContentKeeper.open({
    ...parts,
    store: new ContentStore(databases.telemetry),
    retainDays: () => settings.current().logging.retainBodiesDays,
  })
  const stopContents = contents.start()
  const keeper = openKeeper({ ...parts, databases, contents, settings })
  return {
    contents,
    close: async (): Promise<void> => {
      await stopContents()
      await keeper.close()
    },
  }
}

interface KeeperParts extends Pick<System, 'clock' | 'log'> {
  readonly databases: Databases
  readonly contents: ContentKeeper
  readonly settings: SettingsService
}

function openKeeper({ databases, contents, settings, clock, log }: KeeperParts): Keeper {
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
