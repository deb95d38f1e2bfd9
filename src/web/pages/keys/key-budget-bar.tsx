import { Meter } from '../../components/bars.tsx'
import { Money } from '../../components/money.tsx'
import type { Key } from '../../wire.ts'

/** How much a key has left of what it may cost, where it or its plan says an amount. */
export function KeyBudgetBar({ stored: { name, budget } }: { stored: Key }) {
  if (budget === null) return <span className="text-faint">no limit</span>
  return (
    <span className="flex items-center gap-2">
      <span className="block w-16 shrink-0">
        <Meter label={`Budget of ${name}, dollars spent`} value={budget.spent_usd} max={budget.amount_usd} />
      </span>
      <span className="whitespace-nowrap text-muted">
        <Money usd={budget.left_usd} /> left
      </span>
    </span>
  )
}
