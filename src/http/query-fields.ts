import { err, ok, type Result } from '../core/result.ts'
import { invalid, type Refusal } from './refusal.ts'

/** Reads optional query values and remembers what is wrong with which, so that a caller learns of all at once. */
export class QueryFields {
  readonly #errors: Record<string, string[]> = {}

  /** Undefined when it was not sent, or is refused because `parse` makes nothing of it; `rule` says what was expected. */
  read<T>(
    field: string,
    text: string | undefined,
    parse: (text: string) => T | undefined,
    rule: string,
  ): T | undefined {
    const value = text === undefined ? undefined : parse(text)
    if (text !== undefined && value === undefined) this.refuse(field, rule)
    return value
  }

  /** A point in time, as milliseconds since 1970. */
  instant(field: string, text: string | undefined): number | undefined {
    return this.read(field, text, readInstant, 'must be a time such as 2026-01-15T12:00:00Z')
  }

  refuse(field: string, rule: string): void {
    this.#errors[field] = [rule]
  }

  result<T>(value: T): Result<T, Refusal> {
    return Object.keys(this.#errors).length === 0 ? ok(value) : err(invalid(this.#errors))
  }
}

export function readWhole(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

/** RFC 3339. Undefined for a text that is no time; `Date.parse` alone takes the 30th of February for the second of March. */
export function readInstant(text: string): number | undefined {
  const day = INSTANT.exec(text)?.[1]
  if (day === undefined || !isDay(day)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

function isDay(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}
