import { useQuery } from '@tanstack/react-query'
import { History, OctagonX, TriangleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import type { ApiError } from '../../api-error.ts'
import { useApi, useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { plural } from '../../format/count.ts'
import { addressOf } from '../../resource.ts'
import type { CustomProvider, Provider } from '../../wire.ts'
import { customProviders, useRenewProviders } from './data.ts'

export interface DeleteCustomProviderProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly provider: CustomProvider
}

/** The server refuses to leave accounts without a provider: they go only when the reader has seen them named here. */
export function DeleteCustomProvider({ dialog, provider: { id, slug, name } }: DeleteCustomProviderProps) {
  const api = useApi()
  const renew = useRenewProviders()
  const toasts = useToasts()
  const go = useGo()
  const accounts = useAccountCount(slug)
  async function remove(): Promise<void> {
    const query = accounts > 0 ? { accounts: 'delete' } : {}
    await api.remove(addressOf(customProviders.path, id), { query }).catch((cause: unknown) => {
      void renew() // somebody has added an account meanwhile: the dialog names it now
      throw cause
    })
    toasts.done(`Provider “${name}” deleted`)
    go('/custom-providers', { replace: true })
    await renew()
  }
  const gone: Consequence = {
    icon: OctagonX,
    tone: 'danger',
    text: (
      <>
        Requests for <code>{slug}/…</code> are refused: nobody has this name any more.
      </>
    ),
  }
  const withAccounts: Consequence = {
    icon: TriangleAlert,
    tone: 'caution',
    text: `Its ${plural(accounts, 'account')} and their stored credentials go with it. Without that it could not be deleted.`,
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete provider “${name}”?`}
      consequences={[
        gone,
        ...(accounts > 0 ? [withAccounts] : []),
        { icon: History, tone: 'plain', text: 'Its requests and costs stay in the log.' },
      ]}
      act="Delete"
      onConfirm={remove}
      {...(accounts > 0 && { typeToConfirm: slug })}
    />
  )
}

function useAccountCount(slug: string): number {
  const api = useApi()
  const { data } = useQuery<Provider, ApiError>({
    queryKey: ['/v1/providers', 'one', slug],
    queryFn: ({ signal }) => api.get<Provider>(addressOf('/v1/providers', slug), { signal }),
  })
  return data?.accounts.total ?? 0
}
