/** What keys have used since a moment, from their requests in the ledger. */
import type { QueryBook } from '../db/query-book.ts'
import type { Reader } from '../db/reader.ts'
import { ok, type Result } from '../core/result.ts'
import type { ReadFailure } from '../db/reader.ts'

/** Requests that reached a provider and are over, and their tokens. */
export interface KeyUse {
  readonly requests: number
  /** Read from no cache. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
}

const USED = `SELECT count(*) AS requests, coalesce(sum(input_uncached + cache_write_5m + cache_write_1h), 0) AS input_tokens,
  coalesce(sum(cache_read), 0) AS cache_read_tokens, coalesce(sum(output), 0) AS output_tokens
  FROM requests WHERE key_id = $keyId AND at_ms >= $fromMs AND provider IS NOT NULL AND status <> 'open'`

export const keyUseQueries = { keyUse: { sql: USED } } satisfies QueryBook

/** From `fromMs` on. It reads the rows of one key in that time, so it takes a while for a busy one. */
export async function keyUseOf(
  reader: Reader<keyof typeof keyUseQueries>,
  keyId: string,
  fromMs: number,
): Promise<Result<KeyUse, ReadFailure>> {
  const read = await reader.query('keyUse', { keyId, fromMs })
  if (!read.ok) return read
  const of = (name: string): number => Number(read.value[0]?.[name] ?? 0)
  return ok({
    requests: of('requests'),
    inputTokens: of('input_tokens'),
    cacheReadTokens: of('cache_read_tokens'),
    outputTokens: of('output_tokens'),
  })
}
