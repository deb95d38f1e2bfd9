/** The wire shapes of conformance: the report, and what a check would cost. */
import { type Static, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { failedOf, scoreOf } from './checks.ts'
import { CHECK_IDS, type Conformance } from './conformance.ts'
import type { Progress } from './provider-run.ts'
import { quirksToWire, QuirksField } from '../custom-providers/quirks.ts'
import type { Amount } from './amount.ts'
import type { Quote } from './quote.ts'

const Count = Type.Integer({ minimum: 0 })
const Usd = nullable(Type.Number({ description: 'US dollars; null where no price is known' }))
const Time = Type.String({ description: 'RFC 3339, UTC' })

export const ProbeBody = Type.Object(
  {
    dry_run: Type.Optional(Type.Boolean({ description: 'only say what it would cost' })),
    apply: Type.Optional(Type.Boolean({ description: 'write the quirks that are found into a custom provider' })),
  },
  CLOSED,
)
export const ProbeQuery = Type.Object(
  { model: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$', description: 'the model to ask' })) },
  CLOSED,
)
export const ApplyBody = Type.Object(
  { checked_at: Type.String({ description: 'of the report that is meant' }) },
  CLOSED,
)

const Check = Type.Object(
  {
    dialect: Type.String(),
    check: choice(CHECK_IDS),
    outcome: choice(['passed', 'failed', 'remedied', 'skipped']),
    why: nullable(Type.String()),
  },
  { ...CLOSED, description: 'remedied: failed as the provider was, works with the quirks that were found' },
)

export const ReportSchema = Type.Object(
  {
    provider: Type.String(),
    account_id: Type.String(),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    checked_at: Time,
    failed: Type.Array(Type.Object({ dialect: Type.String(), check: choice(CHECK_IDS), why: Type.String() }, CLOSED)),
    checks: Type.Array(Check),
    models: Type.Array(Type.Object({ dialect: Type.String(), model: Type.String() }, CLOSED)),
    quirks: QuirksField,
    applied: Type.Boolean({ description: 'the quirks are part of the provider now' }),
    calls: Count,
    tokens: Count,
    cost_usd: Usd,
  },
  CLOSED,
)
export type ReportWire = Static<typeof ReportSchema>

export const QuoteSchema = Type.Object(
  {
    dry_run: Type.Literal(true),
    models: Type.Array(Type.String()),
    calls: Count,
    tokens: Type.Integer({ minimum: 0, description: 'as it usually comes' }),
    cost_usd: Usd,
    tokens_max: Count,
    cost_max_usd: Usd,
  },
  CLOSED,
)
export type QuoteWire = Static<typeof QuoteSchema>

export const StateSchema = Type.Object(
  {
    running: nullable(Type.Object({ done: Count, total: Count }, CLOSED)),
    last: nullable(ReportSchema),
  },
  CLOSED,
)
export type StateWire = Static<typeof StateSchema>

export function reportToWire(report: Conformance): ReportWire {
  const { provider, accountId, endpoints, checkedAtMs, applied, quirks, calls } = report
  const checks = endpoints.flatMap(({ dialect, checks: results }) =>
    results.map((result) => ({ dialect: underscored(dialect), ...result })),
  )
  return {
    provider,
    account_id: accountId,
    score: scoreOf(endpoints, applied),
    checked_at: new Date(checkedAtMs).toISOString(),
    failed: failedOf(report).map(({ dialect, ...failed }) => ({ dialect: underscored(dialect), ...failed })),
    checks,
    models: endpoints.map(({ dialect, model }) => ({ dialect: underscored(dialect), model })),
    quirks: quirksToWire(quirks),
    applied,
    calls,
    tokens: report.tokens,
    cost_usd: usd(report),
  }
}

export function quoteToWire({ models, calls, usual, most }: Quote): QuoteWire {
  return {
    dry_run: true,
    models: [...models],
    calls,
    tokens: usual.tokens,
    cost_usd: usd(usual),
    tokens_max: most.tokens,
    cost_max_usd: usd(most),
  }
}

export function stateToWire(running: Progress | null, last: Conformance | null): StateWire {
  return { running: running && { ...running }, last: last && reportToWire(last) }
}

function usd({ costNano }: Pick<Amount, 'costNano'>): number | null {
  return costNano === null ? null : usdFromNano(costNano)
}

function underscored(word: string): string {
  return word.replaceAll('-', '_')
}
