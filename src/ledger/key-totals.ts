/** What keys have used in all finished requests: kept beside the requests, so that it outlives them. */
import type { Database } from 'bun:sqlite'
import { getTableName } from 'drizzle-orm'
import type { NanoUsd } from '../core/money.ts'
import { keyTotals } from './table.ts'

const TOTALS = getTableName(keyTotals)

export interface KeyTotals {
  readonly requests: number
  readonly costNano: NanoUsd
  readonly lastUsedMs: number
}

export function sumOfTotals(a: KeyTotals, b: KeyTotals): KeyTotals {
  return {
    requests: a.requests + b.requests,
    costNano: a.costNano + b.costNano,
    lastUsedMs: Math.max(a.lastUsedMs, b.lastUsedMs),
  }
}

/** A finished request; that of no key counts nowhere. */
export function countIn(
  added: Map<string, KeyTotals>,
  { keyId, atMs }: { readonly keyId: string | null; readonly atMs: number },
  costNano: NanoUsd,
): void {
  if (keyId === null) return
  const one = { requests: 1, costNano, lastUsedMs: atMs }
  const before = added.get(keyId)
  added.set(keyId, before === undefined ? one : sumOfTotals(before, one))
}

export const ADD_TOTALS = `INSERT INTO ${TOTALS} (key_id, requests, cost_nano, last_used_ms) VALUES (?, ?, ?, ?)
  ON CONFLICT (key_id) DO UPDATE SET requests = requests + excluded.requests, cost_nano = cost_nano + excluded.cost_nano,
  last_used_ms = max(last_used_ms, excluded.last_used_ms)`

interface TotalsRow {
  readonly key_id: string
  readonly requests: number
  readonly cost_nano: number
  readonly last_used_ms: number
}

/** Of all keys, by id. */
export function readTotals(database: Database): Map<string, KeyTotals> {
  const rows = database.query<TotalsRow, []>(`SELECT key_id, requests, cost_nano, last_used_ms FROM ${TOTALS}`).all()
  return new Map(
    rows.map((row) => [row.key_id, { requests: row.requests, costNano: row.cost_nano, lastUsedMs: row.last_used_ms }]),
  )
}
