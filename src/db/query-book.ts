import type { Database } from 'bun:sqlite'

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>

/** Values by parameter name, without the `$`. What is undefined is absent. */
export type Params = Readonly<Record<string, SqlValue | undefined>>

export interface NamedQuery {
  /** Read-only. Each `{filters}` stands after a WHERE with a condition and gives way to the filters that are asked for. */
  readonly sql: string
  /** Conditions by the parameter that asks for them. Absent ones are left out, so that the others can use an index. */
  readonly filters?: Readonly<Record<string, string>>
}

/** All that the reader may be asked. Fixed when it starts: callers send names and values, never SQL. */
export type QueryBook<Name extends string = string> = Readonly<Record<Name, NamedQuery>>

/** Throws what SQLite throws. */
export function runQuery(database: Database, query: NamedQuery, params: Params): Row[] {
  return database.query<Row, Record<string, SqlValue>>(sqlOf(query, params)).all(bindings(params))
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
