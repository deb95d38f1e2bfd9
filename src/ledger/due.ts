/** Which of the changes that wait are written now, and which are better written once they are whole. */
import type { AttemptOpened } from './record.ts'
import type { AttemptChange, Changes, RequestChange } from './statements.ts'

/** So long an attempt that is on disk anyway may be without a row: most are over by then. Nobody sees it in the log before. */
export const ROWLESS_MS = 1_000

export interface Due {
  readonly changes: Changes
  /** The requests and attempts that are left for later. */
  readonly left: Set<string>
}

/**
 * Leaves out attempts that `mayWait`, which have begun and are not over, and the requests that have no others. A request that is over
 * is written, and with it what it has under way: nothing finds its row by its id later.
 */
export function dueOf(all: Changes, mayWait: (opened: AttemptOpened) => boolean): Due {
  const left = new Set<string>()
  const attempts = new Map<string, AttemptChange>()
  for (const [id, change] of all.attempts) {
    const opened = underWay(change, all.requests)
    if (opened !== undefined && mayWait(opened)) left.add(id).add(opened.requestId)
    else attempts.set(id, change)
  }
  for (const { opened } of attempts.values()) if (opened !== undefined) left.delete(opened.requestId)
  const requests = left.size === 0 ? all.requests : without(left, all.requests)
  return { changes: { ...all, requests, attempts }, left }
}

function underWay({ opened, closed }: AttemptChange, requests: Changes['requests']): AttemptOpened | undefined {
  const isOver = closed !== undefined || (opened && requests.get(opened.requestId)?.closed) !== undefined
  return isOver ? undefined : opened
}

function without(left: ReadonlySet<string>, requests: Changes['requests']): Changes['requests'] {
  return new Map<string, RequestChange>([...requests].filter(([id]) => !left.has(id)))
}
