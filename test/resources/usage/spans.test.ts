/** A range is read from whatever spans make it up; what they say is what counting says, however far the keeper has come. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { DAY_MS } from '../../../src/core/duration.ts'
import { LocalReader } from '../../../src/db/reader.ts'
import { Rollups } from '../../../src/ledger/rollup/rollup.ts'
import { OCTAVE_MS, QUARTER_MS, STRETCH_MS } from '../../../src/ledger/rollup/rollup-span.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { usageQueries } from '../../../src/resources/usage/queries.ts'
import { UsageStore } from '../../../src/resources/usage/store.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { type Dashboard, makeDashboard, value } from '../../support/dashboard.ts'

const DAYS = 30
const QUARTERS = (DAYS * DAY_MS) / QUARTER_MS
const ORIGIN_MS = 20_000 * DAY_MS
const TABLES = ['rollup_parts', 'rollup_crosses']

interface Made {
  readonly quarter: number
  readonly key: string
}

const someMade = fc.array(
  fc.record({ quarter: fc.integer({ min: 0, max: QUARTERS - 1 }), key: fc.constantFrom('key_1', 'key_2') }),
  { maxLength: 40 },
)
/** How many sums the keeper folds before it is stopped. */
const folds = fc.integer({ min: 0, max: 300 })

/** Within a range that begins and ends with quarters, of which a key has some. */
function countedIn(made: readonly Made[], from: number, to: number) {
  const found = made.filter(({ quarter }) => quarter >= from && quarter < to)
  return { all: found.length, ofKey: found.filter(({ key }) => key === 'key_1').length }
}

class Ledger {
  readonly #database
  readonly #writer
  readonly #store
  #requests = 0

  constructor({ clock, log, databases }: Dashboard) {
    this.#database = databases.telemetry.$client
    this.#writer = new LedgerWriter(this.#database, { clock, log, checkpoint: () => undefined })
    this.#store = new UsageStore(new LocalReader(this.#database, usageQueries))
  }

  empty(): void {
    for (const table of ['requests', ...TABLES]) this.#database.run(`DELETE FROM ${table}`)
  }

  write(made: readonly Made[]): void {
    for (const { quarter, key } of made) {
      const id = `req_${this.#requests++}`
      this.#writer.openRequest(requestOpened({ id, atMs: ORIGIN_MS + quarter * QUARTER_MS, keyId: key }))
      this.#writer.closeRequest(requestClosed({ id }))
    }
    this.#writer.flush()
  }

  fold(untilQuarter: number, sums: number): void {
    new Rollups(this.#database).fold(ORIGIN_MS + untilQuarter * QUARTER_MS, sums)
  }

  /** As a version that had only days would have left it. */
  forgetNewSpans(): void {
    for (const table of TABLES) {
      this.#database.run(`DELETE FROM ${table} WHERE span_ms IN (${STRETCH_MS}, ${OCTAVE_MS})`)
      this.#database.run(`UPDATE ${table} SET settled = 0`)
      this.#database.run(`UPDATE ${table} SET folded = 0 WHERE span_ms = ${DAY_MS}`)
    }
  }

  async read(from: number, to: number) {
    const range = { fromMs: ORIGIN_MS + from * QUARTER_MS, toMs: ORIGIN_MS + to * QUARTER_MS - 1 }
    const all = value(await this.#store.measure({}, range)).requests
    const ofKey = value(await this.#store.measure({ keyId: 'key_1', provider: 'anthropic' }, range)).requests
    return { all, ofKey }
  }
}

test('the spans of a range say what counting says, whatever is folded, late or of an earlier version', async () => {
  const ledger = new Ledger(await makeDashboard())
  const quarter = fc.integer({ min: 0, max: QUARTERS })
  await fc.assert(
    fc.asyncProperty(
      someMade,
      someMade,
      fc.record({ until: quarter, sums: folds, isOld: fc.boolean(), again: folds }),
      fc.tuple(quarter, quarter).filter(([from, to]) => from <= to),
      async (early, late, { until, sums, isOld, again }, [from, to]) => {
        ledger.empty()
        ledger.write(early)
        ledger.fold(until, sums)
        if (isOld) ledger.forgetNewSpans()
        ledger.write(late)
        ledger.fold(QUARTERS, again)
        const expected = countedIn([...early, ...late], from, to)
        expect(await ledger.read(from, to)).toEqual(expected)
      },
    ),
    { numRuns: 150 },
  )
})

test('a range in which nothing can be is empty, as `today` is compared with just after midnight', async () => {
  const ledger = new Ledger(await makeDashboard())
  ledger.write([{ quarter: 8, key: 'key_1' }])
  expect(await ledger.read(8, 9)).toEqual({ all: 1, ofKey: 1 })
  expect(await ledger.read(8, 8)).toEqual({ all: 0, ofKey: 0 })
})
