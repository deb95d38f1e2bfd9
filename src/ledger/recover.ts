import type { Database } from 'bun:sqlite'
import { restoreReserved } from './reservation-statements.ts'
import { ADDED_UP, COUNTERS } from './spending/spend-statements.ts'

export interface Recovered {
  readonly requests: number
  readonly attempts: number
}

/** What was set aside is charged in full, where nobody says otherwise. */
export const CRASH_CHARGE_PCT = 100

/**
 * Closes what the previous process left open, before this one writes anything; attempts that it had written down without a row get
 * theirs first. An attempt becomes `estimated` and costs what is known of it, at least `crashChargePct` percent of what was set aside
 * for it, for the provider may have billed more than we saw; its counters get that, and its request adds up its attempts. The sums of
 * reports get them as they get all that is not counted. Afterwards no row is `open`, `reserved` or `sent`. Idempotent, one transaction.
 */
export function recover(database: Database, crashChargePct = CRASH_CHARGE_PCT): Recovered {
  return database.transaction(() => {
    restoreReserved(database)
    database.query(CHARGE_ATTEMPTS).run(crashChargePct)
    database.run(COUNT_FOR_RULES)
    const attempts = database.run(INTERRUPT_ATTEMPTS).changes
    database.run(SUM_UP_ATTEMPTS)
    database.run(COUNT_FOR_KEYS)
    const requests = database.run(INTERRUPT_REQUESTS).changes
    return { requests, attempts }
  })()
}

const UNFINISHED = "state in ('reserved', 'sent')"

/** Rounded up: a share of a reservation is never charged below it. */
function share(column: string): string {
  return `(${column} * ?1 + 99) / 100`
}

const CHARGE_ATTEMPTS = `UPDATE attempts SET cost_nano = max(cost_nano, ${share('reserved_nano')}),
  input_uncached = max(input_uncached, ${share('reserved_input')}), output = max(output, ${share('reserved_output')}),
  usage_estimated = 1 WHERE ${UNFINISHED}`

const COUNT_FOR_RULES = `INSERT INTO ${COUNTERS} (name, start_ms, counts_until_ms, cost_nano, tokens, requests)
  SELECT json_extract(c.value, '$[0]'), json_extract(c.value, '$[1]'), max(json_extract(c.value, '$[2]')), sum(cost_nano),
    sum(input_uncached + cache_read + cache_write_5m + cache_write_1h + output), count(*)
  FROM attempts, json_each(attempts.counters) AS c WHERE ${UNFINISHED} GROUP BY 1, 2
  ${ADDED_UP}`

const INTERRUPT_ATTEMPTS = `UPDATE attempts SET state = 'interrupted', cost_source = 'estimated' WHERE ${UNFINISHED}`

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
