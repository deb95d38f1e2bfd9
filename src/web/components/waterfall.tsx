import type { ReactNode } from 'react'
import { durationText } from '../format/time.ts'
import { classNames } from './class-names.ts'
import { Status, type StatusName } from './status.tsx'

/** One candidate of a request: tried, or passed over and why. */
export interface WaterfallStep {
  readonly id: string
  readonly status: StatusName
  readonly name: ReactNode
  readonly sub?: ReactNode
  /** From the request's start, in milliseconds; null when it was not tried. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly firstTokenMs?: number | null
  /** Beside the bar: the failure, or why it was not tried. */
  readonly note?: ReactNode
  readonly end?: ReactNode
  /** The one that answered. */
  readonly isSet?: boolean
}

const TICKS = 6
/** Short first tries stay visible beside a long answer. */
const BEND = 0.6

/** What was tried, in order, over time. An ordered list first; the bars lie over it. */
export function Waterfall({
  steps,
  totalMs,
  label,
}: {
  steps: readonly WaterfallStep[]
  totalMs: number
  label: string
}) {
  const x = (ms: number): number => (totalMs <= 0 ? 0 : (Math.min(ms, totalMs) / totalMs) ** BEND * 100)
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <div className="min-w-xl">
        <div
          aria-hidden="true"
          className="grid grid-cols-[minmax(10rem,18rem)_1fr_6rem] border-b border-line text-caption text-muted"
        >
          <span />
          <span className="relative mx-3 h-8">
            {Array.from({ length: TICKS + 1 }, (_, at) => (at / TICKS) ** (1 / BEND) * totalMs).map((ms, at) => (
              <span
                key={at}
                style={{ left: `${x(ms)}%` }}
                className={classNames(
                  'absolute top-2 whitespace-nowrap',
                  at === TICKS ? '-translate-x-full' : at > 0 && '-translate-x-1/2',
                )}
              >
                {at === 0 ? '0' : durationText(ms)}
              </span>
            ))}
          </span>
          <span />
        </div>
        <ol aria-label={label}>
          {steps.map((step, at) => (
            <Row key={step.id} step={step} number={at + 1} x={x} />
          ))}
        </ol>
      </div>
    </div>
  )
}

function Row({ step, number, x }: { step: WaterfallStep; number: number; x: (ms: number) => number }) {
  const { status, name, sub, note, end, isSet = false } = step
  return (
    <li
      className={classNames(
        'grid min-h-12 grid-cols-[minmax(10rem,18rem)_1fr_6rem] items-center border-b border-line text-dense last:border-b-0',
        isSet && 'bg-accent-soft',
      )}
    >
      <span className="flex min-w-0 items-center gap-2.5 py-1.5 pr-2 pl-4">
        <span aria-hidden="true" className="w-3 text-right text-caption text-muted">
          {number}
        </span>
        <Status name={status} iconOnly />
        <span className="min-w-0">
          <span className="block truncate font-mono text-caption">{name}</span>
          {sub && <span className="block truncate text-caption text-muted">{sub}</span>}
        </span>
      </span>
      <Track step={step} x={x}>
        {note}
      </Track>
      <span className="pr-4 text-right">{end}</span>
    </li>
  )
}

function Track({ step, x, children }: { step: WaterfallStep; x: (ms: number) => number; children: ReactNode }) {
  const { fromMs, toMs, firstTokenMs, isSet = false } = step
  if (fromMs === null || toMs === null) {
    return <span className="mx-3 border-l-2 border-control pl-2 text-caption text-muted">{children}</span>
  }
  const [from, to] = [x(fromMs), Math.max(x(toMs), x(fromMs) + 0.6)]
  const first = typeof firstTokenMs === 'number' ? Math.min(to, x(firstTokenMs)) : undefined
  const tone = isSet ? 'bg-accent' : 'bg-danger'
  const isLate = from > 55
  return (
    <span className="relative mx-3 block h-full min-h-9">
      <span
        aria-hidden="true"
        className={classNames('bar absolute top-1/2 h-3 -translate-y-1/2 rounded-chip opacity-40', tone)}
        style={{ left: `${from}%`, width: `${(first ?? to) - from}%` }}
      />
      {first !== undefined && (
        <span
          aria-hidden="true"
          className={classNames('bar absolute top-1/2 h-3 -translate-y-1/2 rounded-chip', tone)}
          style={{ left: `${first}%`, width: `${Math.max(0.6, to - first)}%` }}
        />
      )}
      <span
        className={classNames(
          'absolute top-1/2 max-w-[70%] -translate-y-1/2 truncate px-2 text-caption',
          isLate && '-translate-x-full',
          isSet && !isLate && to - from > 40 ? 'text-on-accent' : 'text-ink',
        )}
        style={{ left: `${isLate ? from : isSet && to - from > 40 ? (first ?? from) : to}%` }}
      >
        {children}
      </span>
    </span>
  )
}
