import { LocalReader } from '../../../src/db/reader.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { usageQueries } from '../../../src/resources/usage/queries.ts'
import { UsageStore } from '../../../src/resources/usage/store.ts'
import type { Dashboard } from '../../support/dashboard.ts'

/** A dashboard's ledger, and what is read of it: `reads` has the names of all queries so far. */
export function watchedLedger({ clock, log, databases }: Pick<Dashboard, 'clock' | 'log' | 'databases'>) {
  const database = databases.telemetry.$client
  const reader = new LocalReader(database, usageQueries)
  const reads: string[] = []
  const watched = {
    checkpoint: () => undefined,
    close: async () => undefined,
    query: (name: keyof typeof usageQueries, params: Parameters<typeof reader.query>[1]) => {
      reads.push(name)
      return reader.query(name, params)
    },
  }
  return {
    ledger: new LedgerWriter(database, { clock, log, checkpoint: () => undefined }),
    store: new UsageStore(watched),
    reads,
  }
}
