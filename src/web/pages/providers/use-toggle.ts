import { useCallback } from 'react'
import { useToasts } from '../../app-context.ts'
import { reasonOf } from '../../components/error-state.tsx'
import type { Account } from '../../wire.ts'
import { accounts, useRenew } from './data.ts'

/** Switches an account on or off at once, and offers to take that back. Throws `ApiError`. */
export function useToggle(): (account: Account, enabled: boolean) => Promise<void> {
  const { mutateAsync } = accounts.useChange()
  const renew = useRenew()
  const toasts = useToasts()
  return useCallback(
    async ({ id, name }, enabled) => {
      const set = async (next: boolean): Promise<void> => {
        await mutateAsync({ id, draft: { enabled: next } })
        await renew()
      }
      await set(enabled)
      toasts.done(`Account “${name}” ${enabled ? 'enabled' : 'disabled'}`, () => {
        set(!enabled).catch((cause: unknown) => toasts.failed(reasonOf(cause)))
      })
    },
    [mutateAsync, renew, toasts],
  )
}
