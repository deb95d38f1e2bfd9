import { MINUTE_MS, SECOND_MS } from '../../core/duration.ts'
import { exactTimeText, spanText, uptimeText } from '../format/time.ts'
import { useNow } from './time.tsx'

/** How long until then: `37 s`, `3 min 12 s`, `2 h 5 min`. Counts down while it is on screen, and ends at `0 s`; the exact moment on hover. */
export function TimeLeft({ until }: { until: string }) {
  const nowMs = useNow(SECOND_MS)
  const untilMs = Date.parse(until)
  return (
    <time dateTime={until} title={exactTimeText(new Date(untilMs))} className="whitespace-nowrap">
      {leftText(Math.max(0, untilMs - nowMs))}
    </time>
  )
}

function leftText(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  if (minutes === 0) return spanText(ms)
  return minutes < 60 ? `${minutes} min ${Math.floor(ms / SECOND_MS) % 60} s` : uptimeText(ms)
}
