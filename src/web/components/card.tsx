import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export interface CardProps {
  readonly title?: ReactNode
  /** Beside the title, fainter: a count, a range. */
  readonly aside?: ReactNode
  /** At the title's end: a link, a badge, a switch. */
  readonly action?: ReactNode
  /** A list or a table that reaches the edges. */
  readonly flush?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A surface with a heading of its own. */
export function Card({ title, aside, action, flush = false, className, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={classNames('min-w-0 rounded-card border border-line bg-surface', className)}
    >
      {title !== undefined && (
        <div
          className={classNames(
            'flex min-h-11 flex-wrap items-center gap-x-2.5 gap-y-1 px-4 pt-2',
            flush && 'border-b border-line pb-2',
          )}
        >
          <h2 id={id} className="text-dense font-semibold">
            {title}
          </h2>
          {aside && <span className="text-caption text-muted">{aside}</span>}
          {action && <div className="ml-auto flex max-w-full min-w-0 items-center gap-2 text-dense">{action}</div>}
        </div>
      )}
      <div className={flush ? '' : classNames('px-4 pb-4', title === undefined ? 'pt-4' : 'pt-1.5')}>{children}</div>
    </section>
  )
}
