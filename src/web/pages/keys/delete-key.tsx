import { CircleSlash, History, Radio, Wallet } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { ConfirmDestructive, type Consequence } from '../../components/confirm-destructive.tsx'
import { Money } from '../../components/money.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { plural } from '../../format/count.ts'
import { useApiQuery } from '../../resource.ts'
import type { Key, UsageSummary } from '../../wire.ts'
import { keys } from './data.ts'

export interface DeleteKeyProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly stored: Key
  /** The gentler way; undefined when it is taken already. */
  readonly onDisable: (() => void) | undefined
}

/** Says who would be refused from then on. The name has to be typed when somebody used the key in the last day. */
export function DeleteKey({ dialog, stored, onDisable }: DeleteKeyProps) {
  const go = useGo()
  const toasts = useToasts()
  const remove = keys.useRemove()
  const day = useApiQuery<UsageSummary>('/v1/usage', { range: '24h', key_id: stored.id })
  const today = day.data?.requests ?? 0
  async function onConfirm(): Promise<void> {
    await remove.mutateAsync(stored.id)
    toasts.done(`“${stored.name}” is deleted`)
    go('/keys')
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete “${stored.name}”?`}
      act="Delete"
      consequences={consequencesOf(stored, today)}
      onConfirm={onConfirm}
      typeToConfirm={today > 0 ? stored.name : undefined}
      {...(onDisable && { instead: { label: 'Disable instead', onClick: onDisable } })}
    />
  )
}

function consequencesOf(stored: Key, today: number): readonly Consequence[] {
  const use: Consequence =
    today > 0
      ? {
          icon: Radio,
          tone: 'danger',
          text: (
            <>
              {plural(today, 'request')} came with it in the last 24 h, the last{' '}
              <RelativeTime at={stored.last_used_at} />. From now on they are refused.
            </>
          ),
        }
      : { icon: CircleSlash, tone: 'plain', text: 'Nothing has used it in the last 24 h.' }
  return [
    use,
    { icon: History, tone: 'plain', text: `The log keeps its ${plural(stored.requests_total, 'request')}.` },
    {
      icon: Wallet,
      tone: 'plain',
      text: (
        <>
          It has cost <Money usd={stored.spend_usd} /> so far, which stays in all sums.
        </>
      ),
    },
  ]
}
