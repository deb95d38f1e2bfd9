import { CirclePause, History, LoaderCircle, OctagonX, Split, TriangleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { countText, plural } from '../../format/count.ts'
import type { Account } from '../../wire.ts'
import { accounts, useOpenRequests, useRenew, useWeek } from './data.ts'
import { usableNow } from './usable.ts'

export interface DeleteAccountProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly account: Account
  readonly others: readonly Account[]
  readonly providerName: string
  readonly onDisable: () => void
}

/** Says what goes on with what before an account is gone. Its name has to be typed only when requests would fail. */
export function DeleteAccount({ dialog, account, others, providerName, onDisable }: DeleteAccountProps) {
  const remove = accounts.useRemove()
  const renew = useRenew()
  const toasts = useToasts()
  const go = useGo()
  const usage = useWeek().data?.by_account.find(({ id }) => id === account.id)
  const open = useOpenRequests(account.id)
  const left = usableNow(others)
  const isLast = account.enabled && left.length === 0
  const consequences: Consequence[] = [
    account.enabled
      ? whoAnswers(account, left, providerName)
      : { icon: CirclePause, tone: 'plain', text: 'It is disabled: no request uses it now.' },
  ]
  if (open > 0) {
    consequences.push({ icon: LoaderCircle, tone: 'plain', text: `${plural(open, 'request')} in flight will finish.` })
  }
  consequences.push(
    { icon: TriangleAlert, tone: 'caution', text: 'Its stored credential is gone, and cannot be brought back.' },
    {
      icon: History,
      tone: 'plain',
      text:
        usage === undefined
          ? 'It had no requests in the last 7 days.'
          : `Its ${countText(usage.requests)} requests of the last 7 days stay in the log.`,
    },
  )
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete account “${account.name}”?`}
      consequences={consequences}
      act="Delete"
      onConfirm={async () => {
        await remove.mutateAsync(account.id)
        toasts.done(`Account “${account.name}” deleted`)
        go(`/providers/${account.provider}`, { replace: true })
        await renew()
      }}
      {...(isLast && usage !== undefined && { typeToConfirm: account.name })}
      {...(account.enabled && { instead: { label: 'Disable instead', onClick: onDisable } })}
    />
  )
}

function whoAnswers({ provider }: Account, left: readonly Account[], providerName: string): Consequence {
  if (left.length === 0) {
    const text = (
      <>
        Requests for <code>{provider}/…</code> have no account.
      </>
    )
    return { icon: OctagonX, tone: 'danger', text }
  }
  const names = left.map(({ name }) => name).join(', ')
  return { icon: Split, tone: 'caution', text: `Requests for ${providerName} go on with ${names}.` }
}
