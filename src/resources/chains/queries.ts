import type { QueryBook } from '../../db/query-book.ts'
import { STEP_SPREADS, STEP_SUMS } from '../../ledger/rollup/rollup-steps.ts'

const SUMS = STEP_SUMS.map((name) => `sum(${name}) AS ${name}`)
const SPREAD_NAMES = Object.keys(STEP_SPREADS)
const SPREADS = SPREAD_NAMES.map((name) => `group_concat(${name}, '') AS ${name}`)

/** All that this resource asks of the ledger: what became of a chain's steps in the quarters of an hour that begin in a range. */
export const chainQueries = {
  chainSteps: {
    sql: `SELECT step_id AS step, failure, ${[...SUMS, ...SPREADS].join()} FROM rollup_steps
      WHERE chain_id = $chainId AND at_ms BETWEEN $fromMs AND $toMs GROUP BY step_id, failure`,
    spreads: SPREAD_NAMES,
  },
} satisfies QueryBook

export type ChainQuery = keyof typeof chainQueries
