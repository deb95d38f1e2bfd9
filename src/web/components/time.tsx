import { useEffect, useState } from 'react'
import { MINUTE_MS, SECOND_MS } from '../../core/duration.ts'
import { clockText, exactTimeText, relativeText } from '../format/time.ts'

/** `12 s ago`, kept true while it is on screen; the exact moment here and in UTC on hover. Null reads `never`. */
export function RelativeTime({ at, never = 'never' }: { at: string | null; never?: string }) {
  const atMs = at === null ? 0 : Date.parse(at)
  const nowMs = useNow(Math.abs(Date.now() - atMs) < MINUTE_MS ? SECOND_MS : MINUTE_MS)
  if (at === null) return <>{never}</>
  return (
    <time dateTime={at} title={exactTimeText(new Date(atMs))} className="whitespace-nowrap">
      {relativeText(atMs, Math.max(nowMs, atMs > Date.now() ? 0 : atMs))}
    </time>
  )
}

/** `14:31:29`, with the date when it is not today; the exact moment on hover. */
export function ClockTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTimeText(date)} className="whitespace-nowrap">
      {clockText(date, new Date())}
    </time>
  )
}

/** The time, as often as asked. Nothing ticks while the page is hidden. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNowMs(Date.now())
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
