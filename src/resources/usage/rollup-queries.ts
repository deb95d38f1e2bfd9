/** Questions to the sums by quarter and by larger spans: what reports are made of. None of them reads a request. */
import type { QueryBook } from '../../db/query-book.ts'
import type { PartKind } from '../../ledger/rollup.ts'
import { OTHER } from '../../ledger/rollup-names.ts'
import { DAY_MS, OCTAVE_MS, QUARTER_MS, STRETCH_MS } from '../../ledger/rollup-span.ts'
import { SPREAD_KINDS, SUM_NAMES, type SumName } from '../../ledger/tally.ts'

/** What an overview breaks usage down by. */
export const SHOWN_KINDS = ['model', 'provider', 'account', 'key', 'endpoint', 'client', 'tag', 'error'] as const
export type ShownKind = Extract<PartKind, (typeof SHOWN_KINDS)[number]>

/** So many of each kind are named; there can be thousands of keys. */
export const PARTS_MAX = 20

const sumsOf = (names: readonly SumName[]): string => names.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join()
const SUMS = sumsOf(SUM_NAMES)
/** What a point of a series and a part show. */
const SHOWN: readonly SumName[] = [
  'requests',
  'ok',
  'failed',
  'cut',
  'cost_nano',
  'cost_unknown',
  'input_uncached',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'output',
]
/** Written bins are added by joining them; the reader answers their percentiles. */
const SPREADS = SPREAD_KINDS.map((name) => `coalesce(group_concat(${name}, ''), '') AS ${name}`).join()

type SpanTable = 'rollup_parts' | 'rollup_crosses'

/** The spans that a range is made of, beside quarters: the largest first, each with the moment up to which it has all that it should. */
const LARGER = [
  [OCTAVE_MS, 'min(quarter_ms, day_ms)'],
  [DAY_MS, 'quarter_ms'],
  [STRETCH_MS, 'min(quarter_ms, folded_ms)'],
] as const

/** The first moments from which on something is not in all larger spans yet; `folded_ms`: of quarters that their days do have. */
function unsettled(table: SpanTable): string {
  const first = (spanMs: number, folded: 0 | 1): string => `coalesce((SELECT min(at_ms) FROM ${table}
    INDEXED BY ${table}_unsettled WHERE settled = 0 AND span_ms = ${spanMs} AND folded = ${folded}), $toMs + 1)`
  return `SELECT ${first(QUARTER_MS, 0)} AS quarter_ms, ${first(QUARTER_MS, 1)} AS folded_ms, ${first(DAY_MS, 0)} AS day_ms`
}

/**
 * The rows of a table that make up a range, which begins with a quarter: from each moment the largest span that begins there, ends
 * within the range and has all of its quarters. They are found by the primary key: SQLite would rather make an index of its own.
 */
function within(table: SpanTable, columns: string, condition: string): string {
  const step = (atMs: string): string =>
    `SELECT ${atMs} AS at_ms, CASE ${LARGER.map(
      ([ms, endMs]) => `WHEN (${atMs}) % ${ms} = 0 AND ${atMs} + ${ms} <= min($toMs + 1, ${endMs}) THEN ${ms}`,
    ).join(' ')} ELSE ${QUARTER_MS} END AS span_ms FROM unsettled`
  return `(WITH RECURSIVE unsettled AS MATERIALIZED (${unsettled(table)}),
    ladder AS (${step('$fromMs')} UNION ALL ${step('ladder.at_ms + ladder.span_ms')}, ladder
      WHERE ladder.at_ms + ladder.span_ms <= $toMs)
    SELECT ${columns} FROM ladder CROSS JOIN ${table} AS found INDEXED BY sqlite_autoindex_${table}_1
    WHERE found.span_ms = ladder.span_ms AND found.at_ms = ladder.at_ms AND ${condition})`
}

const NAMED = (kind: string): string => within('rollup_parts', 'name', `kind = '${kind}'`)
/** Every request has an endpoint, so all endpoints together are all requests. */
const ALL = within('rollup_parts', 'found.*', "kind = 'endpoint'")

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
const CROSSED_MODELS = `count(DISTINCT iif(model = '', NULL, ${MODEL})) AS active_models`

const SHOWN_ONES = `kind IN (${SHOWN_KINDS.map((kind) => `'${kind}'`).join()})`

