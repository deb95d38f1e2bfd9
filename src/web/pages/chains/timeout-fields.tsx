import { Field } from '../../components/field.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import type { Chain } from '../../wire.ts'

type Timeouts = Chain['timeouts']

const TIMEOUTS = [
  { name: 'connect_ms', label: 'Connect within, ms' },
  { name: 'first_token_ms', label: 'First token within, ms' },
  { name: 'idle_ms', label: 'Silent for at most, ms' },
  { name: 'total_ms', label: 'All of it within, ms' },
] as const satisfies readonly { name: keyof Timeouts; label: string }[]

export interface TimeoutFieldsProps {
  readonly path: string
  readonly value: Timeouts
  readonly onChange: (timeouts: Timeouts) => void
}

/** How long to wait; what is left empty is as above it: the chain's, or the settings'. */
export function TimeoutFields({ path, value, onChange }: TimeoutFieldsProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-4">
      {TIMEOUTS.map(({ name, label }) => (
        <Field key={name} label={label} name={`${path}.${name}`}>
          <NumberInput
            value={value[name]}
            placeholder="as usual"
            onChange={(next) => onChange({ ...value, [name]: next })}
          />
        </Field>
      ))}
    </div>
  )
}
