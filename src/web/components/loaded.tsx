import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '../api-error.ts'
import { useApp } from '../app-context.ts'
import { useStore } from '../store.ts'
import { classNames } from './class-names.ts'
import { ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'

export interface LoadedProps<T> {
  readonly query: UseQueryResult<T, ApiError>
  /** What fails when it fails: `The keys could not be read`. */
  readonly what: string
  /** Its outline while it loads for the first time. */
  readonly skeleton?: ReactNode
  readonly children: (data: T) => ReactNode
}

/**
 * What a query has brought, or why it has not. Once there is data it stays: dimmed while the server does not answer, whatever
 * goes wrong afterwards.
 */
export function Loaded<T>({ query, what, skeleton, children }: LoadedProps<T>) {
  const { connection } = useApp()
  const isOut = useStore(connection.outage) !== undefined
  if (query.data !== undefined) {
    const stale = isOut && 'text-muted [--color-ink:var(--color-muted)]' // fainter, and still readable
    return <div className={classNames('contents', stale)}>{children(query.data)}</div>
  }
  if (query.error !== null) return <ErrorState what={what} error={query.error} onRetry={() => void query.refetch()} />
  return skeleton ?? <Skeleton />
}
