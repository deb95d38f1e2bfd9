import type { Database, Statement } from 'bun:sqlite'
import { getTableName } from 'drizzle-orm'
import { isNothing, NOTHING, plus } from './amounts.ts'
import type { Crossing } from './counter.ts'
import type { AttemptClosed, CounterRef } from '../record.ts'
import { whole } from '../row.ts'
import type { KnownRule, StoredCell } from './spend-records.ts'
import { spendClock, spendCounters, spendRules } from './spend-table.ts'
import type { Amounts } from './spending.ts'

/** As queries name them. */
export const COUNTERS = getTableName(spendCounters)
export const RULES = getTableName(spendRules)
export const CLOCK = getTableName(spendClock)

/** How an insert adds to counters that are there. */
export const ADDED_UP = `ON CONFLICT (name, start_ms) DO UPDATE SET
  cost_nano = cost_nano + excluded.cost_nano, tokens = tokens + excluded.tokens, requests = requests + excluded.requests`

/** What an attempt came to, by the figures of its row. */
export function spentBy({ usage, costNano, state }: Pick<AttemptClosed, 'usage' | 'costNano' | 'state'>): Amounts {
  const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage
  const counts = [inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output]
  const tokens = counts.reduce((sum, count) => sum + whole(count), 0)
  return { costNano: whole(costNano), tokens, requests: state === 'released' ? 0 : 1 }
}

/** What one batch adds to counters, summed up, so that each is written once. */
export class CounterSums {
  readonly #sums = new Map<string, { readonly ref: CounterRef; spent: Amounts }>()

  add(refs: readonly CounterRef[], spent: Amounts): void {
    if (isNothing(spent)) return
    for (const ref of refs) {
      const name = `${ref[0]} ${ref[1]}`
      const sum = this.#sums.get(name) ?? { ref, spent: NOTHING }
      sum.spent = plus(sum.spent, spent)
      this.#sums.set(name, sum)
    }
  }

  [Symbol.iterator](): IterableIterator<{ readonly ref: CounterRef; readonly spent: Amounts }> {
    return this.#sums.values()
  }
}

/** The statements about counters and rules, on the one connection that writes the ledger; called within its transactions. */
export class SpendStatements {
  readonly #add: Statement
  readonly #cross: Statement
  readonly #drop: Statement
  readonly #begin: Statement
  readonly #filled: Statement
  readonly #forget: Statement
  readonly #prune: Statement
  readonly #tick: Statement

  constructor(database: Database) {
    this.#add = database.prepare(ADD)
    this.#cross = database.prepare(CROSS)
    this.#drop = database.prepare(DROP)
    this.#begin = database.prepare(BEGIN)
    this.#filled = database.prepare(`UPDATE ${RULES} SET filled = 1 WHERE rule_id = ? AND name = ?`)
    this.#forget = database.prepare(`DELETE FROM ${RULES} WHERE rule_id = ?`)
    this.#prune = database.prepare(`DELETE FROM ${COUNTERS} WHERE counts_until_ms <= ?`)
    this.#tick = database.prepare(TICK)
  }

  add([name, startMs, countsUntilMs]: CounterRef, { costNano, tokens, requests }: Amounts): void {
    this.#add.run(name, startMs, countsUntilMs, costNano, tokens, requests)
  }

  crossed([name, startMs, countsUntilMs]: CounterRef, { threshold, atMs }: Crossing): void {
    this.#cross.run(name, startMs, countsUntilMs, threshold, atMs)
  }

  /** What the rule counted under another name until now is gone. */
  begin(ruleId: string, { source, shape, name }: KnownRule): void {
    this.#drop.run(ruleId)
    this.#begin.run(ruleId, source, shape, name)
  }

  filled(ruleId: string, name: string, cells: readonly StoredCell[]): void {
    for (const { ref, spent } of cells) this.add(ref, spent)
    this.#filled.run(ruleId, name)
  }

  forget(ruleId: string): void {
    this.#drop.run(ruleId)
    this.#forget.run(ruleId)
  }

  /** Periods that no longer count at `nowMs`. */
  prune(nowMs: number): void {
    this.#prune.run(nowMs)
  }

  tick(highestMs: number): void {
    this.#tick.run(highestMs)
  }
}

const ADD = `INSERT INTO ${COUNTERS} (name, start_ms, counts_until_ms, cost_nano, tokens, requests)
  VALUES (?, ?, ?, ?, ?, ?) ${ADDED_UP}`

const CROSS = `INSERT INTO ${COUNTERS} (name, start_ms, counts_until_ms, crossed, crossed_at_ms) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name, start_ms) DO UPDATE SET crossed = excluded.crossed, crossed_at_ms = excluded.crossed_at_ms`

const NAME = `(SELECT name FROM ${RULES} WHERE rule_id = ?1)`
/** The rule's own counter, and those of single keys, whose names have a dot behind its; a slash is what comes after a dot. */
const DROP = `DELETE FROM ${COUNTERS} WHERE name = ${NAME} OR (name > ${NAME} || '.' AND name < ${NAME} || '/')`

const BEGIN = `INSERT INTO ${RULES} (rule_id, source, shape, name, filled) VALUES (?, ?, ?, ?, 0)
  ON CONFLICT (rule_id) DO UPDATE SET source = excluded.source, shape = excluded.shape, name = excluded.name, filled = 0`

const TICK = `INSERT INTO ${CLOCK} (id, highest_ms) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET highest_ms = max(highest_ms, excluded.highest_ms)`
