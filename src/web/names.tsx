/** Names of keys and accounts, of which the log knows the ids alone. The first hundred come in one answer, the others one by one. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import { addressOf } from './resource.ts'
import type { List } from './wire.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** More are found by a search. */
export const LISTED = 100
const FRESH_MS = 60_000
const SHORT_ID_LENGTH = 12

/** Undefined while it is not known, and when the object is gone. */
function useNameOf(path: string, id: string | null): string | undefined {
  const api = useApi()
  const query = { limit: LISTED }
  const list = useQuery({
    queryKey: [path, 'list', query],
    queryFn: ({ signal }) => api.list<Named>(path, { query, signal }),
    staleTime: FRESH_MS,
  })
  const listed = list.data?.data.find((item) => item.id === id)?.name
  const one = useQuery({
    queryKey: [path, 'name', id],
    queryFn: () => api.get<Named>(addressOf(path, id ?? '')).then(({ name }) => name, nameless),
    enabled: id !== null && list.isSuccess && listed === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return listed ?? one.data ?? undefined
}

/** What was deleted has no name any more, and is not asked for again. */
function nameless(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

export function useKeyName(id: string | null): string | undefined {
  return useNameOf('/v1/keys', id)
}

export function useAccountName(id: string | null): string | undefined {
  return useNameOf('/v1/accounts', id)
}

/** What has a name, for choosing from: the first hundred, or of very many those that match `q`. */
export function useNames(path: '/v1/keys' | '/v1/accounts' | '/v1/chains' | '/v1/plans', q = ''): readonly Named[] {
  const api = useApi()
  const query = { limit: LISTED, ...(q !== '' && { q }) }
  const list = useQuery({
    queryKey: [path, 'list', query],
    queryFn: ({ signal }) => api.list<Named>(path, { query, signal }),
    staleTime: FRESH_MS,
    select: ({ data }: List<Named>) => data,
    placeholderData: keepPreviousData,
  })
  return list.data ?? []
}

export function KeyName({ id }: { id: string | null }) {
  const name = useKeyName(id)
  return <Name id={id} name={name} />
}

export function AccountName({ id }: { id: string | null }) {
  const name = useAccountName(id)
  return <Name id={id} name={name} />
}

/** The id stands in for a name that nobody knows any more. */
function Name({ id, name }: { id: string | null; name: string | undefined }) {
  if (id === null) return <>–</>
  if (name !== undefined) return <>{name}</>
  return (
    <code title={id} className="text-muted">
      {shortId(id)}
    </code>
  )
}

/** `req_8f2m…1kq`: enough to recognise, with the whole beside it to copy. */
export function shortId(id: string): string {
  return id.length <= SHORT_ID_LENGTH ? id : `${id.slice(0, 8)}…${id.slice(-3)}`
}
