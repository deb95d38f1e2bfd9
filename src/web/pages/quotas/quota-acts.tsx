import { Pause, Play, RotateCcw, Trash2 } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { useToasts } from '../../app-context.ts'
import { ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { RowControl } from '../../components/data-table.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useAccountName } from '../../names.tsx'
import { aboutText } from '../../quota-words.ts'
import type { Quota } from '../../wire.ts'
import { quotas, useRenewQuotas, useReset } from './data.ts'

/** What an operator does with a quota: have routing ignore it, forget it, or say that the account's limits are over. */
export function QuotaActs({ quota }: { quota: Quota }) {
  const name = useAccountName(quota.account_id) ?? quota.account_id
  const forgetting = useRef<HTMLDialogElement>(null)
  const resetting = useRef<HTMLDialogElement>(null)
  const pause = usePause(quota, name)
  return (
    <RowControl>
      <Menu label={`Acts on ${aboutText(quota)} of ${name}`}>
        <MenuItem icon={quota.paused ? Play : Pause} onSelect={() => void pause(!quota.paused)}>
          {quota.paused ? 'Let routing heed it' : 'Have routing ignore it'}
        </MenuItem>
        <MenuItem icon={RotateCcw} onSelect={() => resetting.current?.showModal()}>
          Reset the account’s limits…
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => forgetting.current?.showModal()}>
          Forget it…
        </MenuItem>
      </Menu>
      <ForgetQuota dialog={forgetting} quota={quota} name={name} />
      <ResetAccount dialog={resetting} quota={quota} name={name} />
    </RowControl>
  )
}

/** At once, with a way back. */
function usePause({ id, ...quota }: Quota, name: string): (paused: boolean) => Promise<void> {
  const { mutateAsync } = quotas.useChange()
  const renew = useRenewQuotas()
  const toasts = useToasts()
  return async function set(paused) {
    try {
      await mutateAsync({ id, draft: { paused } })
      await renew()
      const about = `${aboutText(quota)} of “${name}”`
      toasts.done(paused ? `Routing ignores ${about}` : `Routing heeds ${about}`, () => void set(!paused))
    } catch (cause) {
      toasts.failed(reasonOf(cause))
    }
  }
}

interface ActDialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly quota: Quota
  /** Of the account. */
  readonly name: string
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
