import type { QueryBook } from '../../db/query-book.ts'
import { breakdownQueries, COUNTS, IN_RANGE } from './breakdown-queries.ts'

/** Conditions that every report takes, by the parameter that asks for them. */
const MEASURED = {
  keyId: 'key_id = $keyId',
  provider: 'provider = $provider',
  chainId: 'chain_id = $chainId',
  // Named with its provider or bare; requests that never reached a provider are found by what they asked for.
  model: `(model_used IN ($model, $bareModel) AND $model IN (model_used, provider || '/' || model_used))
    OR (model_used IS NULL AND model_asked = $model)`,
  tagName: 'EXISTS (SELECT 1 FROM json_each(tags) WHERE key = $tagName AND value = $tagValue)',
}

const LISTED = {
  ...MEASURED,
  accountId: `account_id = $accountId
    OR EXISTS (SELECT 1 FROM attempts WHERE request_seq = requests.seq AND account_id = $accountId)`,
  ok: "status = 'ok'",
  // The second condition lets SQLite use the index of everything that is not `ok`.
  notOk: "status = $notOk AND status <> 'ok'",
  errorClass: "error_class = $errorClass AND status <> 'ok'",
  endpoint: 'endpoint = $endpoint',
  client: 'client = $client',
  session: 'session = $session',
  stream: 'stream = $stream',
  minCostNano: 'cost_nano >= $minCostNano',
  minMs: 'ms_total >= $minMs',
  like: ['id', 'model_asked', 'model_used', 'client', 'session']
    .map((name) => `${name} LIKE $like ESCAPE '\\'`)
    .join(' OR '),
}

/** Exact percentiles by nearest rank: the smallest value that so many per cent of the requests do not exceed. */
function percentiles(name: string, column: string): string {
  const rank = (per: number): string =>
    `min(value) FILTER (WHERE place >= (places * ${per} + 99) / 100) AS ${name}_p${per}`
  return `(SELECT ${[50, 95, 99].map(rank).join()} FROM (
    SELECT ${column} AS value, row_number() OVER (ORDER BY ${column}) AS place, count(*) OVER () AS places
    FROM requests WHERE ${column} IS NOT NULL AND ${IN_RANGE}))`
}

const TOTALS = `(SELECT ${COUNTS}, count(DISTINCT key_id) AS active_keys,
  count(DISTINCT provider || '/' || model_used) AS active_models FROM requests WHERE ${IN_RANGE})`

function page(order: 'ASC' | 'DESC'): string {
  return `SELECT * FROM requests WHERE ${IN_RANGE} ORDER BY at_ms ${order}, id ${order} LIMIT $limit OFFSET $offset`
}

/** All that this resource asks of the ledger. Ranges include both ends. */
export const usageQueries = {
  measures: {
    sql: `SELECT * FROM ${TOTALS}, ${percentiles('latency', 'ms_total')},
      ${percentiles('first_token', 'ms_first_token')}, ${percentiles('gateway', 'gateway_us')}`,
    filters: MEASURED,
  },
  ...breakdownQueries(MEASURED),
  newest: { sql: page('DESC'), filters: { ...LISTED, cursorId: '(at_ms, id) < ($cursorAtMs, $cursorId)' } },
  oldest: { sql: page('ASC'), filters: { ...LISTED, cursorId: '(at_ms, id) > ($cursorAtMs, $cursorId)' } },
  count: { sql: `SELECT count(*) AS total FROM requests WHERE ${IN_RANGE}`, filters: LISTED },
  // The index by time holds the ids; there is none by id.
  request: {
    sql: 'SELECT * FROM requests WHERE seq = (SELECT seq FROM requests INDEXED BY requests_at WHERE id = $id)',
  },
  attempts: {
    sql: 'SELECT * FROM attempts WHERE request_seq IN (SELECT value FROM json_each($seqs)) ORDER BY request_seq, position',
  },
} satisfies QueryBook

export type UsageQuery = keyof typeof usageQueries
