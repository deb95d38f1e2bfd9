import { usdFromNano } from '../../../core/money.ts'
import { Zone } from '../../../ledger/zone.ts'
import type { Facts, Finding } from './finding.ts'

/** Budgets that will not last until their period ends. */
export function crossedBudgets({ budgets }: Facts): readonly Finding[] {
  return budgets.map(({ id, name, crossesAtMs, endsAtMs, timezone, projectedNano }) => ({
    kind: 'budget_forecast',
    severity: 'warning',
    text: `The budget "${name}" is spent on ${dayOf(crossesAtMs, timezone)} if it goes on like this.`,
    evidence: {
      budget_id: id,
      crosses_at: new Date(crossesAtMs).toISOString(),
      ends_at: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
      projected_usd: usdFromNano(projectedNano),
    },
    action: { text: 'Look at who spends it', path: `/budgets/${id}` },
  }))
}

function dayOf(ms: number, timezone: string): string {
  return new Date(new Zone(timezone).localMs(ms)).toISOString().slice(0, 10)
}
