const WIDTHS = ['78%', '60%', '82%', '70%', '52%', '66%']

/** The outline of what is on its way. Shows after 150 ms, on the first load only. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="appear-late grid gap-3.5 py-2">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} className="flex items-center gap-3">
          <span className="size-4 rounded-full bg-line" />
          <span className="flex-1">
            <span className="block h-3 rounded-chip bg-line" style={{ width: WIDTHS[at % WIDTHS.length] }} />
          </span>
          <span className="h-3 w-11 rounded-chip bg-line" />
        </span>
      ))}
    </div>
  )
}
