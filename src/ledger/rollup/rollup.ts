/**
 * Sums of finished requests, so that no report has to read requests: what they are told apart by, the statements that add to them,
 * and how finer ones are folded into coarser ones. Nothing here decides what is removed. Invariant: each request is in the sums once,
 * from the transaction on that marks its row as counted.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { Row } from '../../db/query-book.ts'
import { OTHER, RollupNames } from './rollup-names.ts'
import { COURSE_MS, QUARTER_MS, startOf } from './rollup-span.ts'
import { CourseStatements, SpanStatements } from './rollup-statements.ts'
import { rollupCrosses, rollupParts } from './rollup-table.ts'
import { StepRollups } from './rollup-steps.ts'
import { type Amounts, SPREADS, SPREAD_KINDS, SUM_NAMES, SUMS, Tally } from './tally.ts'

/** What usage is broken down by. A request is in one part of each kind that it has a word for; in one for each of its tags. */
export const PART_KINDS = [
  'model',
  'provider',
  'account',
  'key',
  'plan',
  'chain',
  'endpoint',
  'client',
  'tag',
  'error',
] as const
export type PartKind = (typeof PART_KINDS)[number]

const PART_COLUMNS = ['kind', 'name'] as const
type PartKey = readonly [kind: PartKind, name: string]
const CROSS_COLUMNS = ['key_id', 'plan_id', 'chain_id', 'provider', 'model', 'failure'] as const
type CrossKey = readonly [string, string, string, string, string, string]

/** Where the amounts of one batch go, by what they are of. */
interface Gathered<Key> {
  readonly key: Key
  readonly atMs: number
  readonly tally: Tally
}

/**
 * Adds finished requests to the sums. Everything about them is read back from their rows, so that live traffic, what a crash left
 * and rows of earlier versions are counted by one piece of code. Call within the transaction that marks the rows as `counted`.
 */
export class Rollups {
  readonly #read: Statement<Row, [string]>
  readonly #course: CourseStatements
  readonly #parts: SpanStatements
  readonly #crosses: SpanStatements
  readonly #steps: StepRollups
  readonly #names: RollupNames

  constructor(database: Database) {
    this.#read = database.prepare(READ)
    this.#course = new CourseStatements(database)
    this.#parts = new SpanStatements(database, rollupParts, PART_COLUMNS)
    this.#crosses = new SpanStatements(database, rollupCrosses, CROSS_COLUMNS)
    this.#steps = new StepRollups(database)
    this.#names = new RollupNames(database)
  }

  /** Those with these numbers, which must be finished and not counted before. */
  count(seqs: readonly number[]): void {
    if (seqs.length === 0) return
    const batch = this.#gather(seqs)
    for (const { atMs, tally } of batch.course.values()) this.#course.add(atMs, tally)
    for (const { key, atMs, tally } of batch.parts.values()) this.#parts.add(key, atMs, tally)
    for (const { key, atMs, tally } of batch.crosses.values()) this.#crosses.add(key, atMs, tally)
    this.#steps.count(seqs)
  }

  /** `change` alters rows that are counted: the sums follow it, what was measured of them does not. */
  recount(seqs: readonly number[], change: () => void): void {
    const before = this.#gather(seqs)
    this.#steps.recount(seqs, change)
    const after = this.#gather(seqs)
    for (const { atMs, tally } of differences(before.course, after.course)) this.#course.add(atMs, tally)
    for (const { key, atMs, tally } of differences(before.parts, after.parts)) this.#parts.add(key, atMs, tally)
    for (const { key, atMs, tally } of differences(before.crosses, after.crosses)) this.#crosses.add(key, atMs, tally)
  }

