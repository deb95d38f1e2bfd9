import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Query } from '../../api.ts'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { useApiQuery } from '../../resource.ts'
import type { Settings, SettingsChange, Single } from '../../wire.ts'

const SETTINGS = '/v1/settings'
const COUNT_EVERY_MS = 5_000

export function useSettings(): UseQueryResult<Settings, ApiError> {
  return useApiQuery<Settings>(SETTINGS)
}

/** Sends a PATCH and keeps its answer. Returns the paths that count only after a restart. Throws `ApiError`. */
export function useChangeSettings(): (draft: SettingsChange, version?: number) => Promise<readonly string[]> {
  const api = useApi()
  const queries = useQueryClient()
  return useCallback(
    async (body, version) => {
      const { data, metadata } = await api.json<Single<Settings>>('PATCH', SETTINGS, { body, version })
      queries.setQueryData([SETTINGS, {}], data)
      const { restart_required: waiting } = metadata
      return Array.isArray(waiting) ? waiting.map(String) : []
    },
    [api, queries],
  )
}

/** How many objects a list has; undefined while that is not known. */
export function useTotal(path: string, query: Query = {}): number | undefined {
  const api = useApi()
  const { data } = useQuery<number, ApiError>({
    queryKey: [path, 'total', query],
    queryFn: async ({ signal }) => (await api.list(path, { query: { ...query, limit: 1 }, signal })).metadata.total,
    refetchInterval: COUNT_EVERY_MS,
  })
  return data
}
