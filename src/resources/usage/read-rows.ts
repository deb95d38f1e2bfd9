import { assert } from '../../core/assert.ts'
import { err, type Result } from '../../core/result.ts'
import type { Params, Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'

/** After so long the reader has most likely caught up, or has a new thread. */
const RETRY_AFTER_MS = 2_000

/**
 * Asks the reader's thread. Refusal: `unavailable`, which says `problem`, when that thread is busy, slow or gone; a query that SQLite
 * refuses is a bug and throws.
 */
export async function readRows<Name extends string>(
  reader: Pick<Reader<Name>, 'query'>,
  name: Name,
  params: Params,
  problem = 'reports cannot be made right now; try again',
): Promise<Result<readonly Row[], Refusal>> {
  const rows = await reader.query(name, params)
  if (rows.ok) return rows
  assert(rows.error.kind !== 'broken', `the query ${name} is sound: ${rows.error.message}`)
  return err(refusal('unavailable', problem, { retryAfterMs: RETRY_AFTER_MS }))
}
