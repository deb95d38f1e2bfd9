import { integer, text } from 'drizzle-orm/sqlite-core'

/** What every managed object has: an opaque id, two moments in milliseconds since 1970 and a counter of changes. */
export function objectColumns() {
  return {
    id: text('id').primaryKey(),
    createdAtMs: integer('created_at').notNull(),
    updatedAtMs: integer('updated_at').notNull(),
    version: integer('version').notNull(),
  }
}

/** A JSON value in a text column. Only for values that this program wrote: reading does not validate. */
export function jsonColumn<T>(name: string) {
  return text(name, { mode: 'json' }).$type<T>()
}

export function booleanColumn(name: string) {
  return integer(name, { mode: 'boolean' })
}

/** `%`, `_` and the escape itself lose their meaning; use with `LIKE … ESCAPE '\'`. */
export function likePattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}
