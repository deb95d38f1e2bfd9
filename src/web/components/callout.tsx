import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type CalloutTone = 'clear' | 'caution' | 'danger' | 'info'

const TONES: Readonly<Record<CalloutTone, { readonly icon: LucideIcon; readonly className: string }>> = {
  clear: { icon: CircleCheck, className: 'bg-clear-soft text-clear' },
  caution: { icon: TriangleAlert, className: 'bg-caution-soft text-caution' },
  danger: { icon: CircleX, className: 'bg-danger-soft text-danger' },
  info: { icon: Info, className: 'bg-sunken text-muted' },
}

export interface CalloutProps {
  readonly tone: CalloutTone
  readonly icon?: LucideIcon
  readonly children: ReactNode
  /** At the end: a button or a link. */
  readonly action?: ReactNode
  /** Read out as soon as it appears. */
  readonly alert?: boolean
}

/** Something about the whole card or page that has to be seen. */
export function Callout({ tone, icon, children, action, alert = false }: CalloutProps) {
  const Icon = icon ?? TONES[tone].icon
  return (
    <div
      {...(alert && { role: 'alert' })}
      className={classNames(
        'flex flex-wrap items-center gap-x-2.5 gap-y-2 rounded-control px-3 py-2 text-dense',
        TONES[tone].className,
      )}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      <div className="min-w-0 flex-1 basis-40">{children}</div>
      {action}
    </div>
  )
}
