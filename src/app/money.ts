import type { Databases } from '../db/open.ts'
import type { Reader } from '../db/reader.ts'
import { Purse } from '../ledger/spending/purse.ts'
import { SpendLog, type spendQueries } from '../ledger/spending/spend-log.ts'
import type { SpendBook } from '../ledger/spending/spending.ts'
import { WallClock } from '../ledger/spending/wall-clock.ts'
import { LedgerWriter } from '../ledger/writer.ts'
import { WaitingLine } from '../resources/accounts/line.ts'
import { AuditService } from '../resources/audit/service.ts'
import type { BudgetQuery } from '../resources/budgets/course-queries.ts'
import { BudgetForecasts } from '../resources/budgets/forecasts.ts'
import { BudgetService } from '../resources/budgets/service.ts'
import { BudgetStore, storedBudgets } from '../resources/budgets/store.ts'
import type { System } from './system.ts'

interface SpendingParts extends Pick<System, 'clock' | 'random' | 'log'> {
  readonly databases: Databases
  readonly ledger: LedgerWriter
  readonly reader: Reader<keyof typeof spendQueries>
}

/** So far the wall clock may be behind after a kill: what it has reached is written down so often. */
const WALL_TICK_MS = 60_000

/** The counters of all that is spent, with a line for those who wait for what others hold. Rules come from whoever has any. */
export function openSpending({ databases, ledger, reader, clock, random, log }: SpendingParts) {
  const spendLine = new WaitingLine(clock)
  const records = new SpendLog({ database: databases.telemetry.$client, writer: ledger, reader })
  const wall = new WallClock({ clock, log }, records.highestMs)
  const purse = new Purse({ wall, clock, random, log, records, freed: (ruleId) => spendLine.call(ruleId) })
  const stop = clock.every(WALL_TICK_MS, () => records.tick(wall.nowMs()))
  return { spending: purse, spendLine, wall, stop }
}

/** What money can be counted or priced for; undefined when there is no such thing. */
export type Scoped = Readonly<
  Record<'plan' | 'key' | 'provider' | 'account' | 'chain', (id: string) => { readonly name: string } | undefined>
>

interface BudgetParts extends Pick<System, 'clock' | 'random'> {
  readonly reader: Reader<BudgetQuery>
  readonly db: Databases['config']
  readonly audit: AuditService
  readonly spending: SpendBook
  /** Why a name cannot be asked for; undefined when it can. */
  readonly modelProblem: (name: string) => string | undefined
  readonly scoped: Scoped
}

/** Budgets, which count from here on, and what can be said of their future. */
export async function openBudgets({ db, scoped, ...parts }: BudgetParts) {
  const nameOf = (scope: keyof Scoped, id: string): string | undefined => scoped[scope](id)?.name
  const budgets = new BudgetService({ ...parts, nameOf, store: new BudgetStore(db) })
  await budgets.reload()
  return { budgets, budgetForecasts: new BudgetForecasts({ ...parts, budgets }) }
}

export type Budgeting = Awaited<ReturnType<typeof openBudgets>>

/** The budget that would no longer limit anybody if the plan went; undefined when there is none. */
export function budgetOnPlan(db: Databases['config'], planId: string): string | undefined {
  return storedBudgets(db).find(({ scope, scopeId }) => scope === 'plan' && scopeId === planId)?.name
}
