import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { countText, plural, tokensText } from '../../format/count.ts'
import { nanoFromUsd, shortMoney } from '../../format/money.ts'
import type { UsageTelemetry } from '../../wire.ts'

type Measure = keyof UsageTelemetry['heatmap']

const MEASURES = {
  requests: { label: 'Requests', format: (value: number) => plural(value, 'request') },
  cost_usd: { label: 'Cost', format: (value: number) => shortMoney(nanoFromUsd(value)) },
  tokens: { label: 'Tokens', format: (value: number) => `${tokensText(value)} tokens` },
  failed: { label: 'Failed', format: (value: number) => `${countText(value)} failed` },
} as const satisfies Record<Measure, object>

const OPTIONS = (['requests', 'cost_usd', 'tokens', 'failed'] as const).map((value) => ({
  value,
  label: MEASURES[value].label,
}))
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const HOURS_NAMED = 6
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Enough to tell apart. */
const SHADES = [20, 40, 60, 80, 100] as const

/** When it happens: the hours of a week in the zone that was asked for, in one hue. */
export function HeatMapCard({ telemetry: { heatmap, tz, summary } }: { telemetry: UsageTelemetry }) {
  const [measure, setMeasure] = useState<Measure>('requests')
  const [isTable, setTable] = useState(false)
  const week = heatmap[measure]
  return (
    <Card
      title="When"
      aside={tz}
      action={<Segmented label="Measure of the week" value={measure} options={OPTIONS} onChange={setMeasure} />}
    >
      {isTable ? (
        <WeekTable week={week} measure={measure} />
      ) : (
        <div role="img" aria-label={sentenceOf(week, measure)}>
          <Week week={week} measure={measure} />
        </div>
      )}
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-caption text-muted">
        <span aria-hidden="true">
          {summary.requests === 0 ? 'No requests in this range.' : sentenceOf(week, measure)}
        </span>
        <button
          type="button"
          onClick={() => setTable(!isTable)}
          className="touch min-h-6 hover:text-ink hover:underline"
        >
          {isTable ? 'Show as picture' : 'Show as table'}
        </button>
      </p>
    </Card>
  )
}

interface WeekProps {
  readonly week: readonly (readonly number[])[]
  readonly measure: Measure
}

function Week({ week, measure }: WeekProps) {
  const most = mostOf(week)
  return (
    <div className="grid grid-cols-[2rem_repeat(24,minmax(0,1fr))] gap-0.5 text-caption text-muted">
      {week.map((hours, day) => [
        <span key={`${day}`} className="pr-2 leading-5">
          {DAYS[day]}
        </span>,
        ...hours.map((value, hour) => (
          <span
            key={`${day} ${hour}`}
            title={`${placeText(day, hour)}: ${MEASURES[measure].format(value)}`}
            className="bar h-5 rounded-[3px] border border-transparent bg-sunken"
            style={value === 0 ? {} : { backgroundColor: shadeOf(value / most) }}
          />
        )),
      ])}
      <span />
      {HOURS.map((hour) => (
        <span key={hour} className="overflow-visible whitespace-nowrap">
          {hour % HOURS_NAMED === 0 ? `${hourText(hour)}` : ''}
        </span>
      ))}
    </div>
  )
}

function shadeOf(share: number): string {
  const shade = SHADES[Math.min(SHADES.length - 1, Math.ceil(share * SHADES.length) - 1)] ?? 100
  return `color-mix(in srgb, var(--color-data-1) ${shade}%, var(--color-surface))`
}

function mostOf(week: WeekProps['week']): number {
  return Math.max(...week.flat())
}

function sentenceOf(week: WeekProps['week'], measure: Measure): string {
  const most = mostOf(week)
  if (most === 0) return `No hour of the week has any: ${MEASURES[measure].label.toLowerCase()}.`
  const day = week.findIndex((hours) => hours.includes(most))
  const hour = week[day]?.indexOf(most) ?? 0
  return `Most on ${placeText(day, hour)}: ${MEASURES[measure].format(most)}.`
}

function placeText(day: number, hour: number): string {
  return `${DAYS[day]} ${hourText(hour)}`
}

function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

function WeekTable({ week, measure }: WeekProps) {
  return (
    <div tabIndex={0} role="region" aria-label="The week as a table" className="max-h-48 overflow-auto">
      <table className="w-full text-caption">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 text-left font-medium">
              Hour
            </th>
            {DAYS.map((day) => (
              <th key={day} scope="col" className="py-1 pl-3 text-right font-medium">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 text-left font-normal">
                {hourText(hour)}
              </th>
              {week.map((hours, day) => (
                <td key={DAYS[day]} className="py-1 pl-3 text-right whitespace-nowrap">
                  {cellText(hours[hour] ?? 0, measure)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellText(value: number, measure: Measure): string {
  if (value === 0) return '–'
  return measure === 'cost_usd' ? shortMoney(nanoFromUsd(value)) : tokensText(value)
}
