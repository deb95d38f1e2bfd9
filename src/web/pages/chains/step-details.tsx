import { useContext } from 'react'
import { Field } from '../../components/field.tsx'
import { FormContext } from '../../components/form-state.ts'
import { NumberInput } from '../../components/number-input.tsx'
import { ParamFields } from '../../components/param-fields.tsx'
import { Switch } from '../../components/switch.tsx'
import { TargetAccounts } from '../../components/target-accounts.tsx'
import { useEver } from '../../components/use-ever.ts'
import type { StepFields } from './chain-draft.ts'
import { ConditionEditor } from './condition-editor.tsx'
import type { StepCardProps } from './step-card.tsx'
import { TimeoutFields } from './timeout-fields.tsx'

/** Everything about a step but its name, folded: most steps need none of it. Open where something in it needs a change. */
export function StepDetails({ at, step, strategy, onChange }: StepCardProps) {
  const form = useContext(FormContext)
  const path = `steps.${at}`
  const isOpen = useEver(DETAILS.some((name) => form?.errorOf(`${path}.${name}`) !== undefined))
  const set = (part: Partial<StepFields>): void => onChange({ ...step, ...part })
  return (
    <details className="group mt-1 md:pl-7" open={isOpen || undefined}>
      <summary className="w-fit text-caption text-muted hover:text-ink">
        Conditions, accounts and limits of step {at + 1}
      </summary>
      <div className="grid gap-4 pt-3 pb-1">
        <ConditionEditor path={`${path}.when`} value={step.when} onChange={(when) => set({ when })} />
        <TargetAccounts
          name={`${path}.account_ids`}
          model={step.model}
          value={step.account_ids}
          onChange={(account_ids) => set({ account_ids })}
        />
        <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-3">
          <WeightField path={path} step={step} isUsed={strategy === 'weighted'} onChange={set} />
          <Field label="Priority" name={`${path}.priority`} hint="The lowest group first, whatever the strategy.">
            <NumberInput value={step.priority} onChange={(priority) => set({ priority: priority ?? 0 })} />
          </Field>
          <Switch label="Use this step" checked={step.enabled} onChange={(enabled) => set({ enabled })} />
        </div>
        <ParamFields path={`${path}.params`} value={step.params} onChange={(params) => set({ params })} />
        <TimeoutFields path={`${path}.timeouts`} value={step.timeouts} onChange={(timeouts) => set({ timeouts })} />
      </div>
    </details>
  )
}

const DETAILS = ['when', 'account_ids', 'weight', 'priority', 'params', 'timeouts'] as const

interface PartProps {
  readonly path: string
  readonly step: StepFields
  readonly onChange: (part: Partial<StepFields>) => void
}

function WeightField({ path, step, isUsed, onChange }: PartProps & { isUsed: boolean }) {
  return (
    <Field
      label="Weight"
      name={`${path}.weight`}
      hint={isUsed ? 'Its share of the requests.' : 'Counts with “By weight”.'}
    >
      <NumberInput value={step.weight} onChange={(weight) => onChange({ weight: weight ?? 0 })} />
    </Field>
  )
}
