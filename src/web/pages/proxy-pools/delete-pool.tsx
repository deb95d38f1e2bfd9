import { OctagonX, Route, TriangleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import type { ProxyPool } from '../../wire.ts'
import { type PoolUser, proxyPools, useUsersOf } from './data.ts'
import { scopeText } from './words.ts'

export interface DeletePoolProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly pool: ProxyPool
}

/** The server refuses while somebody names the pool, so that nobody goes direct unnoticed: they are named here. */
export function DeletePool({ dialog, pool }: DeletePoolProps) {
  const remove = proxyPools.useRemove()
  const users = useUsersOf(pool.id).data ?? []
  const toasts = useToasts()
  const go = useGo()
  async function onConfirm(): Promise<void> {
    await remove.mutateAsync(pool.id)
    toasts.done(`Proxy pool “${pool.name}” deleted`)
    go('/proxy-pools', { replace: true })
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete proxy pool “${pool.name}”?`}
      consequences={consequencesOf(pool, users)}
      act="Delete"
      onConfirm={onConfirm}
      {...(pool.scope !== 'manual' && { typeToConfirm: pool.name })}
    />
  )
}

function consequencesOf(pool: ProxyPool, users: readonly PoolUser[]): readonly Consequence[] {
  const named: Consequence = {
    icon: TriangleAlert,
    tone: 'caution',
    text: `${users.map(({ name }) => name).join(', ')} must choose another way first: until then it cannot be deleted.`,
  }
  const scoped: Consequence = {
    icon: OctagonX,
    tone: 'danger',
    text: `The calls of ${scopeText(pool.scope)} no longer leave through it: they take the next wider pool, or go direct.`,
  }
  const logins: Consequence = { icon: Route, tone: 'plain', text: 'The logins of its exits are deleted with it.' }
  return [...(users.length > 0 ? [named] : []), ...(pool.scope === 'manual' ? [] : [scoped]), logins]
}
