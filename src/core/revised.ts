import { isSame } from './same.ts'

/** What says when an object was changed, and how often. */
interface Versioned {
  readonly updatedAtMs: number
  readonly version: number
}

/**
 * `next` as the version after `before`; `before` itself, the very same object, where that says nothing else. Then nothing has changed:
 * there is nothing to read again, to tell anybody or to write into the audit log.
 */
export function revised<T extends Versioned>(before: T, next: T, nowMs: number): T {
  return isSame(before, next) ? before : { ...next, updatedAtMs: nowMs, version: before.version + 1 }
}
