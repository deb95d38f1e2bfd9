import { useGatewayAccounts } from '../gateway-accounts.ts'
import { providerIdOf } from '../target-names.ts'
import { Checkbox } from './checkbox.tsx'
import { Field } from './field.tsx'

export interface TargetAccountsProps {
  /** The API's path of the list. */
  readonly name: string
  readonly model: string
  /** Null: any account. */
  readonly value: readonly string[] | null
  readonly onChange: (ids: string[] | null) => void
}

/** Which accounts of its provider a target may use. A chain or an alias uses those of its own targets. */
export function TargetAccounts({ name, model, value, onChange }: TargetAccountsProps) {
  const provider = providerIdOf(model)
  const accounts = useGatewayAccounts(provider)
  if (accounts.length === 0 && value === null) return null
  const known = accounts.map(({ id }) => id)
  const gone = (value ?? []).filter((id) => !known.includes(id))
  function toggle(id: string, on: boolean): void {
    const others = (value ?? []).filter((other) => other !== id)
    const next = on ? [...others, id] : others
    onChange(next.length === 0 ? null : next)
  }
  return (
    <Field
      label="Accounts"
      name={name}
      group
      hint={value === null ? 'None chosen: any of them, as the settings say.' : undefined}
    >
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {accounts.map(({ id, name: label }) => (
          <Checkbox key={id} label={label} checked={value?.includes(id) ?? false} onChange={(on) => toggle(id, on)} />
        ))}
        {gone.map((id) => (
          <Checkbox key={id} label={`${id} (gone)`} checked onChange={(on) => toggle(id, on)} />
        ))}
      </div>
    </Field>
  )
}
