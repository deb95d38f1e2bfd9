import type { Database } from 'bun:sqlite'
import { binsFrom, percentilesOf } from '../core/spread.ts'

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>

/** Values by parameter name, without the `$`. What is undefined is absent. */
export type Params = Readonly<Record<string, SqlValue | undefined>>

export interface NamedQuery {
  /** Read-only. Each `{filters}` stands after a WHERE with a condition and gives way to the filters that are asked for. */
  readonly sql: string
  /** Conditions by the parameter that asks for them. Absent ones are left out, so that the others can use an index. */
  readonly filters?: Readonly<Record<string, string>>
  /**
   * Columns of written bins, joined, each answered by three: `<name>_p50`, `_p95` and `_p99`. They are read in the reader's thread,
   * as they can be a thousand times as long.
   */
  readonly spreads?: readonly string[]
}

/** All that the reader may be asked. Fixed when it starts: callers send names and values, never SQL. */
export type QueryBook<Name extends string = string> = Readonly<Record<Name, NamedQuery>>

/** Throws what SQLite throws. */
export function runQuery(database: Database, query: NamedQuery, params: Params): Row[] {
  const rows = database.query<Row, Record<string, SqlValue>>(sqlOf(query, params)).all(bindings(params))
  const { spreads } = query
  return spreads === undefined ? rows : rows.map((row) => withPercentiles(row, spreads))
}

function withPercentiles(row: Row, spreads: readonly string[]): Row {
  const answer: Record<string, SqlValue> = { ...row }
  for (const name of spreads) {
    const joined = row[name]
    const percentiles = percentilesOf(binsFrom(typeof joined === 'string' ? joined : ''))
    delete answer[name]
    for (const [per, value] of Object.entries(percentiles)) answer[`${name}_${per}`] = value
  }
  return answer
}

function sqlOf({ sql, filters = {} }: NamedQuery, params: Params): string {
  const asked = Object.entries(filters).filter(([name]) => params[name] !== undefined)
  return sql.replaceAll('{filters}', asked.map(([, condition]) => ` AND (${condition})`).join(''))
}

function bindings(params: Params): Record<string, SqlValue> {
  const bound: Record<string, SqlValue> = {}
  for (const [name, value] of Object.entries(params)) if (value !== undefined) bound[`$${name}`] = value
  return bound
}
