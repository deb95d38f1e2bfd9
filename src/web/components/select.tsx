import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { useFieldProps } from './field.tsx'
import { CONTROL } from './input.tsx'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
}

export interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly value: Value
  readonly options: readonly SelectOption<Value>[]
  readonly onChange: (value: Value) => void
}

/** The browser's own choice of one: works by keyboard, on phones and in forced colours as people know it. */
export function Select<Value extends string>({ value, options, onChange, className, ...rest }: SelectProps<Value>) {
  const field = useFieldProps()
  return (
    <span className={classNames('relative block min-w-0', className)}>
      <select
        {...field}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)} // one of the options
        className={classNames(CONTROL, 'h-9 appearance-none pr-8 pl-2.5 coarse:h-11')}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