const TOP = `SELECT *, count(*) OVER (PARTITION BY kind) AS names,
  row_number() OVER (PARTITION BY kind ORDER BY requests DESC, name) AS place
  FROM (SELECT kind, name, ${sumsOf(SHOWN)}
  FROM ${within('rollup_parts', ['kind', 'name', ...SHOWN].join(), SHOWN_ONES)}
  GROUP BY kind, name)`

// The signs keep SQLite from going through a kind once for each of its names.
const PART_SPREADS = `SELECT kind, name, group_concat(latency, '') AS latency
  FROM ${within('rollup_parts', 'kind, name, latency', `${SHOWN_ONES} AND (+kind, +name) IN (SELECT value ->> 0, value ->> 1 FROM json_each($parts))`)}
  GROUP BY kind, name`

/** `$pieces`: pairs of start and end, of which the range counts. Those in which nothing happened are left out. */
const PIECES = `SELECT piece.key AS piece, ${sumsOf(SHOWN)} FROM json_each($pieces) AS piece CROSS JOIN rollup_course
  WHERE at_ms >= max($fromMs, piece.value ->> 0) AND at_ms < min($toMs + 1, piece.value ->> 1) GROUP BY piece.key`

/** Who used each model, and how it failed: a row with `active_keys` for each model, one with `error_class` for each kind. */
const MODEL_FACES = `WITH used AS MATERIALIZED (
    SELECT ${MODEL} AS model, key_id, failure, sum(requests) AS requests
    FROM ${CROSSES('provider, model, key_id, failure, requests')} WHERE model <> '' GROUP BY 1, 2, 3)
  SELECT model, ${CROSSED_KEYS}, NULL AS error_class, sum(requests) AS requests FROM used GROUP BY model
  UNION ALL SELECT model, NULL, failure, sum(requests) FROM used WHERE failure <> '' GROUP BY model, failure`

export const rollupQueries = {
  sums: {
    sql: `SELECT ${SUMS}, ${SPREADS}, (SELECT count(DISTINCT name) FROM ${NAMED('key')}) AS active_keys,
      (SELECT count(DISTINCT name) FROM ${NAMED('model')}) AS active_models FROM ${ALL}`,
    spreads: SPREAD_KINDS,
  },
  // A report that is narrowed to one thing has the sums of that; only whom it had to do with is to be looked for.
  partSums: {
    sql: `SELECT * FROM (SELECT ${SUMS}, ${SPREADS} FROM ${within('rollup_parts', 'found.*', 'kind = $kind AND name = $name')}),
      (SELECT ${CROSSED_KEYS}, ${CROSSED_MODELS} FROM ${CROSSES('key_id, provider, model')})`,
    filters: CROSSED,
    spreads: SPREAD_KINDS,
  },
  narrowedSums: {
    sql: `SELECT ${SUMS}, ${SPREADS}, ${CROSSED_KEYS}, ${CROSSED_MODELS} FROM ${CROSSES('found.*')}`,
    filters: CROSSED,
    spreads: SPREAD_KINDS,
  },
  modelSums: {
    sql: `SELECT name AS model, ${SUMS}, ${SPREADS} FROM ${within('rollup_parts', 'found.*', "kind = 'model'")} GROUP BY name`,
    spreads: SPREAD_KINDS,
  },
  narrowedModelSums: {
    sql: `SELECT ${MODEL} AS model, ${SUMS}, ${SPREADS} FROM ${CROSSES('found.*')} WHERE model <> '' GROUP BY 1`,
    filters: CROSSED,
    spreads: SPREAD_KINDS,
  },
  modelFaces: { sql: MODEL_FACES, filters: CROSSED },
  topParts: { sql: `SELECT * FROM (${TOP}) WHERE place <= ${PARTS_MAX} ORDER BY kind, place` },
  providers: {
    sql: `SELECT 'provider' AS kind, name, ${sumsOf(SHOWN)}, group_concat(latency, '') AS latency, 0 AS names
      FROM ${within('rollup_parts', ['name', 'latency', ...SHOWN].join(), "kind = 'provider'")} GROUP BY name`,
    spreads: ['latency'],
  },
  partSpreads: { sql: PART_SPREADS, spreads: ['latency'] },
  pieces: { sql: PIECES },
} satisfies QueryBook
