import { err, ok, type Result } from '../core/result.ts'
import { invalid, type Refusal, refusal } from './refusal.ts'

/** The version that `If-Match` asks for; null when any will do. Refusal: `invalid` for something that is no version. */
export function expectedVersion(headers: Headers): Result<number | null, Refusal> {
  const text = headers.get('if-match')?.trim()
  if (text === undefined || text === '*') return ok(null)
  const digits = /^(?:W\/)?"?(\d{1,15})"?$/.exec(text)?.[1]
  return digits === undefined ? err(invalid({ 'if-match': ['must be a version number'] })) : ok(Number(digits))
}

/** The refusal when an object has moved on since the caller read it; undefined when it has not. */
export function staleness(current: number, expected: number | null): Refusal | undefined {
  if (expected === null || expected === current) return undefined
  return refusal('stale', `it has changed since: it is at version ${current} now`)
}
