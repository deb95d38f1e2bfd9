import type { Database, Statement } from 'bun:sqlite'
import type { Row, SqlValue } from '../../db/query-book.ts'
import type { RouteVia } from '../record.ts'
import { QUARTER_MS, startOf } from './rollup-span.ts'
import { type Bins, binOf, sumOfBins, writeBins } from '../../core/spread.ts'

/** What attempts add up to, by the column of `rollup_steps`. `requests`: each once, with the first attempt that it made by the step. */
export const STEP_SUMS = [
  'requests',
  'attempts',
  'input_uncached',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'reasoning',
  'cost_nano',
  'cost_unknown',
] as const

/** Of answers alone. */
export const STEP_SPREADS = { latency: 'ms_total', first_token: 'ms_first_token' } as const

/** Other rules are not reported by their targets. */
const CHAIN_PREFIX = 'chn_'

interface StepTally {
  readonly key: readonly [atMs: number, chainId: string, stepId: string, failure: string]
  readonly sums: number[]
  readonly spreads: readonly Bins[]
}

/**
 * Adds the attempts of finished requests to the sums of the chains' steps that led to them, whichever step it was in the end that
 * answered. Call within the transaction that marks the requests as `counted`.
 */
export class StepRollups {
  readonly #read: Statement<Row, [string]>
  readonly #find: Statement<Row, SqlValue[]>
  readonly #put: Statement<unknown, SqlValue[]>

  constructor(database: Database) {
    this.#read = database.prepare(READ)
    this.#find = database.prepare(FIND)
    this.#put = database.prepare(PUT)
  }

  count(seqs: readonly number[]): void {
    for (const tally of this.#gather(seqs).values()) this.#write(tally)
  }

  /** `change` alters rows that are counted: the sums follow it, what was measured of them does not. */
  recount(seqs: readonly number[], change: () => void): void {
    const before = this.#gather(seqs)
    change()
    for (const [name, { key, sums }] of this.#gather(seqs)) {
      const more = sums.map((sum, at) => sum - (before.get(name)?.sums[at] ?? 0))
      if (more.some((amount) => amount !== 0)) this.#write({ key, sums: more, spreads: [] })
    }
  }

  #gather(seqs: readonly number[]): ReadonlyMap<string, StepTally> {
    const tallies = new Map<string, StepTally>()
    const met = new Set<string>()
    for (const row of this.#read.all(JSON.stringify(seqs))) {
      for (const { rule, target } of chainsOf(row)) {
        const visit = `${String(row['request_seq'])} ${rule} ${target}`
        add(tallyOf(tallies, row, rule, target), row, !met.has(visit))
        met.add(visit)
      }
    }
    return tallies
  }

  #write({ key, sums, spreads }: StepTally): void {
    const before = this.#find.get(...key)
    const texts = SPREAD_NAMES.map((name, at) => {
      const text = writeBins(spreads[at] ?? new Map())
      return before === null ? text : sumOfBins(String(before[name]), text)
    })
    this.#put.run(...key, ...sums, ...texts)
  }
}

const SPREAD_NAMES = Object.keys(STEP_SPREADS)
const KEYS = ['at_ms', 'chain_id', 'step_id', 'failure'] as const
const COLUMNS = [...KEYS, ...STEP_SUMS, ...SPREAD_NAMES]

const READ = `SELECT requests.at_ms AS request_ms, attempts.*, coalesce(attempts.cost_source = 'unknown', 0) AS cost_unknown
  FROM attempts JOIN requests ON requests.seq = attempts.request_seq
  WHERE attempts.request_seq IN (SELECT value FROM json_each(?)) AND attempts.via IS NOT NULL AND attempts.ms_total IS NOT NULL
  ORDER BY attempts.request_seq, attempts.position`
const FIND = `SELECT ${SPREAD_NAMES.join()} FROM rollup_steps WHERE ${KEYS.map((name) => `${name} = ?`).join(' AND ')}`
const PUT = `INSERT INTO rollup_steps (${COLUMNS.join()}) VALUES (${COLUMNS.map(() => '?').join()})
  ON CONFLICT (${KEYS.join()}) DO UPDATE SET ${STEP_SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join()},
  ${SPREAD_NAMES.map((name) => `${name} = excluded.${name}`).join()}`

function chainsOf(row: Row): readonly RouteVia[] {
  const via: readonly RouteVia[] = JSON.parse(String(row['via']))
  return via.filter(({ rule }) => rule.startsWith(CHAIN_PREFIX))
}

function tallyOf(tallies: Map<string, StepTally>, row: Row, chainId: string, stepId: string): StepTally {
  const atMs = startOf(Number(row['request_ms']), QUARTER_MS)
  const key = [atMs, chainId, stepId, String(row['failure'] ?? '')] as const
  const name = JSON.stringify(key)
  const known = tallies.get(name)
  if (known !== undefined) return known
  const tally = { key, sums: STEP_SUMS.map(() => 0), spreads: SPREAD_NAMES.map((): Bins => new Map()) }
  tallies.set(name, tally)
  return tally
}

function add({ sums, spreads }: StepTally, row: Row, isFirst: boolean): void {
  const ones: Row = { requests: isFirst ? 1 : 0, attempts: 1 }
  for (const [at, name] of STEP_SUMS.entries()) sums[at] = (sums[at] ?? 0) + Number(ones[name] ?? row[name])
  if (row['failure'] !== null) return
  for (const [at, column] of Object.values(STEP_SPREADS).entries()) {
    const value = row[column]
    const bins = spreads[at]
    if (typeof value === 'number' && bins !== undefined) bins.set(binOf(value), (bins.get(binOf(value)) ?? 0) + 1)
  }
}
