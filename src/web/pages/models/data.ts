import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { addressOf, putInCache, resource } from '../../resource.ts'
import type { Capabilities, CapabilityDraft } from '../../wire.ts'

const OVERRIDES = '/v1/capability-overrides'

export const capabilities = resource<Capabilities, never, CapabilityDraft>(OVERRIDES)

/** All that is said of a model, in place of what was said before; what is not said keeps the catalogue's value. */
export function useSay() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation<Capabilities, ApiError, { id: string; draft: CapabilityDraft; version: number | undefined }>({
    mutationFn: ({ id, draft, version }) =>
      api.put<Capabilities>(addressOf(OVERRIDES, id), draft, version === undefined ? {} : { version }),
    onSuccess: (said) => putInCache(queries, OVERRIDES, said),
  })
}

export function hrefOf({ id }: { readonly id: string }): string {
  return `/models/one?id=${encodeURIComponent(id)}`
}
