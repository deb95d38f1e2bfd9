import { spentText, standingOf } from '../budget-words.ts'
import type { Budget, BudgetStatus } from '../wire.ts'
import { Meter } from './bars.tsx'

const FULL_PCT = 100

/** How a budget stands: a bar as full as it is spent, and the figures. Null: it is switched off, and nothing is counted. */
export function BudgetBar({ budget, status }: { budget: Budget; status: BudgetStatus | null }) {
  if (status === null) return <span className="text-faint">switched off</span>
  return (
    <span className="grid gap-1">
      <span className="block w-full max-w-48">
        <Meter label={`${budget.name}, percent spent`} value={status.pct} max={FULL_PCT} />
      </span>
      <span className="whitespace-nowrap">{spentText(standingOf(budget, status, Date.now()))}</span>
    </span>
  )
}
