import { useMemo, useState } from 'react'
import { useGo } from '../../address.ts'
import { Card } from '../../components/card.tsx'
import { Chart, type ChartSeries } from '../../components/chart.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { countText, plural, tokensText } from '../../format/count.ts'
import { nanoFromUsd, shortMoney } from '../../format/money.ts'
import type { UsageTelemetry } from '../../wire.ts'
import { columnEnd, columnStart, courseOf, type CoursePoint, gathered } from './course.ts'

const CHART_PX = 220

interface Measure {
  readonly label: string
  readonly series: (points: readonly CoursePoint[]) => readonly ChartSeries[]
  /** The same of the range before, as the server names it. */
  readonly before: keyof UsageTelemetry['previous_series']
  readonly format: (value: number) => string
}

const MEASURES = {
  cost: {
    label: 'Cost',
    series: (points) => [{ label: 'Cost', values: points.map(({ costUsd }) => costUsd) }],
    before: 'cost_usd',
    format: (value) => shortMoney(nanoFromUsd(value)),
  },
  requests: {
    label: 'Requests',
    series: (points) => [
      { label: 'Answered', values: points.map(({ requests, failed }) => requests - failed) },
      { label: 'Failed', values: points.map(({ failed }) => failed) },
    ],
    before: 'requests',
    format: (value) => (Number.isInteger(value) ? countText(value) : ''),
  },
  tokens: {
    label: 'Tokens',
    series: (points) => [
      { label: 'Input', values: points.map(({ inputTokens }) => inputTokens) },
      { label: 'Output', values: points.map(({ outputTokens }) => outputTokens) },
    ],
    before: 'tokens',
    format: tokensText,
  },
} as const satisfies Record<string, Measure>
type MeasureName = keyof typeof MEASURES

const OPTIONS = (['cost', 'requests', 'tokens'] as const).map((value) => ({ value, label: MEASURES[value].label }))

/** One measure over the range, and over the one before where that had any requests. A column opens its own. */
export function CourseCard({ telemetry }: { telemetry: UsageTelemetry }) {
  const { series, previous_series: previous, summary } = telemetry
  const go = useGo()
  const [name, setName] = useState<MeasureName>(summary.cost_usd > 0 ? 'cost' : 'requests')
  const { range } = summary
  const points = useMemo(() => courseOf(series, (ms) => columnStart(range, ms)), [series, range])
  const drawn = useMemo(() => MEASURES[name].series(points), [name, points])
  const before = useMemo(() => {
    const values = gathered(previous[MEASURES[name].before], series, (ms) => columnStart(range, ms))
    return { label: 'The range before', values }
  }, [name, previous, series, range])
  const atMs = useMemo(() => points.map((point) => point.atMs), [points])
  const open = (ms: number): void =>
    go(`/requests?from=${iso(ms)}&to=${iso(Math.min(columnEnd(range, ms) - 1, Date.parse(summary.to)))}`)
  return (
    <Card
      title={MEASURES[name].label}
      action={<Segmented label="Measure" value={name} options={OPTIONS} onChange={setName} />}
    >
      {summary.requests === 0 && <p className="text-dense text-muted">No requests in this range.</p>}
      <Chart
        kind="columns"
        atMs={atMs}
        series={drawn}
        {...(summary.previous.requests > 0 && { before })}
        format={MEASURES[name].format}
        heightPx={CHART_PX}
        summary={`${MEASURES[name].label} over time: ${amountsOf(summary)}. The range before: ${amountsOf(summary.previous)}.`}
        onSelect={open}
      />
    </Card>
  )
}

function amountsOf({ cost_usd, requests, failed, cut }: UsageTelemetry['summary']['previous']): string {
  return `${shortMoney(nanoFromUsd(cost_usd))} for ${plural(requests, 'request')}, ${countText(failed + cut)} failed`
}

function iso(ms: number): string {
  return encodeURIComponent(new Date(ms).toISOString())
}
