/** Rows of breakdowns → domain values. */
import { asNumber, asObject } from '../../core/json.ts'
import type { Row } from '../../db/query-book.ts'
import { PART_KINDS, SPREAD_KINDS, type SpreadKind } from './breakdown-queries.ts'
import { integer, json, sumsFrom, text } from './row.ts'
import { type Bins, byKind, latenciesOf, type Part, type Slice } from './slice.ts'
import type { ModelReport } from './usage.ts'

const MS_PER_S = 1_000

export function sliceFrom(points: readonly Row[], parts: readonly Row[], spreads: readonly Row[]): Slice {
  const partsOf = Map.groupBy(parts, (row) => text(row, 'kind'))
  return {
    points: points.map((row) => ({ atMs: integer(row, 'at_ms'), sums: sumsFrom(row) })),
    parts: byKind(PART_KINDS, (kind) => (partsOf.get(kind) ?? []).map(partFrom)),
    spreads: spreadsFrom(spreads),
    open: points.reduce((open, row) => open + integer(row, 'open'), 0),
  }
}

export function modelReportsFrom(
  models: readonly Row[],
  spreads: readonly Row[],
  errors: readonly Row[],
): readonly ModelReport[] {
  const spreadsOf = Map.groupBy(spreads, (row) => text(row, 'model'))
  const errorsOf = Map.groupBy(errors, (row) => text(row, 'model'))
  return models.map((row) => {
    const model = text(row, 'model')
    return {
      model,
      ...sumsFrom(row),
      ...latenciesOf({ spreads: spreadsFrom(spreadsOf.get(model) ?? []) }),
      activeKeys: integer(row, 'active_keys'),
      tokensPerSecond: perSecond(integer(row, 'timed_output'), integer(row, 'timed_ms')),
      errors: (errorsOf.get(model) ?? []).map(errorFrom).sort((a, b) => b.requests - a.requests),
    }
  })
}

function partFrom(row: Row): Part {
  return {
    name: text(row, 'name'),
    requests: integer(row, 'requests'),
    ok: integer(row, 'ok'),
    failed: integer(row, 'failed'),
    costNano: integer(row, 'cost_nano'),
    costUnknown: integer(row, 'cost_unknown'),
    inputTokens: integer(row, 'input_tokens'),
    cacheRead: integer(row, 'cache_read'),
    output: integer(row, 'output'),
  }
}

function errorFrom(row: Row): ModelReport['errors'][number] {
  return { kind: text(row, 'error_class'), requests: integer(row, 'requests') }
}

function spreadsFrom(rows: readonly Row[]): Readonly<Record<SpreadKind, Bins>> {
  const binsOf = (kind: SpreadKind): Bins => {
    const row = rows.find((candidate) => candidate['kind'] === kind)
    const bins = row === undefined ? {} : (asObject(json(row, 'bins')) ?? {})
    return new Map(Object.entries(bins).map(([bin, amount]) => [Number(bin), asNumber(amount) ?? 0]))
  }
  return byKind(SPREAD_KINDS, binsOf)
}

function perSecond(tokens: number, ms: number): number | null {
  return ms === 0 ? null : Math.round((tokens * MS_PER_S * 10) / ms) / 10
}
