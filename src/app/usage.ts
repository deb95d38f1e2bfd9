/** What requests came to, as dashboards ask for it. */
import type { Reader } from '../db/reader.ts'
import { usdFromNano } from '../core/money.ts'
import type { LedgerWriter } from '../ledger/writer.ts'
import type { AccountRoster } from '../resources/accounts/roster.ts'
import type { AuditService } from '../resources/audit/service.ts'
import type { KeyUsage } from '../resources/keys/schema.ts'
import type { KeyService } from '../resources/keys/service.ts'
import { UsageExport } from '../resources/usage/export.ts'
import type { usageQueries } from '../resources/usage/queries.ts'
import { UsageService } from '../resources/usage/service.ts'
import { UsageStore } from '../resources/usage/store.ts'
import { TelemetryService } from '../resources/usage/telemetry.ts'
import type { System } from './system.ts'

interface Named {
  readonly keys: KeyService
  readonly roster: AccountRoster
}

interface UsageParts extends Pick<System, 'clock'>, Named {
  readonly reader: Reader<keyof typeof usageQueries>
  readonly ledger: LedgerWriter
  readonly audit: AuditService
}

export function openUsage({ reader, ledger, audit, clock, ...named }: UsageParts) {
  const store = new UsageStore(reader)
  return {
    usageStore: store,
    usage: new UsageService(store, clock),
    usageExport: new UsageExport({ store, audit, clock }),
    telemetry: new TelemetryService({ store, clock, ledger, nameOf: (kind, id) => nameOf(named, kind, id) }),
    usageOf: async (keyIds: readonly string[]) => usageOfKeys(ledger, keyIds),
  }
}

function usageOfKeys(ledger: LedgerWriter, keyIds: readonly string[]): ReadonlyMap<string, KeyUsage> {
  return new Map(
    keyIds.flatMap((id) => {
      const totals = ledger.totalsOf(id)
      return totals === undefined ? [] : [[id, { requests: totals.requests, costUsd: usdFromNano(totals.costNano) }]]
    }),
  )
}

async function nameOf({ keys, roster }: Named, kind: 'key' | 'account', id: string): Promise<string | null> {
  if (kind === 'account') return roster.find(id)?.account.name ?? null
  const key = await keys.get(id)
  return key.ok ? key.value.name : null
}
