import type { SearchParams } from '../../address.ts'
import { Money } from '../../components/money.tsx'
import { countText } from '../../format/count.ts'
import { useApiQuery } from '../../resource.ts'
import type { UsageSummary } from '../../wire.ts'

/** What `GET /v1/usage` can add up; with any other filter the sums would be of something else. */
const SUMMED: ReadonlySet<string> = new Set([
  'range',
  'tz',
  'key_id',
  'plan_id',
  'chain_id',
  'provider',
  'model',
  'tag',
])
const RENEW_MS = 10_000

/** How many there are, and over a named range what they cost. */
export function LogSums({ filters, total }: { filters: SearchParams; total: number | undefined }) {
  const enabled = filters['range'] !== undefined && Object.keys(filters).every((name) => SUMMED.has(name))
  const { data } = useApiQuery<UsageSummary>('/v1/usage', filters, { enabled, everyMs: RENEW_MS })
  if (total === undefined) return null
  return (
    <>
      <span>
        <strong className="font-semibold text-ink">{countText(total)}</strong> {total === 1 ? 'request' : 'requests'}
      </span>
      {enabled && data !== undefined && <Sums summary={data} />}
    </>
  )
}

function Sums({ summary }: { summary: UsageSummary }) {
  const { cost_usd, cost_unknown_requests, failed, cut, cancelled } = summary
  return (
    <>
      <span className="text-ink">
        <Money usd={cost_usd} />
      </span>
      {cost_unknown_requests > 0 && <span>{countText(cost_unknown_requests)} unpriced</span>}
      {failed > 0 && <span>{countText(failed)} failed</span>}
      {cut > 0 && <span>{countText(cut)} cut off</span>}
      {cancelled > 0 && <span>{countText(cancelled)} cancelled</span>}
    </>
  )
}
