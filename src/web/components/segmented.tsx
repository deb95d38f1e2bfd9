import { useId } from 'react'
import type { SelectOption } from './select.tsx'

export interface SegmentedProps<Value extends string> {
  /** What is chosen, for screen readers: `Range`. */
  readonly label: string
  readonly value: Value
  readonly options: readonly SelectOption<Value>[]
  readonly onChange: (value: Value) => void
}

/** One of a few, all of them in sight. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="inline-flex h-8.5 max-w-full overflow-x-auto rounded-control border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex cursor-pointer items-center rounded-chip border border-transparent px-2.5 text-dense whitespace-nowrap text-muted hover:text-ink has-checked:border-line has-checked:bg-surface has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            className="sr-only"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
