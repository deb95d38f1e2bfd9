/** What a key or an account may cost by a word of its own, and how that stands, on the wire. */
import { type Static, Type } from '@sinclair/typebox'
import { type NanoUsd, usdFromNano } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { SpendStatus } from '../../ledger/spending/spending.ts'

export interface OwnBudget {
  readonly limitNano: NanoUsd
  /** Null: nothing has been counted for it yet. */
  readonly status: SpendStatus | null
}

/** In the present period. */
export const OwnBudgetWire = Type.Object(
  {
    amount_usd: Type.Number(),
    spent_usd: Type.Number(),
    reserved_usd: Type.Number(),
    left_usd: Type.Number(),
    resets_at: nullable(Type.String()),
    state: choice(['ok', 'warn', 'over']),
  },
  CLOSED,
)

export function ownBudgetToWire({ limitNano, status }: OwnBudget): Static<typeof OwnBudgetWire> {
  const [spent, reserved] = [status?.spent.costNano ?? 0, status?.reserved.costNano ?? 0]
  const resetsAtMs = status?.resetsAtMs ?? null
  return {
    amount_usd: usdFromNano(limitNano),
    spent_usd: usdFromNano(spent),
    reserved_usd: usdFromNano(reserved),
    left_usd: usdFromNano(Math.max(0, limitNano - spent - reserved)),
    resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
    state: status?.state ?? 'ok',
  }
}
