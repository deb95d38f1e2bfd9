import type { Account } from '../wire.ts'
import { Field } from './field.tsx'
import { NumberInput } from './number-input.tsx'
import { Select } from './select.tsx'

type Params = Account['params']
type Effort = NonNullable<NonNullable<Params['thinking']>['effort']>

export interface ParamFieldsProps {
  /** The API's path of them: `steps.0.params`. */
  readonly path: string
  readonly value: Params
  readonly onChange: (params: Params) => void
}

const NUMBERS = [
  { name: 'temperature', label: 'Temperature' },
  { name: 'max_tokens', label: 'Most output tokens' },
] as const

const AS_ASKED = 'as the client says'
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly Effort[]
const EFFORT_OPTIONS = [{ value: '', label: AS_ASKED }, ...EFFORTS.map((value) => ({ value, label: value }))]

/** Put in whatever the client says. Others than these are kept as the API has them. */
export function ParamFields({ path, value: params, onChange }: ParamFieldsProps) {
  function setNumber(name: (typeof NUMBERS)[number]['name'], value: number | null): void {
    const { [name]: _, ...others } = params
    onChange(value === null ? others : { ...others, [name]: value })
  }
  return (
    <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-3">
      {NUMBERS.map(({ name, label }) => (
        <Field key={name} label={label} name={`${path}.${name}`}>
          <NumberInput value={params[name] ?? null} placeholder={AS_ASKED} onChange={(next) => setNumber(name, next)} />
        </Field>
      ))}
      <Field label="Thinking" name={`${path}.thinking`}>
        <Select
          value={params.thinking?.effort ?? ''}
          options={EFFORT_OPTIONS}
          onChange={(effort) =>
            onChange(
              withEffort(
                params,
                EFFORTS.find((known) => known === effort),
              ),
            )
          }
        />
      </Field>
    </div>
  )
}

/** A budget of tokens that the API has beside it stays. */
function withEffort({ thinking, ...others }: Params, effort: Effort | undefined): Params {
  const { effort: _, ...budget } = thinking ?? {}
  const next = effort === undefined ? budget : { ...budget, effort }
  return Object.keys(next).length === 0 ? others : { ...others, thinking: next }
}
