import { openSpendSimulator } from '../../../src/app/spend-simulation.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import type { SpendBook, SpendRule, SpendStatus } from '../../../src/ledger/spending/spending.ts'
import { authenticated } from '../../../src/resources/auth/authenticated.ts'
import { budgetQueries } from '../../../src/resources/budgets/course-queries.ts'
import { BudgetForecasts } from '../../../src/resources/budgets/forecasts.ts'
import { budgetRoutes } from '../../../src/resources/budgets/routes.ts'
import { BudgetService } from '../../../src/resources/budgets/service.ts'
import { simulateRoutes } from '../../../src/resources/budgets/simulate-routes.ts'
import { BudgetStore } from '../../../src/resources/budgets/store.ts'
import { usageQueries } from '../../../src/resources/usage/queries.ts'
import { UsageStore } from '../../../src/resources/usage/store.ts'
import { bareApp, callerOf, type Dashboard, makeDashboard } from '../../support/dashboard.ts'

const TOKEN = 'a-token'
const OPERATOR = { id: 'usr_1', email: 'owner@example.com', role: 'owner', sessionId: 'ses_1' } as const

/** What the ledger would say: the rules that it was handed, and counters as a test sets them. */
class Counters implements Pick<SpendBook, 'replaceRules' | 'statusOf'> {
  rules: readonly SpendRule[] = []
  readonly counters = new Map<string, readonly SpendStatus[]>()

  replaceRules(_: string, rules: readonly SpendRule[]): void {
    this.rules = rules
  }

  statusOf(ruleId: string): readonly SpendStatus[] {
    return this.counters.get(ruleId) ?? []
  }

  /** A counter that has spent so many dollars. */
  set(ruleId: string, ...spent: readonly { readonly keyId?: string; readonly usd: number }[]): void {
    this.counters.set(
      ruleId,
      spent.map(({ keyId = null, usd }) => ({
        ruleId,
        keyId,
        spent: { costNano: usd * 1e9, tokens: 10, requests: 1 },
        reserved: { costNano: 1e9, tokens: 5, requests: 1 },
        periodStartMs: Date.UTC(2026, 0, 1),
        resetsAtMs: Date.UTC(2026, 1, 1),
        state: 'warn',
        lastCrossed: { threshold: 0.5, atMs: Date.UTC(2026, 0, 10) },
      })),
    )
  }
}

/** Budgets and what is made of them, among things that a test may remove. */
export async function makeBudgetServices({ audit, clock, databases, db, random }: Dashboard) {
  const names = new Map([
    ['plan pln_1', 'Team'],
    ['key key_1', 'ci'],
    ['provider openai', 'OpenAI'],
    ['account acc_1', 'main'],
    ['chain chn_1', 'Smart'],
  ])
  const models = new Set(['chain/cheap'])
  const spending = new Counters()
  const budgets = new BudgetService({
    store: new BudgetStore(db),
    spending,
    audit,
    clock,
    random,
    nameOf: (scope, id) => names.get(`${scope} ${id}`),
    modelProblem: (name) => (models.has(name) ? undefined : 'means nothing'),
  })
  await budgets.reload()
  const reader = new LocalReader(databases.telemetry.$client, budgetQueries)
  const budgetForecasts = new BudgetForecasts({ budgets, reader, clock })
  const spendSimulator = openSpendSimulator({
    clock,
    random,
    budgets,
    usageStore: new UsageStore(new LocalReader(databases.telemetry.$client, usageQueries)),
    keys: { byId: (id) => (names.has(`key ${id}`) ? {} : undefined) },
    plans: { byId: (id) => (names.has(`plan ${id}`) ? {} : undefined) },
  })
  return { budgets, budgetForecasts, models, names, spending, spendSimulator }
}

/** Budgets behind their routes. */
export async function makeBudgets() {
  const dashboard = await makeDashboard()
  const { clock, edge } = dashboard
  const services = await makeBudgetServices(dashboard)
  const actorOf = async (token: string) => (token === TOKEN ? OPERATOR : undefined)
  const plugin = authenticated({ ...edge, auth: { actorOf }, callers: new WeakMap() })
  const mounted = { ...services, clock, authenticated: plugin, takesLong: () => undefined }
  const app = bareApp().use(budgetRoutes(mounted)).use(simulateRoutes(mounted))
  return { ...dashboard, ...services, call: callerOf(app, TOKEN), stranger: callerOf(app) }
}

export type Budgets = Awaited<ReturnType<typeof makeBudgets>>
