import { ArrowRight, Tags } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import type { Alias } from '../../wire.ts'
import { useRemoveAlias } from './data.ts'

interface DeleteAliasProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly alias: Alias
}

export function DeleteAlias({ dialog, alias }: DeleteAliasProps) {
  const remove = useRemoveAlias()
  const toasts = useToasts()
  const go = useGo()
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete alias “${alias.alias}”?`}
      consequences={consequencesOf(alias)}
      act="Delete"
      onConfirm={async () => {
        await remove.mutateAsync(alias.alias)
        toasts.done(`Alias “${alias.alias}” deleted`)
        go('/aliases', { replace: true })
      }}
    />
  )
}

function consequencesOf({ alias, shadow }: Alias): Consequence[] {
  const end: Consequence = shadow
    ? { icon: Tags, tone: 'caution', text: `${alias} means the real model again, where there is one.` }
    : { icon: Tags, tone: 'caution', text: `Requests for ${alias} are refused from then on.` }
  return [
    end,
    {
      icon: ArrowRight,
      tone: 'plain',
      text: 'To give its callers time, let it retire at a date instead, with a replacement.',
    },
  ]
}
