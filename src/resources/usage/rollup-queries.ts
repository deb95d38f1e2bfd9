/** Questions to the sums by quarter and by larger spans: what reports are made of. None of them reads a request. */
import type { QueryBook } from '../../db/query-book.ts'
import type { PartKind } from '../../ledger/rollup/rollup.ts'
import { OTHER } from '../../ledger/rollup/rollup-names.ts'
import { SPREAD_KINDS, SUM_NAMES, type SumName } from '../../ledger/rollup/tally.ts'
import { PIECES, within } from './spans.ts'

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
  'cache_read',
  'output',
]
const INPUT: readonly SumName[] = ['input_uncached', 'cache_write_5m', 'cache_write_1h']
const SHOWN_COLUMNS = [...SHOWN, ...INPUT].join()
const SHOWN_SUMS = `${sumsOf(SHOWN)}, coalesce(sum(${['cache_read', ...INPUT].join(' + ')}), 0) AS input_tokens`
/** Written bins are added by joining them; the reader answers their percentiles. */
const SPREADS = SPREAD_KINDS.map((name) => `coalesce(group_concat(${name}, ''), '') AS ${name}`).join()

const NAMED = (kind: string): string => within('rollup_parts', 'name', `kind = '${kind}'`)
/** Every request has an endpoint, so all endpoints together are all requests. */
const ANY_ENDPOINT = "kind = 'endpoint'"
const ALL = within('rollup_parts', 'found.*', ANY_ENDPOINT)

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
  FROM (SELECT kind, name, ${SHOWN_SUMS}
  FROM ${within('rollup_parts', `kind, name, ${SHOWN_COLUMNS}`, SHOWN_ONES)}
  GROUP BY kind, name)`

// The signs keep SQLite from going through a kind once for each of its names.
const PART_SPREADS = `SELECT kind, name, group_concat(latency, '') AS latency
  FROM ${within('rollup_parts', 'kind, name, latency', `${SHOWN_ONES} AND (+kind, +name) IN (SELECT value ->> 0, value ->> 1 FROM json_each($parts))`)}
  GROUP BY kind, name`

/** Pieces in which nothing happened are left out, here and below. */
const FINE_COURSE = `SELECT ranges.piece AS piece, ${SHOWN_SUMS} FROM (${PIECES}) AS ranges CROSS JOIN rollup_course AS found
  WHERE found.at_ms >= ranges.at_ms AND found.at_ms < ranges.end_ms GROUP BY ranges.piece`
/** Of pieces that begin with quarters and are long enough to be made of larger spans. */
const COURSE = `SELECT piece, ${SHOWN_SUMS}
  FROM ${within('rollup_parts', `piece, ${SHOWN_COLUMNS}`, ANY_ENDPOINT, PIECES)} GROUP BY piece`

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
    sql: `SELECT 'provider' AS kind, name, ${SHOWN_SUMS}, group_concat(latency, '') AS latency, 0 AS names
      FROM ${within('rollup_parts', `name, latency, ${SHOWN_COLUMNS}`, "kind = 'provider'")} GROUP BY name`,
    spreads: ['latency'],
  },
  partSpreads: { sql: PART_SPREADS, spreads: ['latency'] },
  fineCourse: { sql: FINE_COURSE },
  course: { sql: COURSE },
} satisfies QueryBook
