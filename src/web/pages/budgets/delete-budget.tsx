import { History, ShieldX } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { budgets } from '../../budgets.ts'
import { scopeText } from '../../budget-words.ts'
import { ConfirmDestructive, type Consequence } from '../../components/confirm-destructive.tsx'
import { Money } from '../../components/money.tsx'
import type { Budget } from '../../wire.ts'

/** Says what is no longer limited. The name has to be typed when it holds something back right now. */
export function DeleteBudget({ dialog, budget }: { dialog: RefObject<HTMLDialogElement | null>; budget: Budget }) {
  const go = useGo()
  const toasts = useToasts()
  const remove = budgets.useRemove()
  const change = budgets.useChange()
  const { id, name, enabled, status } = budget
  async function onConfirm(): Promise<void> {
    await remove.mutateAsync(id)
    toasts.done(`“${name}” is deleted`)
    go('/budgets', { replace: true })
  }
  async function switchOff(): Promise<void> {
    await change.mutateAsync({ id, draft: { enabled: false } })
    toasts.done(`“${name}” is switched off`)
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete “${name}”?`}
      act="Delete"
      consequences={consequencesOf(budget)}
      onConfirm={onConfirm}
      typeToConfirm={status?.state === 'over' ? name : undefined}
      {...(enabled && { instead: { label: 'Switch off instead', onClick: () => void switchOff() } })}
    />
  )
}

function consequencesOf(budget: Budget): readonly Consequence[] {
  const { status } = budget
  const what = scopeText(budget)
  const lifted: Consequence =
    status?.state === 'over'
      ? { icon: ShieldX, tone: 'danger', text: `It is used up. ${what} can go on spending at once.` }
      : { icon: ShieldX, tone: 'caution', text: `${what} can spend without this limit from the next request on.` }
  if (status === null) return [{ icon: ShieldX, tone: 'plain', text: 'It is switched off and limits nothing now.' }]
  return [
    lifted,
    {
      icon: History,
      tone: 'plain',
      text: (
        <>
          Its count of <Money usd={status.spent.cost_usd} /> is gone. The log keeps every request and what it cost.
        </>
      ),
    },
  ]
}
