import type { CSSProperties, ReactNode } from 'react'
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

export interface WaterfallProps {
  /** What is listed, for screen readers. */
  readonly label: string
  readonly steps: readonly WaterfallStep[]
  readonly totalMs: number
  /** When the first content reached the client: a line through all of them. */
  readonly firstTokenMs?: number | null
}

type Scale = (ms: number) => number

const TICKS = 6
/** Short first tries stay visible beside a long answer. */
const BEND = 0.6
/** Per cent of the track that a bar has at least, and that words need beside or inside it. */
const BAR_MIN = 0.6
const WORDS = 38
/** On wide screens; the lines between bars are drawn to it. */
const ROW_PX = 48
const COLUMNS = 'md:grid md:grid-cols-[min(34%,21rem)_minmax(0,1fr)_6.5rem]'

/** What was tried, in order, over time. An ordered list first; the bars lie over it. */
export function Waterfall({ label, steps, totalMs, firstTokenMs = null }: WaterfallProps) {
  const x: Scale = (ms) => (totalMs <= 0 ? 0 : (Math.min(ms, totalMs) / totalMs) ** BEND * 100)
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <Ticks totalMs={totalMs} x={x} />
      <div className="relative">
        <Lines steps={steps} x={x} firstTokenMs={firstTokenMs} />
        <ol aria-label={label}>
          {steps.map((step, at) => (
            <Row key={step.id} step={step} number={at + 1} x={x} />
          ))}
        </ol>
      </div>
    </div>
  )
}

function Ticks({ totalMs, x }: { totalMs: number; x: Scale }) {
  const ticks = Array.from({ length: TICKS + 1 }, (_, at) => (at / TICKS) ** (1 / BEND) * totalMs)
  return (
    <div aria-hidden="true" className={classNames('hidden border-b border-line text-caption text-muted', COLUMNS)}>
      <span />
      <span className="relative mx-3 h-8">
        {ticks.map((ms, at) => (
          <span
            key={at}
            style={{ left: `${x(ms)}%` }}
            className={classNames(
              'absolute top-2 whitespace-nowrap',
              at === TICKS ? '-translate-x-full' : at > 0 && '-translate-x-1/2',
              at % 2 === 1 && 'max-xl:hidden',
            )}
          >
            {at === 0 ? '0' : durationText(ms)}
          </span>
        ))}
      </span>
      <span />
    </div>
  )
}

interface LinesProps {
  readonly steps: readonly WaterfallStep[]
  readonly x: Scale
  readonly firstTokenMs: number | null
}

