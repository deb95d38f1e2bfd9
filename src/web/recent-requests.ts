import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import type { RequestList } from './wire.ts'

export interface RecentOptions {
  /** Requests of this key alone. */
  readonly keyId?: string | undefined
  /** Requests that this model answered, `<provider>/<model>`. */
  readonly model?: string | undefined
  /** Ask again this often, in milliseconds, while the page is visible. */
  readonly everyMs?: number
  readonly limit?: number
}

const LIMIT_DEFAULT = 5

/** The newest requests of the log. */
export function useRecentRequests({ keyId, model, everyMs, limit = LIMIT_DEFAULT }: RecentOptions = {}): UseQueryResult<
  RequestList,
  ApiError
> {
  const api = useApi()
  const query = { limit, key_id: keyId, model }
  return useQuery<RequestList, ApiError>({
    queryKey: ['/v1/usage/requests', 'recent', query],
    queryFn: ({ signal }) => api.json<RequestList>('GET', '/v1/usage/requests', { query, signal }),
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
}
