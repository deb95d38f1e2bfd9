import { ANYBODY } from '../catalog/price.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import type { BudgetForecasts } from '../resources/budgets/forecasts.ts'
import type { KeyService } from '../resources/keys/service.ts'
import type { ProviderService } from '../resources/providers/service.ts'
import type { CrossedBudget, IdleKey } from '../resources/usage/findings/finding.ts'
import { InsightService } from '../resources/usage/insights.ts'
import type { UsageStore } from '../resources/usage/store.ts'
import type { System } from './system.ts'

/** Those that were used longest ago; what more there is will be found once these are gone. */
const IDLE_KEYS_MAX = 100

interface InsightParts extends System {
  readonly usageStore: UsageStore
  readonly keys: Pick<KeyService, 'page'>
  readonly budgetForecasts: Pick<BudgetForecasts, 'findings'>
  readonly providers: Pick<ProviderService, 'provider'>
  readonly priceFor: GatewayDeps['priceFor']
}

export function openInsights({ usageStore, clock, keys, budgetForecasts, providers, priceFor }: InsightParts) {
  return new InsightService({
    store: usageStore,
    clock,
    idleKeys: (sinceMs) => idleKeys(keys, sinceMs),
    crossedBudgets: async () => (await budgetForecasts.findings()).map(crossed),
    ratesOf: (name) => {
      const at = name.indexOf('/')
      const provider = providers.provider(name.slice(0, at))
      return provider && priceFor(provider, name.slice(at + 1), ANYBODY, clock.nowMs())?.price
    },
  })
}

async function idleKeys(keys: Pick<KeyService, 'page'>, sinceMs: number): Promise<readonly IdleKey[]> {
  const page = { offset: 0, limit: IDLE_KEYS_MAX, q: undefined, sort: 'last_used_at', order: 'asc' } as const
  const { items } = await keys.page(page)
  return items
    .filter(({ status, createdAtMs }) => status === 'active' && createdAtMs < sinceMs)
    .filter(({ lastUsedAtMs }) => lastUsedAtMs === null || lastUsedAtMs < sinceMs)
    .map(({ id, name, lastUsedAtMs }) => ({ id, name, lastUsedAtMs }))
}

type Found = Awaited<ReturnType<BudgetForecasts['findings']>>[number]

function crossed({ budget, forecast }: Found): CrossedBudget {
  const { crossesAtMs, horizon, cost } = forecast
  return {
    id: budget.id,
    name: budget.name,
    crossesAtMs: crossesAtMs ?? horizon.endMs,
    endsAtMs: horizon.isOpen ? null : horizon.endMs,
    timezone: budget.timezone,
    projectedNano: cost.projected,
  }
}
