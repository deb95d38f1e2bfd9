/** One moment of a course; null: not known then. */
export interface SparkPoint {
  readonly atMs: number
  readonly value: number | null
}

export interface SparklineProps {
  readonly points: readonly SparkPoint[]
  /** The top of the picture; without it the highest value. */
  readonly max: number | null
  /** One sentence that says what it shows. */
  readonly summary: string
}

const [WIDTH, HEIGHT, EDGE] = [96, 24, 2]

interface Spot {
  readonly x: number
  readonly y: number
}

/** How something went, small enough for a row. The time runs from the first point to the last; gaps are gaps. */
export function Sparkline({ points, max, summary }: SparklineProps) {
  const runs = runsOf(points, Math.max(max ?? 0, ...points.map(({ value }) => value ?? 0), 1e-12))
  const last = runs.at(-1)?.at(-1)
  return (
    <svg
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-6 w-24 text-accent"
      fill="none"
      strokeWidth="1.5"
    >
      <path d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} className="stroke-line" strokeWidth="1" />
      {runs.map((run) => (
        <polyline key={run[0]?.x} points={run.map(({ x, y }) => `${x},${y}`).join(' ')} stroke="currentColor" />
      ))}
      {last && <circle cx={last.x} cy={last.y} r={EDGE} fill="currentColor" />}
    </svg>
  )
}

/** Stretches without a gap, in the picture's own units. */
function runsOf(points: readonly SparkPoint[], top: number): readonly (readonly Spot[])[] {
  const [first, last] = [points.at(0)?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const spanMs = Math.max(1, last - first)
  const runs: Spot[][] = [[]]
  for (const { atMs, value } of points) {
    if (value === null) runs.push([])
    else
      runs.at(-1)?.push({ x: rounded(((atMs - first) / spanMs) * (WIDTH - 2 * EDGE) + EDGE), y: heightOf(value / top) })
  }
  return runs.filter((run) => run.length > 0)
}

function heightOf(share: number): number {
  return rounded(HEIGHT - EDGE - Math.min(1, Math.max(0, share)) * (HEIGHT - 2 * EDGE))
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
