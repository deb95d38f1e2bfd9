import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'

export type StepState = 'done' | 'current' | 'ahead'

export interface StepProps {
  readonly number: number
  readonly state: StepState
  readonly title: string
  /** Beside the title, fainter. */
  readonly aside?: ReactNode
  /** At the title's end. */
  readonly action?: ReactNode
  readonly children?: ReactNode
}

const WORDS: Readonly<Record<StepState, string>> = { done: 'done', current: 'now', ahead: 'later' }

/** Steps down one line, which is set as far as they are done. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className="grid">{children}</ol>
}

export function Step({ number, state, title, aside, action, children }: StepProps) {
  return (
    <li className="group relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3 pb-4 last:pb-0 sm:gap-4">
      <span
        aria-hidden="true"
        className={classNames(
          'absolute top-0 bottom-0 left-3.25 w-0.5 group-last:hidden',
          state === 'done' ? 'bg-accent' : 'bg-line',
        )}
      />
      <Marker number={number} state={state} />
      <section aria-label={title} className="min-w-0 rounded-card border border-line bg-surface p-4">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
          <h3 className="text-body font-semibold">{title}</h3>
          {aside && <span className="text-dense text-muted">{aside}</span>}
          <span className="sr-only">({WORDS[state]})</span>
          {action && <div className="ml-auto flex items-center gap-2">{action}</div>}
        </div>
        {children}
      </section>
    </li>
  )
}

function Marker({ number, state }: { number: number; state: StepState }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'relative grid size-7 place-items-center rounded-full border-2 text-caption font-semibold',
        state === 'done' && 'border-accent bg-accent text-on-accent',
        state === 'current' && 'border-accent bg-surface text-accent-ink',
        state === 'ahead' && 'border-line bg-surface text-muted',
      )}
    >
      {state === 'done' ? <Check size={16} strokeWidth={2.5} /> : number}
    </span>
  )
}
