/** What became of a chain's steps, read from the ledger in the reader's thread. */
import type { NanoUsd } from '../../core/money.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { RuleTarget } from '../../routing/rule.ts'
import type { TimeRange } from '../usage/range.ts'
import { percentilesFrom } from '../usage/latencies.ts'
import { readRows } from '../usage/read-rows.ts'
import { integer, text } from '../usage/row.ts'
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

/** The chain's steps in their order, then those that it had and that answered in the range. Refusal: `unavailable`. */
export async function usageOfSteps(
  reader: Reader<ChainQuery>,
  chain: { readonly id: string; readonly steps: readonly RuleTarget[] },
  { fromMs, toMs }: TimeRange,
): Promise<Result<readonly StepUsage[], Refusal>> {
  const rows = await readRows(reader, 'chainSteps', { chainId: chain.id, fromMs, toMs })
  if (!rows.ok) return rows
  const found = Map.groupBy(rows.value, (row) => text(row, 'step'))
  const ids = new Set([...chain.steps.map(({ id }) => id), ...found.keys()])
  const answers = attemptsOf(rows.value.filter(isAnswer))
  return ok(
    [...ids].map((id) => ({
      id,
      model: chain.steps.find((step) => step.id === id)?.model ?? null,
      ...countsFrom(found.get(id) ?? [], answers),
    })),
  )
}

/** `rows`: of one step, each of another kind of failure or of answers. */
function countsFrom(rows: readonly Row[], answersOfAll: number): Omit<StepUsage, 'id' | 'model'> {
  const sum = (name: string): number => rows.reduce((total, row) => total + integer(row, name), 0)
  const answers = rows.filter(isAnswer)
  const input = sum('input_uncached') + sum('cache_read') + sum('cache_write_5m') + sum('cache_write_1h')
  return {
    requests: sum('requests'),
    attempts: attemptsOf(rows),
    ok: attemptsOf(answers),
    failed: failuresFrom(rows),
    tokens: { input, cacheRead: sum('cache_read'), output: sum('output'), reasoning: sum('reasoning') },
    costNano: sum('cost_nano'),
    costUnknown: sum('cost_unknown'),
    latencyMs: spreadFrom(answers, 'latency'),
    firstTokenMs: spreadFrom(answers, 'first_token'),
    share: answersOfAll === 0 ? null : attemptsOf(answers) / answersOfAll,
  }
}

function isAnswer(row: Row): boolean {
  return row['failure'] === ''
}

function attemptsOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + integer(row, 'attempts'), 0)
}

function failuresFrom(rows: readonly Row[]): Readonly<Record<string, number>> {
  const failed = rows.filter((row) => !isAnswer(row))
  return Object.fromEntries(failed.map((row) => [text(row, 'failure'), integer(row, 'attempts')]))
}

/** `rows`: the one of answers, if there are any. */
function spreadFrom([row = {}]: readonly Row[], name: string): Spread {
  const { p50, p95 } = percentilesFrom(row, name)
  return { p50, p95 }
}
