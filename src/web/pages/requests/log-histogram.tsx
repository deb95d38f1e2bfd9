import { type PointerEvent, useState } from 'react'
import { DAY_MS } from '../../../core/duration.ts'
import type { SearchParams } from '../../address.ts'
import { ownTimeZone } from '../../components/time-zone-input.tsx'
import { countText, plural } from '../../format/count.ts'
import { useApiQuery } from '../../resource.ts'
import type { UsageTelemetry } from '../../wire.ts'

interface Bin {
  readonly atMs: number
  readonly requests: number
  readonly failed: number
}

interface Brush {
  readonly from: number
  readonly to: number
}

export interface LogHistogramProps {
  readonly search: SearchParams
  /** A stretch of time was chosen; both ends as the API writes them. */
  readonly onBrush: (from: string, to: string) => void
}

const BINS_MAX = 96
const RENEW_MS = 10_000
const LABELS = 5
const RANGES: Readonly<Record<string, string>> = {
  today: 'today',
  '24h': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
}
/** Filters in time: with any other one the picture would show more than the list does. */
const TEMPORAL: ReadonlySet<string> = new Set(['range', 'from', 'to', 'live'])

/** When there were how many, failures on top. Dragging over it chooses a stretch of time; the Time filter does so by keyboard. */
export function LogHistogram({ search, onBrush }: LogHistogramProps) {
  const range = search['range'] !== undefined && search['range'] in RANGES ? search['range'] : '24h'
  const isWhole = Object.keys(search).every((name) => TEMPORAL.has(name))
  const { data } = useApiQuery<UsageTelemetry>(
    '/v1/usage/telemetry',
    { range, tz: ownTimeZone() },
    { enabled: isWhole, everyMs: RENEW_MS },
  )
  if (!isWhole || data === undefined || data.summary.requests === 0) return null
  const { bins, binMs } = binsOf(data)
  const sentence = `${plural(data.summary.requests, 'request')} ${RANGES[range] ?? ''}, ${countText(data.summary.failed + data.summary.cut)} failed`
  return (
    <div className="px-4 pt-3 md:px-6">
      <Columns bins={bins} binMs={binMs} label={sentence} onBrush={onBrush} />
      <Axis bins={bins} binMs={binMs} />
    </div>
  )
}

interface ColumnsProps extends Pick<LogHistogramProps, 'onBrush'> {
  readonly bins: readonly Bin[]
  readonly binMs: number
  readonly label: string
}

function Columns({ bins, binMs, label, onBrush }: ColumnsProps) {
  const [brush, setBrush] = useState<Brush>()
  const most = Math.max(1, ...bins.map(({ requests }) => requests))
  const binAt = ({ currentTarget, clientX }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(bins.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bins.length)))
  }
  const choose = (): void => {
    if (brush === undefined) return
    const [first, last] = [bins[Math.min(brush.from, brush.to)], bins[Math.max(brush.from, brush.to)]]
    setBrush(undefined)
    if (first === undefined || last === undefined) return
    onBrush(new Date(first.atMs).toISOString(), new Date(last.atMs + binMs - 1).toISOString())
  }
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${bins.length} 100`}
      preserveAspectRatio="none"
      className="block h-9 w-full cursor-crosshair touch-pan-y md:h-10"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setBrush({ from: binAt(event), to: binAt(event) })
      }}
      onPointerMove={(event) => {
        if (brush !== undefined) setBrush({ ...brush, to: binAt(event) })
      }}
      onPointerUp={choose}
      onPointerCancel={() => setBrush(undefined)}
    >
      {brush !== undefined && (
        <rect
          x={Math.min(brush.from, brush.to)}
          width={Math.abs(brush.to - brush.from) + 1}
          height={100}
          className="fill-accent-soft"
        />
      )}
      <path d="M0 99.5H10000" className="stroke-line" vectorEffect="non-scaling-stroke" />
      {bins.map((bin, at) => (
        <Column key={bin.atMs} bin={bin} at={at} most={most} isLast={at === bins.length - 1} />
      ))}
    </svg>
  )
}

/** The running one is lighter. */
function Column({ bin, at, most, isLast }: { bin: Bin; at: number; most: number; isLast: boolean }) {
  const { atMs, requests, failed } = bin
  if (requests === 0) return null
  const height = Math.max(4, (requests / most) * 100)
  const bad = failed === 0 ? 0 : Math.max(6, (failed / requests) * height)
  return (
    <g opacity={isLast ? 0.6 : 1}>
      <title>{`${timeLabel(atMs, true)}: ${plural(requests, 'request')}, ${countText(failed)} failed`}</title>
      <rect className="bar fill-data-1 opacity-60" x={at + 0.06} width={0.88} y={100 - height} height={height - bad} />
      <rect className="bar fill-danger" x={at + 0.06} width={0.88} y={100 - height} height={bad} />
    </g>
  )
}

function Axis({ bins, binMs }: { bins: readonly Bin[]; binMs: number }) {
  const first = bins[0]?.atMs ?? 0
  const spanMs = bins.length * binMs
  const hasDays = spanMs > DAY_MS * 1.5
  return (
    <div aria-hidden="true" className="mt-1 flex justify-between text-caption text-muted max-md:hidden">
      {Array.from({ length: LABELS }, (_, at) => (
        <span key={at}>{timeLabel(first + (spanMs * at) / (LABELS - 1), hasDays)}</span>
      ))}
    </div>
  )
}

function timeLabel(atMs: number, hasDays: boolean): string {
  const at = new Date(atMs)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return hasDays ? `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}` : time
}

/** Neighbours are taken together until they fit. */
function binsOf({ series, bucket_ms }: UsageTelemetry): { bins: readonly Bin[]; binMs: number } {
  const per = Math.ceil(series.length / BINS_MAX)
  const bins: Bin[] = []
  // Counted from the newest, so that the last one is as wide as the others; what is left over at the start is not drawn.
  for (let at = series.length % per; at < series.length; at += per) {
    const part = series.slice(at, at + per)
    bins.push({
      atMs: Date.parse(part[0]?.at ?? ''),
      requests: part.reduce((sum, { requests }) => sum + requests, 0),
      failed: part.reduce((sum, { failed }) => sum + failed, 0),
    })
  }
  return { bins, binMs: per * bucket_ms }
}
