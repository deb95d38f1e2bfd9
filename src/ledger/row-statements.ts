import type { Database, Statement } from 'bun:sqlite'
import { getTableName, type Table } from 'drizzle-orm'
import type { SqlValue } from '../db/query-book.ts'
import type { Columns } from './row.ts'

/** What has been said about one row since it was last written. At least one of the two is there. */
export interface Change<Opened, Closed> {
  readonly opened?: Opened | undefined
  readonly closed?: Closed | undefined
}

interface RowSpec<Opened, Closed> {
  readonly table: Table
  readonly key: readonly string[]
  /** States only go forward: a row that does not meet this is not closed again. */
  readonly unfinished: string
  readonly opened: Columns<Opened>
  readonly closed: Columns<Closed>
}

/**
 * Opens and closes the rows of a table. Its key columns come first among the parameters of an insert, and last among those of an
 * update.
 */
export class RowStatements<Opened, Closed> {
  readonly #readOpened: readonly ((record: Opened) => SqlValue)[]
  /** Of what is opened, all that closing leaves as it is. */
  readonly #readLasting: readonly ((record: Opened) => SqlValue)[]
  readonly #readClosed: readonly ((record: Closed) => SqlValue)[]
  readonly #insertOpened: Statement<unknown, SqlValue[]>
  readonly #insertWhole: Statement<unknown, SqlValue[]>
  readonly #close: Statement<unknown, SqlValue[]>

  constructor(database: Database, { table, key, unfinished, opened, closed }: RowSpec<Opened, Closed>) {
    const name = getTableName(table)
    const insert = (columns: readonly string[]): Statement<unknown, SqlValue[]> =>
      database.prepare(`INSERT INTO ${name} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    const [first, second] = [Object.keys(opened), Object.keys(closed)]
    const all = (columns: readonly string[], separator?: string): string =>
      columns.map((column) => `${column} = ?`).join(separator)
    const lasting = Object.entries(opened).filter(([column]) => !second.includes(column))
    this.#readOpened = Object.values(opened)
    this.#readLasting = lasting.map(([, read]) => read)
    this.#readClosed = Object.values(closed)
    this.#insertOpened = insert([...key, ...first])
    this.#insertWhole = insert([...key, ...lasting.map(([column]) => column), ...second])
    this.#close = database.prepare(`UPDATE ${name} SET ${all(second)} WHERE ${all(key, ' AND ')} AND ${unfinished}`)
  }

  /** Whether a row was written. */
  write(key: readonly SqlValue[], { opened, closed }: Change<Opened, Closed>): boolean {
    const second = closed === undefined ? [] : this.#readClosed.map((read) => read(closed))
    if (opened === undefined) return closed !== undefined && this.#close.run(...second, ...key).changes > 0
    const isWhole = closed !== undefined
    const first = (isWhole ? this.#readLasting : this.#readOpened).map((read) => read(opened))
    const insert = isWhole ? this.#insertWhole : this.#insertOpened
    return insert.run(...key, ...first, ...second).changes > 0
  }
}
