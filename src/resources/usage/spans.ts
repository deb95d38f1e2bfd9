/** How a range is put together from the sums of quarters and of larger spans, in SQL: nothing is known of them but their rows. */
import { DAY_MS } from '../../core/duration.ts'
import { OCTAVE_MS, QUARTER_MS, STRETCH_MS } from '../../ledger/rollup/rollup-span.ts'

type SpanTable = 'rollup_parts' | 'rollup_crosses'

/** The spans that a range is made of, beside quarters: the largest first, each with the moment up to which it has all that it should. */
const LARGER = [
  [OCTAVE_MS, 'min(quarter_ms, day_ms)'],
  [DAY_MS, 'quarter_ms'],
  [STRETCH_MS, 'min(quarter_ms, folded_ms)'],
] as const

const RANGE = 'SELECT 0 AS piece, $fromMs AS at_ms, $toMs + 1 AS end_ms WHERE $fromMs <= $toMs'
/**
 * Several: `$pieces` are starts and ends, of which the range from `$fromMs` to `$toMs` counts, each perhaps with a number: those
 * that have the same are one piece.
 */
export const PIECES = `SELECT piece, at_ms, end_ms FROM (SELECT coalesce(value ->> 2, key) AS piece, max($fromMs, value ->> 0) AS at_ms,
  min($toMs + 1, value ->> 1) AS end_ms FROM json_each($pieces)) WHERE at_ms < end_ms`

/**
 * The rows of a table that make up ranges, which begin with quarters: from each moment the largest span that begins there, ends
 * within the range and has all of its quarters. They are found by the primary key: SQLite would rather make an index of its own.
 */
export function within(table: SpanTable, columns: string, condition: string, ranges = RANGE): string {
  const step = (atMs: string): string =>
    `SELECT piece, end_ms, ${atMs} AS at_ms, CASE ${LARGER.map(
      ([ms, wholeMs]) => `WHEN (${atMs}) % ${ms} = 0 AND ${atMs} + ${ms} <= min(end_ms, ${wholeMs}) THEN ${ms}`,
    ).join(' ')} ELSE ${QUARTER_MS} END AS span_ms FROM unsettled`
  return `(WITH RECURSIVE unsettled AS MATERIALIZED (${unsettled(table)}),
    ladder AS (${step('at_ms')}, (${ranges}) UNION ALL ${step('at_ms + span_ms')}, ladder WHERE at_ms + span_ms < end_ms)
    SELECT ${columns} FROM ladder CROSS JOIN ${table} AS found INDEXED BY sqlite_autoindex_${table}_1
    WHERE found.span_ms = ladder.span_ms AND found.at_ms = ladder.at_ms AND ${condition})`
}

/** The first moments from which on something is not in all larger spans yet; `folded_ms`: of quarters that their days do have. */
function unsettled(table: SpanTable): string {
  const first = (spanMs: number, folded: 0 | 1): string => `coalesce((SELECT min(at_ms) FROM ${table}
    INDEXED BY ${table}_unsettled WHERE settled = 0 AND span_ms = ${spanMs} AND folded = ${folded}), $toMs + 1)`
  return `SELECT ${first(QUARTER_MS, 0)} AS quarter_ms, ${first(QUARTER_MS, 1)} AS folded_ms, ${first(DAY_MS, 0)} AS day_ms`
}
