import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'

export interface CheckboxProps {
  readonly checked: boolean
  /** Some of what it stands for. */
  readonly mixed?: boolean
  readonly onChange: (checked: boolean) => void
  readonly label: ReactNode
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  readonly disabled?: boolean
}

export function Checkbox({ checked, mixed = false, onChange, label, hideLabel, hint, disabled }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <label className="inline-flex min-h-6 items-start gap-2.5 pt-0.5 align-middle text-dense">
      <input
        ref={box}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-px size-4 shrink-0 accent-accent"
      />
      <span className={classNames(hideLabel === true && 'sr-only')}>
        {label}
        {hint && <span className="block text-caption text-faint">{hint}</span>}
      </span>
    </label>
  )
}
