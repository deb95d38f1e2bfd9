import type { ReactNode } from 'react'

export interface Bar {
  readonly id: string
  readonly label: ReactNode
  readonly value: number
  /** As it is shown. */
  readonly text: ReactNode
}

const SERIES = [
  'bg-data-1',
  'bg-data-2',
  'bg-data-3',
  'bg-data-4',
  'bg-data-5',
  'bg-data-6',
  'bg-data-7',
  'bg-data-8',
] as const

/** Things compared by one number: label, bar, number. `tone` for what is bad; otherwise each has a series colour. */
export function Bars({ bars, label, tone }: { bars: readonly Bar[]; label: string; tone?: 'danger' }) {
  const most = Math.max(1e-12, ...bars.map(({ value }) => value))
  return (
    <ul aria-label={label} className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)_auto] gap-x-3 gap-y-2 text-dense">
      {bars.map(({ id, label, value, text }, at) => (
        <li key={id} className="col-span-3 grid grid-cols-subgrid items-center">
          <span className="truncate">{label}</span>
          <span aria-hidden="true" className="h-2.5">
            <span
              className={`bar block h-full min-w-0.5 rounded-chip ${tone === 'danger' ? 'bg-danger' : (SERIES[Math.min(at, 7)] ?? '')}`}
              style={{ width: `${(value / most) * 100}%` }}
            />
          </span>
          <span className="text-right">{text}</span>
        </li>
      ))}
    </ul>
  )
}

export interface Part {
  readonly id: string
  readonly label: string
  readonly value: number
}

/** What one amount is made of: a single bar, split. The table beside it names the parts in the same order. */
export function SplitBar({ parts }: { parts: readonly Part[] }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full bg-line">
      {parts.map(({ id, label, value }, at) => (
        <span
          key={id}
          title={label}
          className={`bar ${SERIES[Math.min(at, 7)] ?? ''}`}
          style={{ width: total === 0 ? 0 : `${(value / total) * 100}%` }}
        />
      ))}
    </div>
  )
}

/** The swatch of the series at this place: for the legends of `SplitBar` and `Chart`. */
export function Swatch({ at }: { at: number }) {
  return (
    <span
      aria-hidden="true"
      className={`bar inline-block size-2.5 shrink-0 rounded-[3px] ${SERIES[Math.min(at, 7)] ?? ''}`}
    />
  )
}

/** How much of a limit is used. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  const tone = share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-caution' : 'bg-accent'
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="block h-1.5 overflow-hidden rounded-full border border-line bg-sunken"
    >
      <span className={`bar block h-full ${tone}`} style={{ width: `${share * 100}%` }} />
    </span>
  )
}
