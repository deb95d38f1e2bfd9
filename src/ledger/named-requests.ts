import type { Database } from 'bun:sqlite'

/** A request by the name that its client gave it. */
export interface NamedRequest {
  readonly keyId: string
  readonly requestId: string
  /** A hash of the name: clients may put anything into it. */
  readonly name: string
  /** A hash of the path, its query and the body. */
  readonly digest: string
}

/** No more are looked for; they are a few bytes each. */
const ROWS_MAX = 100_000

/**
 * Those that were answered, or died with their process, since a moment; of several with one name the first. Read once, at the
 * start, after `recover`.
 */
export function namedRequestsSince(database: Database, sinceMs: number): readonly NamedRequest[] {
  return database.query<NamedRequest, [number, number]>(NAMED).all(sinceMs, ROWS_MAX)
}

// Beside `min(at_ms)`, SQLite takes the bare columns from the row that holds the minimum.
// https://sqlite.org/lang_select.html#bareagg (read 2026-11-21)
const NAMED = `SELECT key_id AS keyId, id AS requestId, idempotency_name AS name, request_digest AS digest, min(at_ms)
  FROM requests WHERE idempotency_name IS NOT NULL AND key_id IS NOT NULL AND at_ms >= ?
  AND status IN ('ok', 'interrupted') GROUP BY key_id, idempotency_name LIMIT ?`
