import { useState } from 'react'
import { WINDOW_UNITS } from '../../budget-words.ts'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'

const UNITS = WINDOW_UNITS.map(({ seconds, one }) => ({ value: String(seconds), label: `${one}s` }))
const SMALLEST = '60'

export interface WindowInputProps {
  readonly seconds: number | null
  readonly onChange: (seconds: number | null) => void
}

/** A length of time, in the largest unit that it is whole in. */
export function WindowInput({ seconds, onChange }: WindowInputProps) {
  const [unit, setUnit] = useState(
    () => UNITS.find(({ value }) => (seconds ?? 0) % Number(value) === 0)?.value ?? SMALLEST,
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
