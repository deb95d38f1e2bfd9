import { FileX, Split } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { plural } from '../../format/count.ts'
import { chains } from '../../target-names.ts'
import type { Chain, ChainStepUsage } from '../../wire.ts'

export interface DeleteChainProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly chain: Chain
  readonly usage: readonly ChainStepUsage[]
}

/** Says how much is asked of the chain. Its slug has to be typed only when something is. */
export function DeleteChain({ dialog, chain, usage }: DeleteChainProps) {
  const remove = chains.useRemove()
  const change = chains.useChange()
  const toasts = useToasts()
  const go = useGo()
  const { id, name, slug, enabled } = chain
  const answers = usage.reduce((sum, { ok }) => sum + ok, 0)
  async function switchOff(): Promise<void> {
    await change.mutateAsync({ id, draft: { enabled: false } })
    toasts.done(`Chain “${name}” switched off`)
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete chain “${name}”?`}
      consequences={consequencesOf(slug, answers)}
      act="Delete"
      onConfirm={async () => {
        await remove.mutateAsync(id)
        toasts.done(`Chain “${name}” deleted`)
        go('/chains', { replace: true })
      }}
      {...(answers > 0 && { typeToConfirm: slug })}
      {...(enabled && { instead: { label: 'Switch off instead', onClick: () => void switchOff() } })}
    />
  )
}

function consequencesOf(slug: string, answers: number): Consequence[] {
  const lost = `Requests for chain/${slug} are refused from then on`
  return [
    answers > 0
      ? {
          icon: Split,
          tone: 'danger',
          text: `${lost}: ${plural(answers, 'answer')} came through it in the last 24 hours.`,
        }
      : { icon: Split, tone: 'plain', text: `${lost}. Nothing was asked of it in the last 24 hours.` },
    { icon: FileX, tone: 'caution', text: 'Its steps and conditions cannot be brought back.' },
  ]
}
