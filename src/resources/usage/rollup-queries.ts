/** Questions to the sums by quarter and by day: what reports are made of. None of them reads a request. */
import type { QueryBook } from '../../db/query-book.ts'
import { PART_KINDS } from '../../ledger/rollup.ts'
import { OTHER } from '../../ledger/rollup-names.ts'
import { DAY_MS, QUARTER_MS } from '../../ledger/rollup-span.ts'
import { SPREAD_KINDS, SUM_NAMES } from '../../ledger/tally.ts'

/** So many of each kind are named; there can be thousands of keys. */
export const PARTS_MAX = 20

const SUMS = SUM_NAMES.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join()
/** Written bins are added by joining them. */
const SPREADS = SPREAD_KINDS.map((name) => `coalesce(group_concat(${name}, ''), '') AS ${name}`).join()

/**
 * The rows of a table that make up a range: days where they are whole and have all their quarters, quarters around them. The range
 * begins with a quarter (`$fromMs`); its first and last whole day begin at `$firstDayMs` and end at `$lastDayMs`.
 */
function within(table: 'rollup_parts' | 'rollup_crosses', columns: string, condition: string): string {
  const unfolded = `(SELECT min(at_ms) FROM ${table} WHERE folded = 0 AND span_ms = ${QUARTER_MS})`
  const daysEnd = `max($firstDayMs, min($lastDayMs, coalesce(${unfolded}, $lastDayMs) / ${DAY_MS} * ${DAY_MS}))`
  const rows = (spanMs: number, from: string, to: string): string =>
    `SELECT ${columns} FROM ${table} WHERE ${condition} AND span_ms = ${spanMs} AND at_ms >= ${from} AND at_ms < ${to}`
  return `(${rows(QUARTER_MS, '$fromMs', 'min($firstDayMs, $toMs + 1)')}
    UNION ALL ${rows(DAY_MS, '$firstDayMs', daysEnd)}
    UNION ALL ${rows(QUARTER_MS, daysEnd, '$toMs + 1')})`
}

const NAMED = (kind: string): string => within('rollup_parts', 'name', `kind = '${kind}'`)
/** Every request has an endpoint, so all endpoints together are all requests. */
const ALL = within('rollup_parts', '*', "kind = 'endpoint'")

const MODEL = `iif(model = '${OTHER}', model, provider || '/' || model)`

/** Of `rollup_crosses`, by the parameter that asks for them. */
const CROSSED = {
  keyId: 'key_id = $keyId',
  planId: 'plan_id = $planId',
  chainId: 'chain_id = $chainId',
  provider: 'provider = $provider',
  model: `model IN ($model, $bareModel) AND $model IN (model, provider || '/' || model)`,
}
const CROSSES = (columns: string): string => within('rollup_crosses', columns, '1{filters}')
const CROSSED_KEYS = "count(DISTINCT nullif(key_id, '')) AS active_keys"

const TOP = `SELECT *, count(*) OVER (PARTITION BY kind) AS names,
  row_number() OVER (PARTITION BY kind ORDER BY requests DESC, name) AS place
  FROM (SELECT kind, name, ${SUMS} FROM ${within('rollup_parts', '*', `kind IN (${PART_KINDS.map((kind) => `'${kind}'`)})`)}
  GROUP BY kind, name)`

const PART_SPREADS = `SELECT kind, name, group_concat(latency, '') AS latency
  FROM ${within('rollup_parts', 'kind, name, latency', '(kind, name) IN (SELECT value ->> 0, value ->> 1 FROM json_each($parts))')}
  GROUP BY kind, name`

/** `$pieces`: pairs of start and end, of which the range counts. Those in which nothing happened are left out. */
const PIECES = `SELECT piece.key AS piece, ${SUMS} FROM json_each($pieces) AS piece
  CROSS JOIN rollup_course WHERE at_ms >= piece.value ->> 0 AND at_ms < piece.value ->> 1
  AND at_ms BETWEEN $fromMs AND $toMs GROUP BY piece.key`

export const rollupQueries = {
  sums: {
    sql: `SELECT ${SUMS}, ${SPREADS}, (SELECT count(DISTINCT name) FROM ${NAMED('key')}) AS active_keys,
      (SELECT count(DISTINCT name) FROM ${NAMED('model')}) AS active_models FROM ${ALL}`,
  },
  narrowedSums: {
    sql: `SELECT ${SUMS}, ${SPREADS}, ${CROSSED_KEYS},
      count(DISTINCT iif(model = '', NULL, ${MODEL})) AS active_models FROM ${CROSSES('*')}`,
    filters: CROSSED,
  },
  modelSums: {
    sql: `SELECT name AS model, ${SUMS}, ${SPREADS} FROM ${within('rollup_parts', '*', "kind = 'model'")} GROUP BY name`,
  },
  narrowedModelSums: {
    sql: `SELECT ${MODEL} AS model, ${SUMS}, ${SPREADS} FROM ${CROSSES('*')} WHERE model <> '' GROUP BY 1`,
    filters: CROSSED,
  },
  modelKeys: {
    sql: `SELECT ${MODEL} AS model, ${CROSSED_KEYS} FROM ${CROSSES('provider, model, key_id')} WHERE model <> '' GROUP BY 1`,
    filters: CROSSED,
  },
  modelFailures: {
    sql: `SELECT ${MODEL} AS model, failure AS error_class, sum(requests) AS requests
      FROM ${CROSSES('provider, model, failure, requests')} WHERE model <> '' AND failure <> '' GROUP BY 1, 2`,
    filters: CROSSED,
  },
  topParts: { sql: `SELECT * FROM (${TOP}) WHERE place <= ${PARTS_MAX} ORDER BY kind, place` },
  partSpreads: { sql: PART_SPREADS },
  pieces: { sql: PIECES },
} satisfies QueryBook
