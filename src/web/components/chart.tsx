import { lazy, Suspense, useState } from 'react'
import { Swatch } from './bars.tsx'

export interface ChartSeries {
  readonly label: string
  /** One for each place on the x axis; null is a gap. */
  readonly values: readonly (number | null)[]
}

export interface ChartProps {
  readonly kind: 'columns' | 'line'
  /** Moments in milliseconds, ascending. */
  readonly atMs: readonly number[]
  /** In the order of the data colours; an eighth and later ones belong in "other". Columns are stacked. */
  readonly series: readonly ChartSeries[]
  /** What they are compared with, all of them together: a dashed line behind. */
  readonly before?: ChartSeries
  /** How a value is written on the axis and in the table. */
  readonly format: (value: number) => string
  /** One sentence that says what it shows. */
  readonly summary: string
  readonly heightPx?: number
  /** A mark opens what is behind it. */
  readonly onSelect?: (atMs: number) => void
}

const HEIGHT_PX = 200
/** The drawing library is loaded with the first chart. */
const Plot = lazy(() => import('./plot.tsx'))

/** A course over time: drawn, said in one sentence, and there as a table. */
export function Chart(props: ChartProps) {
  const { series, before, summary, heightPx = HEIGHT_PX } = props
  const [isTable, setTable] = useState(false)
  return (
    <figure>
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        <div role="img" aria-label={summary} style={{ height: heightPx }}>
          <Suspense fallback={null}>
            <Plot {...props} heightPx={heightPx} />
          </Suspense>
        </div>
      )}
      <figcaption className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-caption text-muted">
        {series.length > 1 &&
          series.map(({ label }, at) => (
            <span key={label} className="inline-flex items-center gap-1.5">
              <Swatch at={at} />
              {label}
            </span>
          ))}
        {before && (
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className="w-4 border-t-2 border-dashed border-data-8" />
            {before.label}
          </span>
        )}
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

function ChartTable({ atMs, series, before, format, summary, heightPx = HEIGHT_PX }: ChartProps) {
  const columns = before ? [...series, before] : series
  return (
    <div tabIndex={0} role="region" aria-label={summary} className="overflow-auto" style={{ maxHeight: heightPx }}>
      <table className="w-full text-caption">
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              Time
            </th>
            {columns.map(({ label }) => (
              <th key={label} scope="col" className="py-1 pr-3 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {atMs.map((ms, at) => (
            <tr key={ms} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                {new Date(ms).toLocaleString('en-GB', {
                  day: 'numeric',
                  month: 'short',
                  hour: '2-digit',
                  minute: '2-digit',
                })}
              </th>
              {columns.map(({ label, values }) => {
                const value = values[at]
                return (
                  <td key={label} className="py-1 pr-3 text-right">
                    {value === null || value === undefined ? '–' : format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
