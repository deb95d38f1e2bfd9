/** Plans as these pages read, move keys off and delete them. */
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { plans } from '../../plans.ts'
import { addressOf } from '../../resource.ts'
import type { Key, List } from '../../wire.ts'

const KEYS = '/v1/keys'
/** As many as a plan's own page shows; the list of keys has them all. */
const KEYS_SHOWN = 12

export function useKeysOf(planId: string): UseQueryResult<List<Key>, ApiError> {
  const api = useApi()
  const path = `${addressOf(plans.path, planId)}/keys`
  return useQuery<List<Key>, ApiError>({
    queryKey: [path],
    queryFn: ({ signal }) => api.list<Key>(path, { query: { limit: KEYS_SHOWN }, signal }),
  })
}

export interface PlanRemoval {
  readonly id: string
  /** The plan that its keys get; undefined when it has none. */
  readonly moveTo: string | undefined
}

/** Answers with the server's sentence about what is gone, and where its keys went. */
export function useRemovePlan() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<string, ApiError, PlanRemoval>({
    mutationFn: ({ id, moveTo }) => api.remove(addressOf(plans.path, id), { query: { reassign_to: moveTo } }),
    onSuccess: async (_, { id }) => {
      queries.removeQueries({ queryKey: [plans.path, 'one', id] })
      await Promise.all([[plans.path, 'list'], [KEYS]].map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
}
