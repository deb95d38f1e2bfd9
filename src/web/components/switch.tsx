import * as Radix from '@radix-ui/react-switch'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useFieldProps } from './field.tsx'

export interface SwitchProps {
  readonly checked: boolean
  /** Takes effect at once, or when the form around it is saved. */
  readonly onChange: (checked: boolean) => void
  readonly label: ReactNode
  /** The label is read out but not shown, as in a table. */
  readonly hideLabel?: boolean
  readonly disabled?: boolean
}

export function Switch({ checked, onChange, label, hideLabel = false, disabled = false }: SwitchProps) {
  const field = useFieldProps()
  const ownId = useId()
  const id = field.id ?? ownId
  return (
    <span className="inline-flex min-h-6 items-center gap-2.5 text-dense">
      <Radix.Root
        {...field}
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        {...(hideLabel && typeof label === 'string' && { 'aria-label': label })}
        className="relative h-4.5 w-8 shrink-0 rounded-full bg-control transition-colors duration-[120ms] after:absolute after:-inset-y-1 after:inset-x-0 data-[state=checked]:bg-accent disabled:opacity-55"
      >
        <Radix.Thumb className="grid size-3.5 translate-x-0.5 place-items-center rounded-full bg-surface text-accent transition-transform duration-[120ms] data-[state=checked]:translate-x-4">
          {checked && <Check aria-hidden="true" size={10} strokeWidth={3} />}
        </Radix.Thumb>
      </Radix.Root>
      {!hideLabel && <label htmlFor={id}>{label}</label>}
    </span>
  )
}
