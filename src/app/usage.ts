/** What requests came to, as dashboards ask for it, and what they would have come to under other rules. */
import { ANYBODY } from '../catalog/price.ts'
import type { Databases } from '../db/open.ts'
import { usdFromNano } from '../core/money.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import type { LedgerWriter } from '../ledger/writer.ts'
import type { AccountRoster } from '../resources/accounts/roster.ts'
import type { AuditService } from '../resources/audit/service.ts'
import type { KeyUsage } from '../resources/keys/schema.ts'
import type { KeyService } from '../resources/keys/service.ts'
import type { PlanService } from '../resources/plans/service.ts'
import type { SkillService } from '../resources/skills/service.ts'
import { type Carrier, SkillUsageService } from '../resources/skills/usage.ts'
import type { ProviderService } from '../resources/providers/service.ts'
import { UsageExport } from '../resources/usage/export.ts'
import { UsageService } from '../resources/usage/service.ts'
import { UsageStore } from '../resources/usage/store.ts'
import { TelemetryService } from '../resources/usage/telemetry.ts'
import { openInsights } from './insights.ts'
import type { LedgerReader } from './ledger.ts'
import type { Budgeting } from './money.ts'
import { openReprice } from './prices.ts'
import type { Rules } from './rules.ts'
import { openSimulator } from './simulation.ts'
import { openSpendSimulator } from './spend-simulation.ts'
import type { System } from './system.ts'

interface Named {
  readonly keys: KeyService
  readonly roster: AccountRoster
}

interface UsageParts extends System, Named {
  readonly databases: Databases
  readonly reader: LedgerReader
  readonly ledger: LedgerWriter
  readonly audit: AuditService
  readonly plans: PlanService
  readonly skills: SkillService
  readonly providers: ProviderService
  readonly budgeting: Budgeting
  readonly rules: Rules
  readonly gateway: GatewayDeps
}

interface SkillUsageParts extends Pick<UsageParts, 'skills' | 'reader' | 'clock' | 'keys' | 'plans' | 'providers'> {
  readonly priceFor: GatewayDeps['priceFor']
}

export function openUsage({ budgeting, rules, gateway, ...parts }: UsageParts) {
  const { reader, ledger, audit, clock, keys } = parts
  const { chains } = rules
  const { priceFor, costOf } = gateway
  const store = new UsageStore(reader)
  return {
    usage: new UsageService(store, clock),
    usageExport: new UsageExport({ store, audit, clock }),
    telemetry: new TelemetryService({ store, clock, ledger, nameOf: (kind, id) => nameOf(parts, kind, id) }),
    usageOf: async (keyIds: readonly string[]) => usageOfKeys(ledger, keyIds),
    insights: openInsights({ ...parts, ...budgeting, usageStore: store, priceFor }),
    reprice: openReprice({ ...parts, costOf }),
    skillUsage: openSkillUsage({ ...parts, priceFor }),
    chainReader: reader,
    chainSimulator: openSimulator({ gateway, keys, usageStore: store, chains }),
    spendSimulator: openSpendSimulator({ ...parts, ...budgeting, usageStore: store }),
  }
}

function openSkillUsage({
  skills,
  reader,
  clock,
  keys,
  plans,
  providers,
  priceFor,
}: SkillUsageParts): SkillUsageService {
  const carrier = ({ id, name }: Carrier) => ({ id, name })
  return new SkillUsageService({
    skills,
    reader,
    clock,
    carriersOf: (skillId) => ({
      keys: keys.carrying(skillId).map(carrier),
      plans: plans
        .all()
        .filter(({ skillIds }) => skillIds.includes(skillId))
        .map(carrier),
    }),
    inputRate: (id, model) => {
      const provider = providers.provider(id)
      return provider && priceFor(provider, model, ANYBODY, clock.nowMs())?.price?.input
    },
  })
}

function usageOfKeys(ledger: LedgerWriter, keyIds: readonly string[]): ReadonlyMap<string, KeyUsage> {
  return new Map(
    keyIds.flatMap((id) => {
      const totals = ledger.totalsOf(id)
      return totals === undefined ? [] : [[id, { requests: totals.requests, costUsd: usdFromNano(totals.costNano) }]]
    }),
  )
}

function nameOf({ keys, roster }: Named, kind: 'key' | 'account', id: string): string | null {
  return (kind === 'key' ? keys.byId(id)?.name : roster.find(id)?.account.name) ?? null
}
