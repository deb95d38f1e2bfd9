import { Pause, RotateCcw, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useToasts } from '../../app-context.ts'
import { ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { useAccountName } from '../../names.tsx'
import { useRenewQuotas, useReset } from '../../quota-reset.ts'
import { aboutText } from '../../quota-words.ts'
import { quotas } from './data.ts'
import type { Asked } from './quota-acts.tsx'
import { type ActDialogProps, ReserveDialog } from './reserve-dialog.tsx'

/** Opens whenever something else is asked. It stands outside the table, since the row that it is about may go. */
export function QuotaDialog({ asked }: { asked: Asked }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { act, quota } = asked
  const name = useAccountName(quota.account_id) ?? quota.account_id
  useEffect(() => dialog.current?.showModal(), [asked])
  const Confirm = DIALOGS[act]
  return <Confirm dialog={dialog} quota={quota} name={name} />
}

function ForgetQuota({ dialog, quota, name }: ActDialogProps) {
  const remove = quotas.useRemove()
  const renew = useRenewQuotas()
  const toasts = useToasts()
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Forget ${aboutText(quota).toLowerCase()} of “${name}”?`}
      consequences={[
        { icon: Trash2, tone: 'plain', text: 'Its course of the last hours is gone, and with it the forecast.' },
        { icon: RotateCcw, tone: 'plain', text: 'It is back as soon as it is reported again.' },
      ]}
      act="Forget"
      onConfirm={async () => {
        await remove.mutateAsync(quota.id)
        await renew()
        toasts.done(`${aboutText(quota)} of “${name}” is forgotten`)
      }}
    />
  )
}

function ResetAccount({ dialog, quota, name }: ActDialogProps) {
  const reset = useReset()
  const toasts = useToasts()
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Reset the limits of “${name}”?`}
      consequences={[
        {
          icon: RotateCcw,
          tone: 'plain',
          text: 'What is counted here begins anew, and requests try the account again.',
        },
        { icon: Trash2, tone: 'plain', text: 'What its provider said is forgotten. The account is tested at once.' },
        {
          icon: Pause,
          tone: 'caution',
          text: 'A provider whose limit is not over refuses all the same: then the account rests anew.',
        },
      ]}
      act="Reset"
      onConfirm={async () => {
        await reset(quota.account_id)
        toasts.done(`The limits of “${name}” are reset`)
      }}
    />
  )
}

const DIALOGS = { reserve: ReserveDialog, forget: ForgetQuota, reset: ResetAccount } as const
