import type { NamedQuery, QueryBook } from '../../db/query-book.ts'

/** What usage can be broken down by, and the words of each; a row without its word is in no part. */
const PART_NAMES = {
  model: "provider || '/' || model_used",
  provider: 'provider',
  account: 'account_id',
  key: 'key_id',
  endpoint: 'endpoint',
  client: 'client',
  error: "CASE WHEN status <> 'ok' THEN error_class END",
} as const

export type PartKind = keyof typeof PART_NAMES
export const PART_KINDS = Object.keys(PART_NAMES) as readonly PartKind[]

/** Values whose distribution is kept, in the unit of the column. */
const SPREADS = { latency: 'ms_total', first_token: 'ms_first_token', gateway: 'gateway_us' } as const

export type SpreadKind = keyof typeof SPREADS
export const SPREAD_KINDS = Object.keys(SPREADS) as readonly SpreadKind[]

/** Bins of a distribution grow by this ratio, so a percentile read from them is within one per cent. */
export const BIN_RATIO = 1.02

export const IN_RANGE = 'at_ms BETWEEN $fromMs AND $toMs{filters}'

/** Sums of the canonical token record. */
const TOKENS = ['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning']
  .concat(['audio_in', 'audio_out', 'image_in', 'web_searches'])
  .map((name) => `coalesce(sum(${name}), 0) AS ${name}`)
  .join()

/** Sums over requests, whatever became of them. */
export const COUNTS = `count(*) AS requests,
  count(*) FILTER (WHERE status = 'ok') AS ok,
  count(*) FILTER (WHERE status IN ('error', 'blocked', 'interrupted')) AS failed,
  count(*) FILTER (WHERE status = 'cut') AS cut,
  count(*) FILTER (WHERE status = 'cancelled') AS cancelled,
  ${TOKENS},
  coalesce(sum(cost_nano), 0) AS cost_nano,
  count(*) FILTER (WHERE cost_source = 'unknown') AS cost_unknown`

/** Sums of what a part is shown with. */
const PART = `count(*) AS requests,
  count(*) FILTER (WHERE status = 'ok') AS ok,
  count(*) FILTER (WHERE status IN ('error', 'blocked', 'interrupted', 'cut')) AS failed,
  coalesce(sum(cost_nano), 0) AS cost_nano,
  count(*) FILTER (WHERE cost_source = 'unknown') AS cost_unknown,
  coalesce(sum(input_uncached + cache_read + cache_write_5m + cache_write_1h), 0) AS input_tokens,
  coalesce(sum(cache_read), 0) AS cache_read,
  coalesce(sum(output), 0) AS output`

const PARTS = Object.entries(PART_NAMES).map(
  ([kind, name]) => `SELECT '${kind}' AS kind, ${name} AS name, ${PART} FROM requests
    WHERE at_ms BETWEEN $fromMs AND $toMs AND ${name} IS NOT NULL GROUP BY 2`,
)

/** Bin n holds what is from `BIN_RATIO` ** n − 1 up to the next. */
function binOf(column: string): string {
  return `CAST(ln(${column} + 1) / ln(${BIN_RATIO}) AS INTEGER)`
}

/** One row for each kind: its bins and how many values are in each, as JSON, since they are many and only added up. */
const BINS = Object.entries(SPREADS).map(
  ([kind, column]) => `SELECT '${kind}' AS kind, json_group_object(bin, amount) AS bins FROM (
    SELECT ${binOf(column)} AS bin, count(*) AS amount FROM requests
    WHERE at_ms BETWEEN $fromMs AND $toMs AND ${column} IS NOT NULL GROUP BY 1)`,
)

const MODEL = PART_NAMES.model

const MODEL_BINS = Object.entries(SPREADS).map(
  ([kind, column]) => `SELECT '${kind}' AS kind, model, json_group_object(bin, amount) AS bins FROM (
    SELECT ${MODEL} AS model, ${binOf(column)} AS bin, count(*) AS amount FROM requests
    WHERE ${column} IS NOT NULL AND model_used IS NOT NULL AND ${IN_RANGE} GROUP BY 1, 2) GROUP BY model`,
)

/** While an answer ran, from its first token on: what speed is measured by. */
const TIMED = 'FILTER (WHERE ms_total > ms_first_token AND output > 0)'

const MODEL_TOTALS = `SELECT ${MODEL} AS model, ${COUNTS}, count(DISTINCT key_id) AS active_keys,
  coalesce(sum(output) ${TIMED}, 0) AS timed_output, coalesce(sum(ms_total - ms_first_token) ${TIMED}, 0) AS timed_ms
  FROM requests WHERE model_used IS NOT NULL AND ${IN_RANGE} GROUP BY 1`

const MODEL_ERRORS = `SELECT ${MODEL} AS model, error_class, count(*) AS requests FROM requests
  WHERE status <> 'ok' AND error_class IS NOT NULL AND model_used IS NOT NULL AND ${IN_RANGE} GROUP BY 1, 2`

/** By the start of a span of `$pointMs`. */
const POINTS = `SELECT at_ms / $pointMs * $pointMs AS at_ms, ${COUNTS}, count(*) FILTER (WHERE status = 'open') AS open
  FROM requests WHERE at_ms BETWEEN $fromMs AND $toMs GROUP BY 1 ORDER BY 1`

/** What breaks usage down by model, by time and by who and what took part. `filters` are those of every report. */
export function breakdownQueries(filters: NonNullable<NamedQuery['filters']>) {
  return {
    models: { sql: MODEL_TOTALS, filters },
    modelSpreads: { sql: MODEL_BINS.join(' UNION ALL '), filters },
    modelErrors: { sql: MODEL_ERRORS, filters },
    points: { sql: POINTS },
    parts: { sql: PARTS.join(' UNION ALL ') },
    spreads: { sql: BINS.join(' UNION ALL ') },
  } satisfies QueryBook
}
