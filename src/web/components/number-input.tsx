import { useState } from 'react'
import { Input, type InputProps } from './input.tsx'

export interface NumberInputProps extends Omit<InputProps, 'value' | 'onChange' | 'type'> {
  /** Null: left to the default. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** A number that may be left out. What is typed stays as it is typed (`0.`), and a text that is no number counts as none. */
export function NumberInput({ value, onChange, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState('')
  const shown = numberOf(typed) === value ? typed : textOf(value)
  return (
    <Input
      {...rest}
      mono
      inputMode="decimal"
      value={shown}
      onChange={({ target }) => {
        const text = target.value.replaceAll(/[^\d.]/g, '')
        setTyped(text)
        onChange(numberOf(text))
      }}
    />
  )
}

function numberOf(text: string): number | null {
  const value = Number(text)
  return text === '' || Number.isNaN(value) ? null : value
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value)
}