  #gather(seqs: readonly number[]): Batch {
    const batch = new Batch(this.#names)
    for (const { row, tally } of alike(this.#read.all(JSON.stringify(seqs)))) batch.add(row, tally)
    return batch
  }

  /** Adds at most `limit` sums of spans that were over at a moment to those of larger spans; returns how many. */
  fold(overMs: number, limit: number): number {
    const folded = this.#parts.fold(overMs, limit)
    return folded + this.#crosses.fold(overMs, limit - folded)
  }
}

/** What a row has of all that sums are told apart by, but for its failure and the time. */
const WORDS = ['key_id', 'plan_id', 'chain_id', 'provider', 'account_id', 'model_used', 'endpoint', 'client', 'tags']

const READ = `SELECT at_ms, ${WORDS.join()},
  iif(status <> 'ok', error_class, NULL) AS failure,
  ${Object.entries(SUMS).map(([name, value]) => `${value} AS sum_${name}`)},
  ${Object.entries(SPREADS).map(([name, value]) => `${value} AS spread_${name}`)}
  FROM requests WHERE seq IN (SELECT value FROM json_each(?))`

interface Alike {
  readonly row: Row
  readonly tally: Tally
}

/** What goes into the same sums, put together first: most of a busy moment is few clients asking for the same. */
function alike(rows: readonly Row[]): Iterable<Alike> {
  const found = new Map<string, Alike>()
  for (const row of rows) {
    const words = [...WORDS.map((column) => row[column]), row['failure']]
    const name = JSON.stringify([startOf(Number(row['at_ms']), COURSE_MS), words])
    let some = found.get(name)
    if (some === undefined) found.set(name, (some = { row, tally: new Tally() }))
    some.tally.add(amountsOf(row))
  }
  return found.values()
}

/** The sums of some requests, put together before they are written: a busy moment changes few places. */
class Batch {
  readonly course = new Map<string, Gathered<null>>()
  readonly parts = new Map<string, Gathered<PartKey>>()
  readonly crosses = new Map<string, Gathered<CrossKey>>()
  readonly #names: RollupNames

  constructor(names: RollupNames) {
    this.#names = names
  }

  /** `row`: one of those that `tally` adds up; all go into the same sums. */
  add(row: Row, tally: Tally): void {
    const atMs = Number(row['at_ms'])
    const quarterMs = startOf(atMs, QUARTER_MS)
    put(this.course, null, startOf(atMs, COURSE_MS), tally)
    for (const [kind, name] of partsOf(row)) {
      put(this.parts, [kind, this.#names.admit(quarterMs, kind, name)], quarterMs, tally)
    }
    put(this.crosses, this.#crossOf(row, quarterMs), quarterMs, tally)
  }

  #crossOf(row: Row, quarterMs: number): CrossKey {
    const [provider, model] = [word(row, 'provider'), word(row, 'model_used')]
    const isAdmitted = model === '' || this.#names.admit(quarterMs, 'model', `${provider}/${model}`) !== OTHER
    const named = isAdmitted ? model : OTHER
    return [word(row, 'key_id'), word(row, 'plan_id'), word(row, 'chain_id'), provider, named, word(row, 'failure')]
  }
}

/** What the sums of one and the same requests have become more, or less; where nothing has, nothing. */
function differences<Key>(
  before: ReadonlyMap<string, Gathered<Key>>,
  after: ReadonlyMap<string, Gathered<Key>>,
): readonly Gathered<Key>[] {
  return [...after].flatMap(([name, { key, atMs, tally }]) => {
    const change = tally.changeSince(before.get(name)?.tally)
    return change.isNothing ? [] : [{ key, atMs, tally: change }]
  })
}

function put<Key>(into: Map<string, Gathered<Key>>, key: Key, atMs: number, tally: Tally): void {
  const name = `${atMs} ${JSON.stringify(key)}`
  let gathered = into.get(name)
  if (gathered === undefined) into.set(name, (gathered = { key, atMs, tally: new Tally() }))
  gathered.tally.addAll(tally)
}

function amountsOf(row: Row): Amounts {
  return {
    sums: SUM_NAMES.map((name) => Number(row[`sum_${name}`])),
    values: SPREAD_KINDS.map((name) => {
      const value = row[`spread_${name}`]
      return typeof value === 'number' ? value : null
    }),
  }
}

function partsOf(row: Row): readonly PartKey[] {
  const [provider, model] = [word(row, 'provider'), word(row, 'model_used')]
  const parts: readonly PartKey[] = [
    ['model', model === '' ? '' : `${provider}/${model}`],
    ['provider', provider],
    ['account', word(row, 'account_id')],
    ['key', word(row, 'key_id')],
    ['plan', word(row, 'plan_id')],
    ['chain', word(row, 'chain_id')],
    ['endpoint', word(row, 'endpoint')],
    ['client', word(row, 'client')],
    ['error', word(row, 'failure')],
  ]
  return [...parts.filter(([, name]) => name !== ''), ...tagsOf(row)]
}

function tagsOf(row: Row): readonly PartKey[] {
  const tags: Readonly<Record<string, unknown>> = JSON.parse(word(row, 'tags') || '{}')
  return Object.entries(tags).map(([name, value]): PartKey => ['tag', `${name}=${String(value)}`])
}

function word(row: Row, column: string): string {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}
