import type { Account } from '../wire.ts'
import { Meter } from './bars.tsx'
import { Money } from './money.tsx'
import { RelativeTime } from './time.tsx'

export interface OwnBudgetProps {
  /** Of the key or the account. */
  readonly name: string
  readonly budget: NonNullable<Account['budget']>
  /** The amount as it is written: `$20 a month`. */
  readonly amount: string
}

/** How an amount stands that a key or an account has of its own. */
export function OwnBudget({ name, budget, amount }: OwnBudgetProps) {
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-dense text-muted">
        <span className="text-page font-semibold text-ink">
          <Money usd={budget.spent_usd} />
        </span>
        of {amount}
        {budget.reserved_usd > 0 && (
          <span className="ml-auto">
            held now <Money usd={budget.reserved_usd} />
          </span>
        )}
      </p>
      <Meter label={`Budget of ${name}, dollars spent`} value={budget.spent_usd} max={budget.amount_usd} />
      {budget.resets_at !== null && (
        <p className="text-caption text-faint">
          Begins anew <RelativeTime at={budget.resets_at} />
        </p>
      )}
    </div>
  )
}
