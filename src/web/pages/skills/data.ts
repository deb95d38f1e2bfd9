/** Skills as these pages read and change them, and the keys that carry them. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Api } from '../../api.ts'
import type { ApiError } from '../../api-error.ts'
import { useApi, useToasts } from '../../app-context.ts'
import { reasonOf } from '../../components/error-state.tsx'
import { resource } from '../../resource.ts'
import type { Key, List, NewSkill, Skill, SkillChange, SkillDocument } from '../../wire.ts'

const KEYS = '/v1/keys'
const PAGE_MAX = 100
/** More keys than these are not read to find those that name a skill. */
const PAGES_MAX = 20
const HANDED_OVER = ['skill to review'] as const

export const skills = resource<Skill, NewSkill, SkillChange>('/v1/skills')

/** Every key; kept as a list, so that changes made on the keys' own pages arrive here too. */
export function useEveryKey(): UseQueryResult<List<Key>, ApiError> {
  const api = useApi()
  return useQuery<List<Key>, ApiError>({
    queryKey: [KEYS, 'list', { every: true }],
    queryFn: ({ signal }) => everyKey(api, signal),
  })
}

async function everyKey(api: Api, signal: AbortSignal): Promise<List<Key>> {
  const query = { limit: PAGE_MAX, sort: 'name', order: 'asc' }
  const first = await api.list<Key>(KEYS, { query, signal })
  const data = [...first.data]
  for (let page = 1; page < PAGES_MAX && data.length < first.metadata.total; page++) {
    data.push(...(await api.list<Key>(KEYS, { query: { ...query, offset: page * PAGE_MAX }, signal })).data)
  }
  return { ...first, data }
}

/** Switches a skill on or off at once, and offers to take that back. */
export function useToggle(): (skill: Skill, enabled: boolean) => Promise<void> {
  const { mutateAsync } = skills.useChange()
  const toasts = useToasts()
  return useCallback(
    async ({ id, name }, enabled) => {
      const set = (next: boolean) =>
        mutateAsync({ id, draft: { enabled: next } }).then(
          () => true,
          (cause: unknown) => {
            toasts.failed(`“${name}” was not switched. ${reasonOf(cause)}`)
            return false
          },
        )
      if (await set(enabled))
        toasts.done(`Skill “${name}” switched ${enabled ? 'on' : 'off'}`, () => void set(!enabled))
    },
    [mutateAsync, toasts],
  )
}

/** Call it when a skill is gone: keys that named it have lost it. */
export function useRenewKeys(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(() => queries.invalidateQueries({ queryKey: [KEYS] }), [queries])
}

/** A document on its way from the list, where it was dropped, to the form for a new skill. */
export interface HandedOver {
  readonly fileName: string
  readonly document: SkillDocument
}

export function useHandOver() {
  const queries = useQueryClient()
  return {
    put: (upload: HandedOver): void => void queries.setQueryData(HANDED_OVER, upload),
    peek: (): HandedOver | undefined => queries.getQueryData(HANDED_OVER),
    clear: (): void => queries.removeQueries({ queryKey: HANDED_OVER }),
  }
}
