import type { QueryBook } from '../../db/query-book.ts'
import { breakdownQueries, IN_RANGE } from './breakdown-queries.ts'
import { rollupQueries } from './rollup-queries.ts'

/** Conditions that every report takes, by the parameter that asks for them. */
const MEASURED = {
  keyId: 'key_id = $keyId',
  planId: 'plan_id = $planId',
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

function page(order: 'ASC' | 'DESC'): string {
  return `SELECT * FROM requests WHERE ${IN_RANGE} ORDER BY at_ms ${order}, id ${order} LIMIT $limit OFFSET $offset`
}

/** All that this resource asks of the ledger. Ranges include both ends. */
export const usageQueries = {
  ...rollupQueries,
  ...breakdownQueries(MEASURED),
  newest: { sql: page('DESC'), filters: { ...LISTED, cursorId: '(at_ms, id) < ($cursorAtMs, $cursorId)' } },
  oldest: { sql: page('ASC'), filters: { ...LISTED, cursorId: '(at_ms, id) > ($cursorAtMs, $cursorId)' } },
  count: { sql: `SELECT count(*) AS total FROM requests WHERE ${IN_RANGE}`, filters: LISTED },
  // Ids are in order within each hour. The hours that have any are gone through along the index by time, the newest first.
  request: {
    sql: `WITH RECURSIVE hours(hour) AS (SELECT max(at_ms) / 3600000 FROM requests
      UNION ALL SELECT (SELECT at_ms / 3600000 FROM requests WHERE at_ms < hour * 3600000 ORDER BY at_ms DESC LIMIT 1)
      FROM hours WHERE hour IS NOT NULL)
      SELECT requests.* FROM hours CROSS JOIN requests INDEXED BY requests_found
      WHERE requests.at_ms / 3600000 = hour AND id = $id LIMIT 1`,
  },
  attempts: {
    sql: 'SELECT * FROM attempts WHERE request_seq IN (SELECT value FROM json_each($seqs)) ORDER BY request_seq, position',
  },
} satisfies QueryBook

export type UsageQuery = keyof typeof usageQueries
