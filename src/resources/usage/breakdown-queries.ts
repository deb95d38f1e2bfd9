/** Questions to the requests themselves, for reports that are narrowed to a tag: sums know each tag only by itself. */
import type { NamedQuery, QueryBook } from '../../db/query-book.ts'
import { BIN_RATIO } from '../../core/spread.ts'
import { SPREADS, SUMS } from '../../ledger/rollup/tally.ts'

export const IN_RANGE = 'at_ms BETWEEN $fromMs AND $toMs{filters}'
const FINISHED = "status <> 'open'"

/** Sums over requests, whatever became of them. */
const COUNTS = Object.entries(SUMS)
  .map(([name, value]) => `coalesce(sum(${value}), 0) AS ${name}`)
  .join()

const MODEL = "provider || '/' || model_used"
const USED = `model_used IS NOT NULL AND ${FINISHED} AND ${IN_RANGE}`

/** One row for each kind: its bins and how many values are in each, as JSON, since they are many and only added up. */
const MODEL_BINS = Object.entries(SPREADS).map(
  ([kind, column]) => `SELECT '${kind}' AS kind, model, json_group_object(bin, amount) AS bins FROM (
    SELECT ${MODEL} AS model, CAST(ln(${column} + 1) / ln(${BIN_RATIO}) AS INTEGER) AS bin, count(*) AS amount
    FROM requests WHERE ${column} IS NOT NULL AND ${USED} GROUP BY 1, 2) GROUP BY model`,
)

/** Exact percentiles by nearest rank: the smallest value that so many per cent of the requests do not exceed. */
function percentiles(name: string, column: string): string {
  const rank = (per: number): string =>
    `min(value) FILTER (WHERE place >= (places * ${per} + 99) / 100) AS ${name}_p${per}`
  return `(SELECT ${[50, 95, 99].map(rank).join()} FROM (
    SELECT ${column} AS value, row_number() OVER (ORDER BY ${column}) AS place, count(*) OVER () AS places
    FROM requests WHERE ${column} IS NOT NULL AND ${IN_RANGE}))`
}

const TOTALS = `(SELECT ${COUNTS}, count(DISTINCT key_id) AS active_keys,
  count(DISTINCT ${MODEL}) AS active_models FROM requests WHERE ${FINISHED} AND ${IN_RANGE})`

const MODEL_ERRORS = `SELECT ${MODEL} AS model, error_class, count(*) AS requests FROM requests
  WHERE status <> 'ok' AND error_class IS NOT NULL AND ${USED} GROUP BY 1, 2`

/** `filters` are those of every report. */
export function breakdownQueries(filters: NonNullable<NamedQuery['filters']>) {
  return {
    measures: {
      sql: `SELECT * FROM ${TOTALS}, ${Object.entries(SPREADS).map(([name, column]) => percentiles(name, column))}`,
      filters,
    },
    models: {
      sql: `SELECT ${MODEL} AS model, ${COUNTS}, count(DISTINCT key_id) AS active_keys FROM requests WHERE ${USED} GROUP BY 1`,
      filters,
    },
    modelSpreads: { sql: MODEL_BINS.join(' UNION ALL '), filters },
    modelErrors: { sql: MODEL_ERRORS, filters },
  } satisfies QueryBook
}