/** From the end of each try to the start of the next, past whatever was passed over. Behind the words. */
function Lines({ steps, x, firstTokenMs }: LinesProps) {
  const tried = steps.flatMap(({ fromMs, toMs }, at) =>
    fromMs === null || toMs === null ? [] : [{ from: x(fromMs), to: x(toMs), y: (at + 0.5) * ROW_PX }],
  )
  const height = steps.length * ROW_PX
  const first = firstTokenMs === null ? undefined : x(firstTokenMs)
  return (
    <div aria-hidden="true" className={classNames('pointer-events-none absolute inset-0 z-1 hidden', COLUMNS)}>
      <span className="border-r border-line" />
      <span className="relative mx-3">
        <svg
          viewBox={`0 0 100 ${height}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
          fill="none"
          strokeWidth="1.5"
        >
          {tried.slice(1).map((next, at) => {
            const before = tried[at]
            return (
              before && (
                <path
                  key={next.y}
                  d={`M${before.to} ${before.y}V${next.y}H${next.from}`}
                  className="stroke-muted"
                  vectorEffect="non-scaling-stroke"
                />
              )
            )
          })}
          {first !== undefined && (
            <path
              d={`M${first} 0V${height}`}
              className="stroke-accent"
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
      </span>
      <span className="border-l border-line" />
    </div>
  )
}

function Row({ step, number, x }: { step: WaterfallStep; number: number; x: Scale }) {
  const { status, name, sub, note, end, isSet = false } = step
  return (
    <li
      className={classNames(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line text-dense last:border-b-0 max-md:px-4 max-md:py-2.5 md:h-12 md:gap-x-0',
        COLUMNS,
        isSet && 'bg-accent-soft [&_.text-faint]:text-muted',
      )}
    >
      <span className="flex min-w-0 items-center gap-2.5 md:pr-2 md:pl-4">
        <span aria-hidden="true" className="w-3 text-right text-caption text-muted max-md:hidden">
          {number}
        </span>
        <Status name={status} iconOnly />
        <span className="min-w-0">
          <span className="block truncate font-mono text-caption" title={typeof name === 'string' ? name : undefined}>
            {name}
          </span>
          {sub && <span className="block truncate text-caption text-muted">{sub}</span>}
        </span>
      </span>
      <Track step={step} x={x}>
        {note}
      </Track>
      <span className="text-right max-md:col-start-2 max-md:row-start-1 md:pr-4">{end}</span>
    </li>
  )
}

function Track({ step, x, children }: { step: WaterfallStep; x: Scale; children: ReactNode }) {
  const { fromMs, toMs, firstTokenMs, isSet = false } = step
  const isTried = fromMs !== null && toMs !== null
  const from = isTried ? x(fromMs) : 0
  const to = isTried ? Math.min(100, Math.max(x(toMs), from + BAR_MIN)) : 0
  const first = typeof firstTokenMs === 'number' ? Math.min(to, x(firstTokenMs)) : undefined
  // An answer that came in one piece is solid from its start; while nothing has come, all of it is waiting.
  const solid = first ?? (isSet && step.status !== 'streaming' ? from : undefined)
  const words = isTried ? wordsAt({ from, to, solid, isSet }) : { style: { left: 0 }, isInside: false }
  return (
    <span className="relative block min-w-0 max-md:col-span-2 max-md:mt-1.5 max-md:pl-6.5 md:mx-3 md:h-full">
      <span
        aria-hidden="true"
        className={classNames(
          'relative block h-2.5 max-md:rounded-full max-md:bg-line md:h-full',
          !isTried && 'max-md:hidden',
        )}
      >
        {isTried ? (
          <>
            <Bar from={from} to={solid ?? to} tone={isSet ? 'bg-accent' : 'bg-danger'} isFaint />
            {solid !== undefined && <Bar from={solid} to={to} tone={isSet ? 'bg-accent' : 'bg-danger'} />}
          </>
        ) : (
          <span className="absolute top-1/2 left-0 hidden h-4 w-5 -translate-y-1/2 border-r-2 border-control md:block">
            <span className="absolute top-1/2 w-full border-t-2 border-control" />
          </span>
        )}
      </span>
      <span
        style={words.style}
        className={classNames(
          'block truncate text-caption max-md:mt-1 md:absolute md:top-1/2 md:z-2 md:max-w-[min(60%,28rem)] md:-translate-y-1/2 md:px-2',
          words.isInside
            ? 'md:text-on-accent'
            : classNames('md:rounded-chip', isSet ? 'md:bg-accent-soft' : 'md:bg-surface'),
          !isTried && 'text-muted md:ml-7',
        )}
      >
        {children}
      </span>
    </span>
  )
}

function Bar({ from, to, tone, isFaint = false }: { from: number; to: number; tone: string; isFaint?: boolean }) {
  return (
    <span
      className={classNames(
        'bar absolute top-1/2 h-2.5 -translate-y-1/2 rounded-chip md:h-4',
        tone,
        isFaint && 'opacity-45',
      )}
      style={{ left: `${from}%`, width: `${Math.max(BAR_MIN, to - from)}%` }}
    />
  )
}

interface BarPlace {
  readonly from: number
  readonly to: number
  /** Where its solid part begins. */
  readonly solid: number | undefined
  readonly isSet: boolean
}

/** In the bar that answered when they fit, else beside it, else over it. */
function wordsAt({ from, to, solid, isSet }: BarPlace): { style: CSSProperties; isInside: boolean } {
  if (isSet && solid !== undefined && to - solid > WORDS) return { style: { left: `${solid}%` }, isInside: true }
  if (to < 100 - WORDS) return { style: { left: `${to}%` }, isInside: false }
  if (from > WORDS) return { style: { right: `${100 - from}%` }, isInside: false }
  return { style: { left: `${from + 1}%` }, isInside: false }
}
