const [WIDTH, HEIGHT] = [96, 24]

/** A course in the size of a word. A gap in the data is a gap in the line; `label` says what it shows. */
export function Sparkline({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known, 0), Math.max(...known, 1e-12)]
  const x = (at: number): number => (at / Math.max(1, values.length - 1)) * WIDTH
  const y = (value: number): number => HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4)
  const path = values
    .map((value, at) => {
      if (value === null) return ''
      const isStart = at === 0 || values[at - 1] === null
      return `${isStart ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
    })
    .join('')
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-6 w-24 text-accent">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  )
}
