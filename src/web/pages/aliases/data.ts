import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { putInCache } from '../../resource.ts'
import { aliases } from '../../target-names.ts'
import type { Alias, NewAlias } from '../../wire.ts'

export function hrefOf({ alias }: Pick<Alias, 'alias'>): string {
  return `/aliases/one?alias=${encodeURIComponent(alias)}`
}

interface Put {
  readonly draft: NewAlias
  /** 0: there must be none of this name yet; undefined: whatever there is is replaced. */
  readonly version: number | undefined
}

/** Makes an alias or replaces it. */
export function usePutAlias() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<Alias, ApiError, Put>({
    mutationFn: async ({ draft, version }) => {
      const [saved] = await api
        .put<readonly Alias[]>(aliases.path, draft, version === undefined ? {} : { version })
        .catch((cause: unknown) => Promise.reject(version === 0 ? taken(cause) : cause))
      if (saved === undefined) throw new Error('the answer to a write is what was written')
      return saved
    },
    onSuccess: (saved) => putInCache(queries, aliases.path, saved),
  })
}

/** A version of none means that the name is taken, which is the business of its field. */
function taken(cause: unknown): unknown {
  const isTaken = cause instanceof ApiError && cause.status === 409 && Object.keys(cause.errors).length === 0
  return isTaken ? new ApiError(422, cause.message, { errors: { alias: ['is there already'] } }) : cause
}

export function useRemoveAlias() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<string, ApiError, string>({
    mutationFn: (alias) => api.remove(aliases.path, { query: { alias } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [aliases.path, 'list'] }),
  })
}
