/** The wire shape of how a budget stands. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { shareOf } from '../../ledger/spending/spend-judge.ts'
import type { Amounts, SpendRule } from '../../ledger/spending/spending.ts'
import { type BudgetStatus, leftOf } from './status.ts'

const Time = nullable(Type.String({ description: 'RFC 3339, UTC' }))

export const STATES = ['ok', 'warn', 'over'] as const

const AmountsWire = Type.Object({ cost_usd: Type.Number(), tokens: Type.Number(), requests: Type.Number() }, CLOSED)
const LeftWire = Type.Object(
  { cost_usd: nullable(Type.Number()), tokens: nullable(Type.Number()), requests: nullable(Type.Number()) },
  { ...CLOSED, description: 'null: not limited in that unit' },
)
const CrossedWire = Type.Object({ threshold: Type.Number(), at: Type.String() }, CLOSED)

const statusWire = {
  key_id: nullable(Type.String({ description: 'whose counter it is; null for the shared one' })),
  spent: AmountsWire,
  reserved: AmountsWire,
  left: LeftWire,
  pct: Type.Number({ description: 'of the limit that is spent, in the unit of which least is left' }),
  period_start: Time,
  resets_at: Time,
  state: choice(STATES),
  last_crossed: nullable(CrossedWire),
}
export const StatusWire = Type.Object(statusWire, CLOSED)
export const CounterWire = Type.Object({ budget_id: Type.String(), name: Type.String(), ...statusWire }, CLOSED)

/** `rule`: the one that the counter is of. */
export function statusToWire(status: BudgetStatus, rule: SpendRule, nowMs: number): Static<typeof StatusWire> {
  const { lastCrossed } = status
  const left = leftOf(status, rule, nowMs)
  return {
    key_id: status.keyId,
    spent: amountsToWire(status.spent),
    reserved: amountsToWire(status.reserved),
    left: {
      cost_usd: left.costNano === null ? null : usdFromNano(left.costNano),
      tokens: left.tokens,
      requests: left.requests,
    },
    pct: Math.round(shareOf(rule, status.spent, nowMs) * 10_000) / 100,
    period_start: timeOf(status.periodStartMs),
    resets_at: timeOf(status.resetsAtMs),
    state: status.state,
    last_crossed: lastCrossed && { threshold: lastCrossed.threshold, at: new Date(lastCrossed.atMs).toISOString() },
  }
}

function amountsToWire({ costNano, tokens, requests }: Amounts): Static<typeof AmountsWire> {
  return { cost_usd: usdFromNano(costNano), tokens, requests }
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
