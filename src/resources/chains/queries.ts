import type { QueryBook } from '../../db/query-book.ts'

/** Finished attempts that a chain led to in a range, each with the step that was taken. Both ends belong to the range. */
const TAKEN = `WITH taken AS (
  SELECT passage.value ->> '$.target' AS step, attempts.*, attempts.failure IS NULL AS is_ok
  FROM requests JOIN attempts ON attempts.request_seq = requests.seq, json_each(attempts.via) AS passage
  WHERE requests.at_ms BETWEEN $fromMs AND $toMs AND attempts.ms_total IS NOT NULL
    AND instr(attempts.via, $chainId) > 0 AND passage.value ->> '$.rule' = $chainId)`

const TOKENS = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning']
  .map((name) => `sum(${name}) AS ${name}`)
  .join()

const STEPS = `${TAKEN} SELECT step, count(DISTINCT request_seq) AS requests, count(*) AS attempts, sum(is_ok) AS ok, ${TOKENS},
  sum(cost_nano) AS cost_nano, count(*) FILTER (WHERE cost_source = 'unknown') AS cost_unknown FROM taken GROUP BY step`

const FAILURES = `${TAKEN} SELECT step, failure, count(*) AS attempts FROM taken WHERE NOT is_ok GROUP BY step, failure`

/** By nearest rank, as everywhere: the smallest value that so many per cent do not exceed. Of answers alone. */
function spread(kind: string, column: string): string {
  const rank = (per: number): string => `min(value) FILTER (WHERE place >= (places * ${per} + 99) / 100) AS p${per}`
  return `SELECT '${kind}' AS kind, step, ${rank(50)}, ${rank(95)} FROM (
    SELECT step, ${column} AS value, row_number() OVER (PARTITION BY step ORDER BY ${column}) AS place,
      count(*) OVER (PARTITION BY step) AS places FROM taken WHERE is_ok AND ${column} IS NOT NULL) GROUP BY step`
}

/** All that this resource asks of the ledger. */
export const chainQueries = {
  chainSteps: { sql: STEPS },
  chainFailures: { sql: FAILURES },
  chainSpreads: {
    sql: `${TAKEN} ${spread('latency', 'ms_total')} UNION ALL ${spread('first_token', 'ms_first_token')}`,
  },
} satisfies QueryBook

export type ChainQuery = keyof typeof chainQueries
