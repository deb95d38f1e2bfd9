import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { planHref, plans, usePlanList, usePlans } from '../../plans.ts'
import type { Plan } from '../../wire.ts'

export interface ChosenPlan {
  /** Undefined: on none. */
  readonly plan: Plan | undefined
  /** It is not known yet which one it is. */
  readonly isPending: boolean
}

/** The plan that a key would be on. Undefined id: the default one. */
export function usePlanOf(id: string | undefined): ChosenPlan {
  const list = usePlanList()
  const chosen = plans.useOne(id ?? '', { enabled: Boolean(id) })
  if (id === undefined) {
    return { plan: list.data?.data.find(({ is_default: isDefault }) => isDefault), isPending: list.isPending }
  }
  return id === '' ? { plan: undefined, isPending: false } : { plan: chosen.data, isPending: chosen.isPending }
}

export interface PlanFieldProps {
  readonly value: string | undefined
  readonly onChange: (id: string) => void
}

export function PlanField({ value, onChange }: PlanFieldProps) {
  const { plan } = usePlanOf(value)
  const listed = usePlans()
  const known = plan === undefined || listed.some(({ id }) => id === plan.id) ? listed : [...listed, plan]
  const options = [{ value: '', label: 'None' }, ...known.map(({ id, name }) => ({ value: id, label: name }))]
  return (
    <Field
      label="Plan"
      name="plan_id"
      hint={
        plan === undefined ? (
          'Only what is said here limits it.'
        ) : (
          <>
            What is not said here is as{' '}
            <TextLink to={planHref(plan)} className="underline">
              {plan.name}
            </TextLink>{' '}
            has it.
          </>
        )
      }
    >
      <Select className="max-w-80" value={plan?.id ?? ''} options={options} onChange={onChange} />
    </Field>
  )
}
