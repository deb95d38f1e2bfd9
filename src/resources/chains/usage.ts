/** What became of a chain's steps, read from the ledger in the reader's thread. */
import { assert } from '../../core/assert.ts'
import type { NanoUsd } from '../../core/money.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Params, Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'
import type { RuleTarget } from '../../routing/rule.ts'
import type { TimeRange } from '../usage/range.ts'
import { integer, integerOrNull, text } from '../usage/row.ts'
import type { ChainQuery } from './queries.ts'

export interface StepUsage {
  readonly id: string
  /** Null for a step that the chain no longer has. */
  readonly model: string | null
  /** Requests that tried the step. */
  readonly requests: number
  readonly attempts: number
  readonly ok: number
  /** Attempts by the kind of their failure. */
  readonly failed: Readonly<Record<string, number>>
  readonly tokens: StepTokens
  readonly costNano: NanoUsd
  /** Attempts whose price is not known. */
  readonly costUnknown: number
  readonly latencyMs: Spread
  readonly firstTokenMs: Spread
  /** Of all answers of the chain, 0 to 1; null when there are none. */
  readonly share: number | null
}

export interface StepTokens {
  readonly input: number
  readonly cacheRead: number
  readonly output: number
  readonly reasoning: number
}

export interface Spread {
  readonly p50: number | null
  readonly p95: number | null
}

/** After so long the reader has most likely caught up, or has a new thread. */
const RETRY_AFTER_MS = 2_000

/** The chain's steps in their order, then those that it had and that answered in the range. Refusal: `unavailable`. */
export async function usageOfSteps(
  reader: Reader<ChainQuery>,
  chain: { readonly id: string; readonly steps: readonly RuleTarget[] },
  { fromMs, toMs }: TimeRange,
): Promise<Result<readonly StepUsage[], Refusal>> {
  const ask = (name: ChainQuery) => read(reader, name, { chainId: chain.id, fromMs, toMs })
  const [steps, failures, spreads] = await Promise.all([ask('chainSteps'), ask('chainFailures'), ask('chainSpreads')])
  if (!steps.ok) return steps
  if (!failures.ok) return failures
  if (!spreads.ok) return spreads
  const found = new Map(steps.value.map((row) => [text(row, 'step'), row]))
  const ids = new Set([...chain.steps.map(({ id }) => id), ...found.keys()])
  const answers = steps.value.reduce((sum, row) => sum + integer(row, 'ok'), 0)
  return ok(
    [...ids].map((id) => ({
      id,
      model: chain.steps.find((step) => step.id === id)?.model ?? null,
      ...countsFrom(found.get(id), answers),
      failed: failuresFrom(failures.value.filter((row) => row['step'] === id)),
      latencyMs: spreadFrom(spreads.value, 'latency', id),
      firstTokenMs: spreadFrom(spreads.value, 'first_token', id),
    })),
  )
}

async function read(
  reader: Reader<ChainQuery>,
  name: ChainQuery,
  params: Params,
): Promise<Result<readonly Row[], Refusal>> {
  const rows = await reader.query(name, params)
  if (rows.ok) return rows
  assert(rows.error.kind !== 'broken', `the query ${name} is sound: ${rows.error.message}`)
  return err(refusal('unavailable', 'reports cannot be made right now; try again', { retryAfterMs: RETRY_AFTER_MS }))
}

function countsFrom(row: Row | undefined, answers: number) {
  const count = (name: string): number => (row === undefined ? 0 : integer(row, name))
  const input = count('input_uncached') + count('cache_read') + count('cache_write_5m') + count('cache_write_1h')
  return {
    requests: count('requests'),
    attempts: count('attempts'),
    ok: count('ok'),
    tokens: { input, cacheRead: count('cache_read'), output: count('output'), reasoning: count('reasoning') },
    costNano: count('cost_nano'),
    costUnknown: count('cost_unknown'),
    share: answers === 0 ? null : count('ok') / answers,
  }
}

function failuresFrom(rows: readonly Row[]): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.map((row) => [text(row, 'failure'), integer(row, 'attempts')]))
}

function spreadFrom(rows: readonly Row[], kind: string, step: string): Spread {
  const row = rows.find((one) => one['kind'] === kind && one['step'] === step)
  return { p50: row ? integerOrNull(row, 'p50') : null, p95: row ? integerOrNull(row, 'p95') : null }
}
