import type { ReactNode } from 'react'

export interface EmptyStateProps {
  /** `No keys yet`. */
  readonly title: string
  /** One sentence about what they are. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-1.5 px-4 py-10 text-center">
      <svg aria-hidden="true" viewBox="0 0 96 36" className="mb-1 h-9 w-24 text-control" fill="none" strokeWidth="2.5">
        <path d="M4 30h88" className="stroke-line" />
        <path d="M22 29c30 0 20-20 50-20" stroke="currentColor" strokeDasharray="4 5" />
      </svg>
      <p className="text-body font-semibold">{title}</p>
      {children && <p className="max-w-110 text-dense text-muted">{children}</p>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
