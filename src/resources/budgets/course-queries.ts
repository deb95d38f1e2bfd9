/** What was spent in the course of time, by scope: from the sums by quarter where they are kept that way, else from requests. */
import { DAY_MS } from '../../core/duration.ts'
import { QUARTER_MS } from '../../ledger/rollup/rollup-span.ts'
import type { QueryBook } from '../../db/query-book.ts'

const TOKENS = 'input_uncached + cache_read + cache_write_5m + cache_write_1h + output'
const SUMS = `sum(cost_nano) AS cost_nano, sum(${TOKENS}) AS tokens, sum(requests) AS requests`

/** Quarters since `$quartersFromMs`, and before that days (UTC) since `$fromMs`. */
function spans(table: 'rollup_parts' | 'rollup_crosses'): string {
  const rows = (spanMs: number, range: string): string =>
    `SELECT at_ms, ${spanMs} AS span_ms, ${SUMS} FROM ${table} WHERE span_ms = ${spanMs} AND ${range}{filters} GROUP BY at_ms`
  return `${rows(DAY_MS, 'at_ms >= $fromMs AND at_ms < $quartersFromMs')}
    UNION ALL ${rows(QUARTER_MS, 'at_ms >= $quartersFromMs')} ORDER BY at_ms`
}

export const budgetQueries = {
  budgetCrosses: {
    sql: spans('rollup_crosses'),
    filters: {
      keyId: 'key_id = $keyId',
      planId: 'plan_id = $planId',
      chainId: 'chain_id = $chainId',
      provider: 'provider = $provider',
    },
  },
  budgetParts: { sql: spans('rollup_parts'), filters: { kind: 'kind = $kind', name: 'name = $name' } },
  budgetRequests: {
    sql: `SELECT at_ms - at_ms % ${QUARTER_MS} AS at_ms, ${QUARTER_MS} AS span_ms, sum(cost_nano) AS cost_nano,
      sum(${TOKENS}) AS tokens, count(*) AS requests
      FROM requests WHERE at_ms >= $fromMs AND status <> 'open'{filters} GROUP BY 1 ORDER BY 1`,
    filters: {
      keyId: 'key_id = $keyId',
      tagName: 'EXISTS (SELECT 1 FROM json_each(tags) WHERE key = $tagName AND value = $tagValue)',
      // The names that patterns of budgets are compared with.
      glob: `provider || '/' || model_used GLOB $glob OR model_asked GLOB $glob`,
    },
  },
} satisfies QueryBook

export type BudgetQuery = keyof typeof budgetQueries
