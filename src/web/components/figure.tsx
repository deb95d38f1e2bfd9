import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { changeText } from '../format/change.ts'
import { classNames } from './class-names.ts'
import { Money } from './money.tsx'

/** One number that answers a question, and what stands below it. */
export function Figure({ label, value, below }: { label: string; value: ReactNode; below?: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-caption text-muted">{label}</p>
      <p className="mt-1 truncate text-page font-semibold">{value}</p>
      {below && <p className="mt-0.5 text-caption text-muted">{below}</p>}
    </div>
  )
}

/** The last of a wrapped row reaches to its end, so that no place is left empty. */
const LAST_FILLS = classNames(
  'max-sm:[&>*:last-child:nth-child(odd)]:col-span-2',
  'sm:max-xl:[&>*:last-child:nth-child(3n+1)]:col-span-3 sm:max-xl:[&>*:last-child:nth-child(3n+2)]:col-span-2',
)

/** Figures in one row of a card, rules between them; they wrap on narrow screens. */
export function FigureRow({ children }: { children: ReactNode }) {
  return (
    <div
      className={classNames(
        'grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-3 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none [&>*]:bg-surface [&>*]:px-4 [&>*]:py-3.5',
        LAST_FILLS,
      )}
    >
      {children}
    </div>
  )
}

export interface ChangeProps {
  readonly now: number
  readonly before: number
  /** Which direction is certainly better; without it neither gets a colour. */
  readonly better?: 'up' | 'down'
  readonly was?: ReactNode
}

/** How a figure has changed since the period before. */
export function Change({ now, before, better, was }: ChangeProps) {
  const { direction, amount } = changeText(now, before)
  if (direction === 'same') return <span>as before</span>
  const Icon = direction === 'up' ? ArrowUp : ArrowDown
  const tone = better === undefined ? '' : better === direction ? 'text-clear' : 'text-danger'
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1">
      <span className={classNames('inline-flex items-center gap-0.5 font-medium', tone)}>
        <Icon aria-label={direction === 'up' ? 'up' : 'down'} size={13} strokeWidth={2} />
        {amount || 'new'}
      </span>
      {was && <span>was {was}</span>}
    </span>
  )
}

/** Spending less is better; to begin to spend is neither. */
export function CostChange({ now, before }: { now: number; before: number }) {
  if (before === 0) return <Change now={now} before={before} />
  return <Change now={now} before={before} better="down" was={<Money usd={before} />} />
}
