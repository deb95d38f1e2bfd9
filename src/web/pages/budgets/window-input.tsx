import { useState } from 'react'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'

const UNITS = [
  { value: '86400', label: 'days' },
  { value: '3600', label: 'hours' },
  { value: '60', label: 'minutes' },
] as const
type Unit = (typeof UNITS)[number]['value']

export interface WindowInputProps {
  readonly seconds: number | null
  readonly onChange: (seconds: number | null) => void
}

/** A length of time, in the largest unit that it is whole in. */
export function WindowInput({ seconds, onChange }: WindowInputProps) {
  const [unit, setUnit] = useState<Unit>(
    () => UNITS.find(({ value }) => (seconds ?? 0) % Number(value) === 0)?.value ?? '60',
  )
  const size = Number(unit)
  const amount = seconds === null ? null : seconds / size
  return (
    <span className="flex max-w-60 gap-2">
      <NumberInput value={amount} onChange={(next) => onChange(next === null ? null : Math.round(next * size))} />
      <Select
        id={undefined}
        aria-label="Unit"
        className="w-32 shrink-0"
        value={unit}
        options={UNITS}
        onChange={(next) => {
          setUnit(next)
          onChange(amount === null ? null : Math.round(amount * Number(next)))
        }}
      />
    </span>
  )
}
