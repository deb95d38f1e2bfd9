/**
 * What every key of the suite is held to: all limits of a plan and budgets that refuse, none of which is in the way of anything.
 * So whatever a fault leaves behind it – money set aside, a place that nobody gives back – can be seen, and is looked for.
 */
import { expect } from 'bun:test'
import type { Operator } from '../support/operator.ts'
import type { Key, Row, Stand } from './stand.ts'

/** Nobody gets near these amounts. */
const USD = 1_000_000
const MANY = 1_000_000_000
/** At most so many keys are read with one request. */
const PAGE = 100

/** What the models of the suite cost, in dollars per million tokens. */
export const PRICE = { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 } as const
/** What they may say at most. */
export const OUTPUT_TOKENS_MAX = 4_096

const LIMITS = {
  rpm: MANY,
  rpd: MANY,
  tpm: MANY,
  tpd: MANY,
  max_input_tokens: MANY,
  max_output_tokens: OUTPUT_TOKENS_MAX,
  budget_usd: USD,
  budget_period: 'total',
} as const

/** A place that is not given back keeps the next request out. */
const PLAN = { name: 'everything is limited', is_default: true, ...LIMITS, max_concurrency: 1 } as const
const BUDGET = { action: 'block', period: 'total' } as const

interface Amounts {
  readonly cost_usd: number
  readonly tokens: number
  readonly requests: number
}

interface Counter {
  readonly spent: Amounts
  readonly reserved: Amounts
}

interface SpentKey {
  readonly id: string
  readonly spend_usd: number
  readonly budget: { readonly spent_usd: number; readonly reserved_usd: number }
}

const NOTHING: Amounts = { cost_usd: 0, tokens: 0, requests: 0 }

/** Keys that are made from now on are limited in every way. */
export async function limitEverything(operator: Operator): Promise<void> {
  const { id } = await operator.create('/v1/plans', PLAN)
  const shared = { amount_usd: USD, amount_tokens: MANY, amount_requests: MANY }
  await operator.create('/v1/budgets', { name: 'all', scope: 'global', ...BUDGET, ...shared })
  const own = { scope: 'plan', scope_id: id, each: true, reserve: 'strict', amount_usd: USD }
  await operator.create('/v1/budgets', { name: 'each', ...BUDGET, ...own })
}

/** `rows`: all that has been asked with the key; they are over. What is said to the program itself costs nothing. */
export async function expectNothingHeld(stand: Stand, key: Key, rows: readonly Row[]): Promise<void> {
  const counters = await stand.operator.read<readonly Counter[]>(`/v1/budgets/status?key_id=${key.id}`)
  const cost = rows.reduce((sum, row) => sum + row.cost_usd, 0)
  for (const { reserved } of counters) expect(reserved).toEqual(NOTHING)
  expect(counters.reduce((sum, { spent }) => sum + spent.cost_usd, 0)).toBeCloseTo(cost, 9)
  expect(await stand.echo(key)).toBe(200)
}

/** Of everything together, and of every key by its own amount. */
export async function expectNothingHeldByAnyone({ operator }: Stand): Promise<void> {
  const counters = await operator.read<readonly Counter[]>('/v1/budgets/status?q=all')
  const { cost_usd } = await operator.read<{ cost_usd: number }>('/v1/usage?range=24h')
  expect(counters.map(({ reserved }) => reserved)).toEqual([NOTHING])
  expect(counters[0]?.spent.cost_usd).toBeCloseTo(cost_usd, 9)
  for (const { id, spend_usd, budget } of await allKeys(operator))
    expect({ id, ...budget }).toMatchObject({ id, reserved_usd: 0, spent_usd: spend_usd })
}

async function allKeys(operator: Operator, offset = 0): Promise<readonly SpentKey[]> {
  const keys = await operator.read<readonly SpentKey[]>(`/v1/keys?limit=${PAGE}&offset=${offset}`)
  return keys.length < PAGE ? keys : [...keys, ...(await allKeys(operator, offset + PAGE))]
}
