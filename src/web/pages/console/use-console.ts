import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import type { ConsoleEntry } from '../../wire.ts'
import { type ConsoleFilters, followConsole } from './follow-console.ts'

/** The server holds half as many; what a reader looks at while more come in stays. */
const ENTRIES_MAX = 1_000

export interface ConsoleFeed {
  /** Newest first; undefined before the first answer. */
  readonly entries: readonly ConsoleEntry[] | undefined
  readonly error: ApiError | undefined
  /** New entries that are not shown, since that would move the others. */
  readonly waiting: number
  readonly catchUp: () => void
  /** They have been deleted. */
  readonly forget: () => void
  readonly retry: () => void
}

/** The console's entries as they come. While `isHeld` those that are shown stay where they are. */
export function useConsole(filters: ConsoleFilters, isHeld: boolean): ConsoleFeed {
  const api = useApi()
  const [entries, setEntries] = useState<readonly ConsoleEntry[]>()
  const [error, setError] = useState<ApiError>()
  const [round, setRound] = useState(0)
  const [heldAt, setHeldAt] = useState<number>()
  useEffect(() => {
    const abort = new AbortController()
    setEntries(undefined)
    setError(undefined)
    setHeldAt(undefined)
    void followConsole({
      api,
      filters,
      signal: abort.signal,
      onSnapshot: setEntries,
      onEntry: (entry) => setEntries((known = []) => [entry, ...known].slice(0, ENTRIES_MAX)),
      onError: setError,
    })
    return () => abort.abort()
  }, [api, filters, round])
  const newest = entries?.[0]?.seq ?? 0
  const shownTo = isHeld ? (heldAt ?? newest) : newest
  const isRead = entries !== undefined
  useEffect(() => setHeldAt(isHeld && isRead ? shownTo : undefined), [isHeld, isRead, shownTo])
  const shown = useMemo(() => entries?.filter(({ seq }) => seq <= shownTo), [entries, shownTo])
  return {
    entries: shown,
    error,
    waiting: (entries?.length ?? 0) - (shown?.length ?? 0),
    catchUp: useCallback(() => setHeldAt(newest), [newest]),
    forget: useCallback(() => setEntries([]), []),
    retry: useCallback(() => setRound((at) => at + 1), []),
  }
}
