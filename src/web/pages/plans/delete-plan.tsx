import { ArrowRightLeft, Users, Wallet } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { budgets } from '../../budgets.ts'
import { ConfirmDestructive, type Consequence } from '../../components/confirm-destructive.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { plural } from '../../format/count.ts'
import { usePlans } from '../../plans.ts'
import type { Plan } from '../../wire.ts'
import { useRemovePlan } from './data.ts'

export interface DeletePlanProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly plan: Plan
}

/** Says who is on the plan and asks where they go: no key is left without one by accident. */
export function DeletePlan({ dialog, plan }: DeletePlanProps) {
  const [moveTo, setMoveTo] = useState('')
  const remove = useRemovePlan()
  const toasts = useToasts()
  const go = useGo()
  const isUsed = plan.keys_count > 0
  const limits = budgets.useList({ scope: 'plan', scope_id: plan.id, limit: 1 }).data?.data ?? []
  async function onConfirm(): Promise<void> {
    toasts.done(sentence(await remove.mutateAsync({ id: plan.id, moveTo: isUsed ? moveTo : undefined })))
    go('/plans', { replace: true })
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete plan “${plan.name}”?`}
      act="Delete"
      consequences={[usedBy(plan), ...limits.map(({ name }) => limitedBy(name))]}
      missing={isUsed && moveTo === '' ? 'Choose where its keys go first' : undefined}
      onConfirm={onConfirm}
    >
      {isUsed && (
        <Field label="Move its keys to">
          <OtherPlans plan={plan} value={moveTo} onChange={setMoveTo} />
        </Field>
      )}
    </ConfirmDestructive>
  )
}

function OtherPlans({ plan, value, onChange }: { plan: Plan; value: string; onChange: (id: string) => void }) {
  const others = usePlans().filter(({ id }) => id !== plan.id)
  const none = others.length === 0 ? 'There is no other plan yet' : 'Choose a plan'
  const options = [{ value: '', label: none }, ...others.map(({ id, name }) => ({ value: id, label: name }))]
  return <Select value={value} options={options} onChange={onChange} />
}

function usedBy({ keys_count: count, is_default: isDefault }: Plan): Consequence {
  const heir = isDefault ? ' New keys are on no plan from then on, until another one is the default.' : ''
  return count === 0
    ? { icon: Users, tone: 'plain', text: `No key is on it.${heir}` }
    : {
        icon: ArrowRightLeft,
        tone: 'caution',
        text: `${plural(count, 'key')} ${count === 1 ? 'is' : 'are'} on it and will be limited by another plan from the next request on.${heir}`,
      }
}

function limitedBy(name: string): Consequence {
  return {
    icon: Wallet,
    tone: 'danger',
    text: `The budget “${name}” limits this plan. It has to be changed or deleted first.`,
  }
}

/** The server's words, as a sentence. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
