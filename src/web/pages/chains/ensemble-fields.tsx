import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import type { StepFields } from './chain-draft.ts'
import { type EnsembleFields as Ensemble, withMember } from './ensemble-draft.ts'

interface EnsembleFieldsProps {
  readonly ensemble: Ensemble
  readonly steps: readonly StepFields[]
  readonly onChange: (ensemble: Ensemble) => void
}

const MODES = [
  { value: 'pick', label: 'picks the best answer' },
  { value: 'merge', label: 'writes one out of them' },
] as const

/** Who is asked at once, who judges what they answer, and how. */
export function EnsembleFields({ ensemble, steps, onChange }: EnsembleFieldsProps) {
  const names = steps.map(({ id, model }, at) => ({ value: id, label: `Step ${at + 1}: ${model || 'no model yet'}` }))
  const mode = MODES.find(({ value }) => value === ensemble.mode)?.value ?? 'pick'
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label="Ask at once" name="ensemble.panel" group hint="Two to eight. Each is asked, and paid, every time.">
        <div className="grid gap-1">
          {names.map(({ value, label }) => (
            <Checkbox
              key={value}
              label={label}
              checked={ensemble.panel.includes(value)}
              onChange={(on) => onChange(withMember(ensemble, steps, value, on))}
            />
          ))}
        </div>
      </Field>
      <Field label="The judge" name="ensemble.judge" hint="Reads the conversation and every answer.">
        <Select value={ensemble.judge} options={names} onChange={(judge) => onChange({ ...ensemble, judge })} />
      </Field>
      <Field label="The judge then" name="ensemble.mode" hint="Answers that call tools are picked whole.">
        <Select value={mode} options={MODES} onChange={(next) => onChange({ ...ensemble, mode: next })} />
      </Field>
    </div>
  )
}
