import { countText, percentText } from '../../format/count.ts'
import { durationText } from '../../format/time.ts'
import type { ChainStepUsage } from '../../wire.ts'

/** The share of a step in the answers of its chain, over the last 24 hours. */
export function ShareBar({ usage }: { usage: ChainStepUsage }) {
  const { share, requests, ok, attempts, latency } = usage
  if (share === null || requests === 0) return null
  const p50 = latency.p50 === null ? '' : `, half of them within ${durationText(latency.p50)}`
  const said = `${percentText(share)} of the answers of the last 24 hours: ${countText(ok)} of ${countText(attempts)} tries answered${p50}`
  return (
    <span title={said} className="ml-auto inline-flex items-center gap-2 text-caption text-muted">
      <span aria-hidden="true" className="h-1.5 w-20 overflow-hidden rounded-full bg-line">
        <span className="bar block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="min-w-9 text-right">
        {percentText(share)}
        <span className="sr-only"> of the answers of the last 24 hours</span>
      </span>
    </span>
  )
}
