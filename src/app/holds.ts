/** What keeps requests from accounts besides their own state: limits, circuits, quotas, and what an account may cost. */
import type { Databases } from '../db/open.ts'
import type { Purse } from '../ledger/spending/purse.ts'
import type { Account } from '../resources/accounts/account.ts'
import { AccountBudgets } from '../resources/accounts/budgets.ts'
import { WaitingLine } from '../resources/accounts/line.ts'
import { Pace } from '../resources/accounts/pace.ts'
import { ProviderWatch } from '../resources/providers/watch.ts'
import { QuotaBook } from '../resources/quota/book.ts'
import { QuotaStore } from '../resources/quota/store.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import type { System } from './system.ts'

interface HoldParts extends Pick<System, 'clock' | 'random' | 'log'> {
  readonly databases: Databases
  readonly settings: SettingsService
  readonly spending: Purse
}

export async function openHolds({ databases, settings, spending, clock, random, log }: HoldParts) {
  const resilience = () => settings.current().resilience
  const line = new WaitingLine(clock)
  const pace = new Pace(clock, (accountId) => line.call(accountId))
  const watch = new ProviderWatch({ clock, log, rules: () => resilience().circuit })
  const quotaStore = new QuotaStore(databases.telemetry)
  const quotaBook = await QuotaBook.open({ store: quotaStore, pace, clock, random, log })
  const budgets = new AccountBudgets({ spending, clock })
  return {
    line,
    pace,
    watch,
    quotaBook,
    /** What the roster of accounts asks. */
    guards: {
      watch,
      holds: [pace, watch, quotaBook, budgets],
      changed: (accounts: Iterable<Account>) => budgets.replace(accounts),
      cooldownRules: () => resilience().cooldown,
      quotaOf: (accountId: string) => quotaBook.summaryOf(accountId),
      budgetOf: (account: Account) => budgets.of(account),
    },
  }
}
