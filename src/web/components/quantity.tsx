import { countText, tokensText } from '../format/count.ts'
import { durationParts, durationText } from '../format/time.ts'

/** A count of tokens; the exact one on hover. */
export function Tokens({ count }: { count: number | null }) {
  if (count === null) return <>–</>
  return <span title={`${countText(count)} tokens`}>{tokensText(count)}</span>
}

/** How long something took; whole milliseconds on hover. */
export function Duration({ ms }: { ms: number | null }) {
  if (ms === null) return <>–</>
  return <span title={`${countText(Math.round(ms))} ms`}>{durationText(ms)}</span>
}

/** For figures: the unit smaller than the number. */
export function BigDuration({ ms }: { ms: number | null }) {
  if (ms === null) return <>–</>
  const { value, unit } = durationParts(ms)
  return (
    <>
      {value} <span className="text-dense font-normal text-muted">{unit}</span>
    </>
  )
}
