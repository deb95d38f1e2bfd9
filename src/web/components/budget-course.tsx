import { useState } from 'react'
import { actionVerb, limitsAt, momentWriter } from '../budget-words.ts'
import { nanoFromUsd, shortMoney } from '../format/money.ts'
import type { Budget, BudgetForecast } from '../wire.ts'
import { classNames } from './class-names.ts'
import { type CourseSums, pictureOf, type Spot } from './course-scale.ts'

/** A label of now closer than this to one of an end would touch it, in percent. */
const LABEL_PCT = 18

export interface BudgetCourseProps {
  readonly budget: Budget
  readonly forecast: BudgetForecast
}

/** What was spent in the period, what is expected until its end, and where the limit is: drawn, said and as a table. */
export function BudgetCourse({ budget, forecast }: BudgetCourseProps) {
  const [isTable, setTable] = useState(false)
  const sums = sumsOf(budget, forecast)
  return (
    <figure>
      {isTable ? (
        <CourseTable budget={budget} sums={sums} />
      ) : (
        <Picture budget={budget} forecast={forecast} sums={sums} />
      )}
      <figcaption className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-caption text-muted">
        <span className="min-w-0 flex-1 basis-48">
          {bandText(sums)}
          {sums.limitUsd === null && ' It is limited by other units than dollars.'}
        </span>
        <button
          type="button"
          onClick={() => setTable(!isTable)}
          className="touch ml-auto min-h-6 hover:text-ink hover:underline"
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
    </figure>
  )
}

function sumsOf(budget: Budget, { points, ends_at, projected_usd, low_usd, high_usd }: BudgetForecast): CourseSums {
  const spent = points.map(({ at, spent_usd }) => ({ atMs: Date.parse(at), usd: spent_usd }))
  const start = budget.status?.period_start ?? null
  const startMs = start === null ? (spent[0]?.atMs ?? Date.now()) : Date.parse(start)
  const isFromNothing = budget.period !== 'rolling' && budget.period !== 'total'
  return {
    points: isFromNothing ? [{ atMs: startMs, usd: 0 }, ...spent] : spent,
    startMs: isFromNothing ? startMs : (spent[0]?.atMs ?? startMs),
    endMs: Date.parse(ends_at),
    projectedUsd: projected_usd,
    lowUsd: low_usd,
    highUsd: high_usd,
    limitUsd: limitsAt(budget, Date.now()).cost_usd,
  }
}

interface PictureProps extends BudgetCourseProps {
  readonly sums: CourseSums
}

function Picture({ budget, forecast, sums }: PictureProps) {
  const { line, now, projected, band, limitY, ticks } = pictureOf(sums)
  const text = whenWriter(budget, sums)
  const tone = budget.action === 'warn' ? 'caution' : 'danger'
  return (
    <div role="img" aria-label={sentenceOf(budget, forecast, sums)} className="pt-3 text-caption text-faint">
      <div className="relative ml-12 h-36">
        {ticks.map(({ y, usd }) => (
          <span key={usd} className="absolute inset-x-0 border-t border-line" style={{ top: `${y}%` }}>
            <span className="absolute right-full -translate-y-1/2 pr-2">{dollars(usd)}</span>
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
          {band && <path d={closed([now, ...band])} className="fill-accent/15" />}
          <path
            d={closed([...line, { x: now.x, y: 100 }, { x: line[0]?.x ?? 0, y: 100 }])}
            className="fill-accent/15"
          />
          <Line spots={line} className="stroke-accent" />
          <Line spots={[now, projected]} className="stroke-accent" dashes="4 4" />
          {limitY !== undefined && (
            <Line
              spots={[
                { x: 0, y: limitY },
                { x: 100, y: limitY },
              ]}
              className={tone === 'danger' ? 'stroke-danger' : 'stroke-caution'}
              dashes="6 4"
            />
          )}
        </svg>
        <span
          className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-accent"
          style={{ left: `${now.x}%`, top: `${now.y}%` }}
        />
        {limitY !== undefined && (
          <span
            className={classNames(
              'absolute left-1 -translate-y-full',
              tone === 'danger' ? 'text-danger' : 'text-caution',
            )}
            style={{ top: `${limitY}%` }}
          >
            {actionVerb(budget.action)} at {dollars(sums.limitUsd ?? 0)}
          </span>
        )}
      </div>
      <div className="relative mt-1.5 ml-12 flex h-4 justify-between">
        <span>{text(sums.startMs)}</span>
        {now.x > LABEL_PCT && now.x < 100 - LABEL_PCT && (
          <span className="absolute -translate-x-1/2" style={{ left: `${now.x}%` }}>
            now
          </span>
        )}
        <span>{text(sums.endMs)}</span>
      </div>
    </div>
  )
}

function Line({ spots, className, dashes }: { spots: readonly Spot[]; className: string; dashes?: string }) {
  return (
    <polyline
      points={spots.map(({ x, y }) => `${x},${y}`).join(' ')}
      fill="none"
      strokeWidth="2"
      strokeDasharray={dashes}
      vectorEffect="non-scaling-stroke"
      className={className}
    />
  )
}

function closed(spots: readonly Spot[]): string {
  return `M${spots.map(({ x, y }) => `${x} ${y}`).join('L')}Z`
}

function CourseTable({ budget, sums }: { budget: Budget; sums: CourseSums }) {
  const text = whenWriter(budget, sums)
  const rows = [
    ...sums.points.map(({ atMs, usd }, at) => ({ id: at, when: text(atMs), usd })),
    { id: 'end', when: `${text(sums.endMs)}, expected`, usd: sums.projectedUsd },
  ]
  return (
    <div tabIndex={0} role="region" aria-label="Course of the budget" className="h-44 overflow-auto">
      <table className="w-full text-caption">
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              Until
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Spent
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, when, usd }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                {when}
              </th>
              <td className="py-1 text-right">{dollars(usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function whenWriter(budget: Budget, { startMs, endMs }: CourseSums): (atMs: number) => string {
  return momentWriter(budget, endMs - startMs)
}

function sentenceOf(budget: Budget, { crosses_at: crosses }: BudgetForecast, sums: CourseSums): string {
  const text = whenWriter(budget, sums)
  const spent = dollars(sums.points.at(-1)?.usd ?? 0)
  const limit = sums.limitUsd === null ? '' : ` of ${dollars(sums.limitUsd)}`
  const end = crosses === null ? '' : `, and its limit is reached by ${text(Date.parse(crosses))}`
  return `${budget.name}: ${spent}${limit} spent; ${dollars(sums.projectedUsd)} expected by ${text(sums.endMs)}${end}.`
}

function bandText({ projectedUsd, lowUsd, highUsd }: CourseSums): string {
  const end = `Ends near ${dollars(projectedUsd)}`
  if (lowUsd === null || highUsd === null) return `${end}, by what is known so far.`
  return `${end}; four of five times between ${dollars(lowUsd)} and ${dollars(highUsd)}.`
}

function dollars(usd: number): string {
  return shortMoney(nanoFromUsd(usd))
}
