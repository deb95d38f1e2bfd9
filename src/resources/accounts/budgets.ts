import { nanoFromUsd, type NanoUsd } from '../../core/money.ts'
import type { Clock } from '../../core/clock.ts'
import type { Purse } from '../../ledger/spending/purse.ts'
import type { SpendRule } from '../../ledger/spending/spending.ts'
import { amountRule } from '../plans/amount-rule.ts'
import type { OwnBudget } from '../plans/own-budget.ts'
import type { Account } from './account.ts'
import type { HeldAccount, Hold } from './hold.ts'

interface Deps {
  readonly spending: Pick<Purse, 'replaceRules' | 'isSpent' | 'statusOf'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** What accounts may cost in a period, as when each comes with a grant: one that is spent is passed over until it starts anew. */
export class AccountBudgets implements Hold {
  readonly #deps: Deps
  #budgeted: ReadonlySet<string> = new Set()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** All accounts that there are, whenever any has changed. */
  replace(accounts: Iterable<Account>): void {
    const rules = [...accounts].flatMap((account) => ruleOf(account) ?? [])
    if (rules.length === 0 && this.#budgeted.size === 0) return
    this.#budgeted = new Set(rules.map(({ id }) => id))
    this.#deps.spending.replaceRules('accounts', rules)
  }

  /** How what an account may cost stands; null where it has no amount. */
  of({ id, budgetNano }: Pick<Account, 'id' | 'budgetNano'>): OwnBudget | null {
    if (budgetNano === null) return null
    return { limitNano: budgetNano, status: this.#deps.spending.statusOf(id)[0] ?? null }
  }

  why({ id }: Pick<HeldAccount, 'id'>): 'account_spent' | null {
    return this.#budgeted.has(id) && this.#deps.spending.isSpent(id) ? 'account_spent' : null
  }

  returnsAfterMs({ id }: Pick<HeldAccount, 'id'>): number | undefined {
    if (this.why({ id }) === null) return 0
    const resetsAtMs = this.#deps.spending.statusOf(id)[0]?.resetsAtMs ?? null
    return resetsAtMs === null ? undefined : Math.max(0, resetsAtMs - this.#deps.clock.nowMs())
  }
}

function ruleOf({ id, name, budgetNano, budgetPeriod }: Account): SpendRule | undefined {
  // Vendors count in UTC.
  const amount = { budgetNano, budgetPeriod, softThreshold: 1, timezone: 'UTC' }
  const scope = { kind: 'account', id } as const
  return amountRule(amount, { id, name: `budget of the account "${name}"`, scope, each: false })
}

/** Undefined: nothing was sent. */
export function readBudget(usd: number | null | undefined, base: NanoUsd | null): NanoUsd | null {
  if (usd === undefined) return base
  return usd === null ? null : nanoFromUsd(usd)
}
