import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'plain' | 'accent' | 'clear' | 'caution' | 'danger'

const TONES: Readonly<Record<BadgeTone, string>> = {
  plain: 'border-line bg-sunken text-muted',
  accent: 'border-transparent bg-accent-soft text-accent-ink',
  clear: 'border-transparent bg-clear-soft text-clear',
  caution: 'border-transparent bg-caution-soft text-caution',
  danger: 'border-transparent bg-danger-soft text-danger',
}

export interface BadgeProps {
  readonly tone?: BadgeTone
  readonly icon?: LucideIcon
  readonly mono?: boolean
  readonly children: ReactNode
}

/** A short word about the thing beside it. */
export function Badge({ tone = 'plain', icon: Icon, mono = false, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-chip border px-1.5 text-[0.6875rem] leading-5 whitespace-nowrap',
        TONES[tone],
        mono && 'font-mono',
      )}
    >
      {Icon && <Icon aria-hidden="true" size={12} strokeWidth={2} />}
      {children}
    </span>
  )
}
