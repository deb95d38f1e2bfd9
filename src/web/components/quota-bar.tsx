import { aboutText, amountsText, reserveText, type Standing, standingOf } from '../quota-words.ts'
import type { Quota } from '../wire.ts'
import { Meter } from './bars.tsx'
import { QuotaStanding } from './quota-standing.tsx'

const FULL_PCT = 100
/** Those in which what is used is what routing goes by. */
const COUNTING: ReadonlySet<Standing> = new Set(['fine', 'near', 'reserved', 'exhausted'])

/** What is used of a quota: a bar where there is a limit, the figures, and how that stands when it is not simply fine. */
export function QuotaBar({ quota }: { quota: Quota }) {
  const standing = standingOf(quota, Date.now())
  const counts = COUNTING.has(standing)
  const reserve = reserveText(quota)
  return (
    <span className="grid gap-1">
      {quota.used_pct !== null && counts && (
        <span className="block w-full max-w-48">
          <Meter label={`${aboutText(quota)}, percent used`} value={quota.used_pct} max={FULL_PCT} />
        </span>
      )}
      <span className={counts ? '' : 'text-muted'}>{amountsText(quota)}</span>
      {reserve !== undefined && <span className="text-caption text-muted">{reserve}</span>}
      {standing !== 'fine' && <QuotaStanding quota={quota} standing={standing} />}
    </span>
  )
}
