import { useEffect, useRef } from 'react'
import UPlot, { type AlignedData, type Options, type Series } from 'uplot'
import { SECOND_MS } from '../../core/duration.ts'
import { theme } from '../shell/theme.ts'
import type { ChartProps } from './chart.tsx'

const AXIS_PX = 52
const X_AXIS_PX = 26
const COLUMN_SHARE = 0.72
const COLUMN_PX_MAX = 28
const SERIES_MAX = 8
const DAY_S = 24 * 3600

/** The drawing behind `Chart`: on a canvas, with the colours that the theme has now. */
export default function Plot(props: ChartProps & { readonly heightPx: number }) {
  const box = useRef<HTMLDivElement>(null)
  const current = useRef(props)
  current.current = props
  useEffect(() => {
    const host = box.current
    if (host === null) return undefined
    let plot = draw(host, current.current)
    const redraw = (): void => {
      plot.destroy()
      plot = draw(host, current.current)
    }
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: host.clientWidth, height: current.current.heightPx }),
    )
    resized.observe(host)
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', redraw)
    const stop = theme.subscribe(redraw)
    return () => {
      resized.disconnect()
      system.removeEventListener('change', redraw)
      stop()
      plot.destroy()
    }
  }, [props.atMs, props.series, props.before, props.kind, props.heightPx])
  return <div ref={box} className="h-full" />
}

function draw(host: HTMLElement, props: ChartProps & { readonly heightPx: number }): UPlot {
  const plot = new UPlot(optionsOf(host, props), dataOf(props), host)
  plot.over.addEventListener('click', () => {
    const at = plot.cursor.idx
    const ms = at === null || at === undefined ? undefined : props.atMs[at]
    if (ms !== undefined) props.onSelect?.(ms)
  })
  return plot
}

/**
 * Columns are drawn as sums from the top series down, so that each covers the lower part of the one before. What they are compared
 * with is behind them all.
 */
function dataOf({ kind, atMs, series, before }: ChartProps): AlignedData {
  const compared = before ? [[...before.values]] : []
  const seconds = atMs.map((ms) => ms / SECOND_MS)
  const values = series.map(({ values }) => [...values])
  if (kind === 'line') return [seconds, ...compared, ...values]
  const sums = values.map((_, upTo) =>
    atMs.map((_, at) => values.slice(0, upTo + 1).reduce((sum, row) => sum + (row[at] ?? 0), 0)),
  )
  return [seconds, ...compared, ...sums.reverse()]
}

function optionsOf(host: HTMLElement, props: ChartProps & { readonly heightPx: number }): Options {
  const { kind, series, before, format, heightPx } = props
  const colour = colourReader(host)
  const lines = series.map(({ label }, at): Series => {
    const stroke = colour(`data-${Math.min(at + 1, SERIES_MAX)}`)
    return kind === 'line'
      ? { label, stroke, width: 2, points: { show: false } }
      : { label, fill: stroke, width: 0, points: { show: false }, paths: columns() }
  })
  const axis = { stroke: colour('muted'), font: `12px ${colour('font', '--font-sans')}`, ticks: { show: false } }
  return {
    width: host.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'line' }, drag: { x: false, y: false } },
    scales: {
      x: { range: (_plot, low, high) => padded(low, high, props) },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: X_AXIS_PX,
        grid: { show: false },
        space: 90,
        values: (_plot, ticks) => ticks.map(tickWriter(ticks)),
      },
      {
        ...axis,
        size: AXIS_PX,
        space: 44,
        grid: { stroke: colour('line'), width: 1 },
        values: (_plot, ticks) => ticks.map(format),
      },
    ],
    series: [
      {},
      ...(before ? [dashed(before.label, colour(`data-${SERIES_MAX}`))] : []),
      ...(kind === 'line' ? lines : lines.toReversed()),
    ],
  }
}

function dashed(label: string, stroke: string): Series {
  return { label, stroke, width: 1.5, dash: [4, 4], points: { show: false } }
}

/** Half a column more on both sides, so that the outermost are whole. */
function padded(low: number, high: number, { kind, atMs }: ChartProps): [number, number] {
  const half = kind === 'columns' ? (high - low || 1) / Math.max(1, atMs.length - 1) / 2 : 0
  return [low - half, high + half]
}

/** Days by their name and number, where they begin; what is shorter by the clock. In the viewer's time zone. */
function tickWriter(ticks: readonly number[]): (second: number) => string {
  const [first = 0, second = first] = ticks
  const days = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })
  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
  return (moment) => {
    const at = new Date(moment * SECOND_MS)
    const isDay = second - first >= DAY_S || (at.getHours() === 0 && at.getMinutes() === 0)
    return (isDay ? days : times).format(at)
  }
}

function columns(): Series.PathBuilder {
  const build = UPlot.paths.bars
  if (build === undefined) throw new Error('this build of the drawing library has no columns')
  return build({ size: [COLUMN_SHARE, COLUMN_PX_MAX], gap: 1 })
}

/** A token's value as the page has it now. */
function colourReader(host: HTMLElement): (token: string, property?: string) => string {
  const style = getComputedStyle(host)
  return (token, property = `--color-${token}`) => style.getPropertyValue(property).trim()
}
