/** Rows as comma-separated values (RFC 4180), safe to open in a spreadsheet. */
import { type TProperties, type TSchema, TypeGuard } from '@sinclair/typebox'
import type { Json, JsonObject } from '../../core/json.ts'
import { asObject } from '../../core/json.ts'

/** Where a column's value is: the names of fields, outermost first. */
export type Column = readonly string[]

/** What spreadsheets take for the beginning of a formula. https://owasp.org/www-community/attacks/CSV_Injection (read 2026-11-21) */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** A column for each field of an object, and of the objects in it. Lists and maps are one column each. */
export function columnsOf(properties: TProperties): readonly Column[] {
  return Object.entries(properties).flatMap(([name, schema]): readonly Column[] => {
    const inner = fieldsOf(schema)
    return inner === undefined ? [[name]] : columnsOf(inner).map((column) => [name, ...column])
  })
}

export function csvHead(columns: readonly Column[]): string {
  return line(columns.map((column) => column.join('.')))
}

/** Lists and maps are JSON in their cell. */
export function csvLine(columns: readonly Column[], row: JsonObject): string {
  return line(columns.map((column) => cellOf(valueAt(row, column))))
}

function fieldsOf(schema: TSchema): TProperties | undefined {
  return TypeGuard.IsObject(schema) ? schema.properties : undefined
}

function valueAt(row: JsonObject, column: Column): Json {
  return column.reduce<Json>((value, name) => asObject(value)?.[name] ?? null, row)
}

/** Text that a spreadsheet would run begins with an apostrophe, which shows it as text. */
function cellOf(value: Json): string {
  if (value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return FORMULA.test(text) ? `'${text}` : text
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join()}\r\n`
}
