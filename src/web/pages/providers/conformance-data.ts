/** Checks of conformance as the provider's page runs them. The server goes on when the page is left, and tells how far it is. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { ApiError } from '../../api-error.ts'
import { useAnnounce, useApi } from '../../app-context.ts'
import { addressOf } from '../../resource.ts'
import type { Account, ConformanceQuote, ConformanceReport, ConformanceState } from '../../wire.ts'
import { POLL_MS, useRenew } from './data.ts'

const RUNNING_POLL_MS = 1_000

export interface ConformanceRun {
  readonly state: UseQueryResult<ConformanceState, ApiError>
  readonly isRunning: boolean
  /** Why the last act came to nothing. */
  readonly error: unknown
  /** An empty model leaves the choice to the server. */
  readonly check: (accountId: string, model: string) => void
  /** Writes what the report found into the provider. */
  readonly apply: (report: ConformanceReport) => void
}

/** `account`: any of the provider, which is what is checked. */
export function useConformance(providerId: string, account: Account): ConformanceRun {
  const api = useApi()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const renew = useRenew()
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<unknown>()
  const state = useQuery<ConformanceState, ApiError>({
    queryKey: stateKey(providerId),
    queryFn: ({ signal }) => api.get<ConformanceState>(probePath(account.id), { signal }),
    refetchInterval: ({ state: { data } }) => (isAsking || data?.running ? RUNNING_POLL_MS : POLL_MS),
  })
  const act = useCallback(
    async (ask: () => Promise<ConformanceReport>) => {
      setAsking(true)
      setError(undefined)
      try {
        const last = await ask()
        queries.setQueryData<ConformanceState>(stateKey(providerId), { running: null, last })
        announce(`Conformance ${last.score} of 100`)
        void renew()
      } catch (cause) {
        setError(cause)
      } finally {
        setAsking(false)
      }
    },
    [queries, providerId, announce, renew],
  )
  return {
    state,
    isRunning: isAsking || (state.data?.running ?? null) !== null,
    error,
    check: (accountId, model) =>
      void act(() => api.post<ConformanceReport>(probePath(accountId), {}, { query: { model } })),
    apply: ({ checked_at }) =>
      void act(() =>
        api.post<ConformanceReport>(`${addressOf('/v1/providers', providerId)}/conformance/apply`, { checked_at }),
      ),
  }
}

/** What it would cost. Asked only while somebody looks at it. */
export function useQuote(
  accountId: string,
  model: string,
  enabled: boolean,
): UseQueryResult<ConformanceQuote, ApiError> {
  const api = useApi()
  return useQuery<ConformanceQuote, ApiError>({
    queryKey: ['conformance quote', accountId, model],
    queryFn: ({ signal }) =>
      api.post<ConformanceQuote>(probePath(accountId), { dry_run: true }, { query: { model }, signal }),
    enabled,
  })
}

function stateKey(providerId: string) {
  return ['conformance', providerId] as const
}

function probePath(accountId: string): string {
  return `${addressOf('/v1/accounts', accountId)}/probe`
}
