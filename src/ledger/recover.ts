import type { Database } from 'bun:sqlite'

export interface Recovered {
  readonly requests: number
  readonly attempts: number
}

/**
 * Closes what the previous process left open, before this one writes anything. An attempt keeps the cost that is known of it and
 * becomes `estimated`, for the provider may have billed more than we saw; its request adds up its attempts. Charging a share of
 * what was reserved has to wait for reservations. Afterwards no row is `open`, `reserved` or `sent`. Idempotent, one transaction.
 * What is closed here is not `counted`: the keeper adds it to the sums, as it does with all that is not.
 */
export function recover(database: Database): Recovered {
  return database.transaction(() => {
    const attempts = database.run(INTERRUPT_ATTEMPTS).changes
    database.run(SUM_UP_ATTEMPTS)
    database.run(COUNT_FOR_KEYS)
    const requests = database.run(INTERRUPT_REQUESTS).changes
    return { requests, attempts }
  })()
}

const INTERRUPT_ATTEMPTS = `UPDATE attempts SET state = 'interrupted', cost_source = 'estimated'
  WHERE state in ('reserved', 'sent')`

/** Said twice so that the index of everything that is not `ok` answers it. */
const OPEN = `status = 'open' AND status <> 'ok'`

const SUMS = [
  'input_uncached',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'reasoning',
  'audio_in',
  'audio_out',
  'image_in',
  'web_searches',
  'cost_nano',
]

// Beside `max(position)`, SQLite takes the bare columns from the row that holds the maximum: the last attempt.
// https://sqlite.org/lang_select.html#bareagg (read 2026-11-21)
const SUM_UP_ATTEMPTS = `UPDATE requests SET provider = seen.provider, account_id = seen.account_id, model_used = seen.model,
  dialect_out = seen.dialect_out, ${SUMS.map((name) => `${name} = seen.${name}`).join()}
  FROM (SELECT request_seq, max(position), provider, account_id, model, dialect_out,
    ${SUMS.map((name) => `sum(${name}) AS ${name}`).join()}
    FROM attempts WHERE request_seq IN (SELECT seq FROM requests WHERE ${OPEN}) GROUP BY request_seq) AS seen
  WHERE requests.seq = seen.request_seq`

const COUNT_FOR_KEYS = `INSERT INTO key_totals (key_id, requests, cost_nano, last_used_ms)
  SELECT key_id, count(*), sum(cost_nano), max(at_ms) FROM requests
  WHERE ${OPEN} AND key_id IS NOT NULL GROUP BY key_id
  ON CONFLICT (key_id) DO UPDATE SET requests = requests + excluded.requests, cost_nano = cost_nano + excluded.cost_nano,
  last_used_ms = max(last_used_ms, excluded.last_used_ms)`

const INTERRUPT_REQUESTS = `UPDATE requests SET status = 'interrupted', cost_source = 'estimated' WHERE ${OPEN}`
