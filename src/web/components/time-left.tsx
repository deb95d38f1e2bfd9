import { exactTimeText, spanText } from '../format/time.ts'
import { useNow } from './time.tsx'

const SECOND_MS = 1_000

/** How long until then: `37 s`. Counts down while it is on screen, and ends at `0 s`; the exact moment on hover. */
export function TimeLeft({ until }: { until: string }) {
  const nowMs = useNow(SECOND_MS)
  const untilMs = Date.parse(until)
  return (
    <time dateTime={until} title={exactTimeText(new Date(untilMs))} className="whitespace-nowrap">
      {spanText(Math.max(0, untilMs - nowMs))}
    </time>
  )
}
