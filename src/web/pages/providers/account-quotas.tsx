import { Meter } from '../../components/bars.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { QuotaBar } from '../../components/quota-bar.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { percentText } from '../../format/count.ts'
import { useApiQuery } from '../../resource.ts'
import { aboutText } from '../../quota-words.ts'
import type { Account, Quota } from '../../wire.ts'
import { POLL_MS } from './data.ts'

const LISTED_MAX = 100
const FULL_PCT = 100

/** How much is used of what is nearest to its end; a dash while nothing is known. */
export function TightestQuota({ account: { quota, name } }: { account: Account }) {
  if (quota === null || quota.used_pct === null) return <span className="text-faint">–</span>
  return (
    <span className="grid min-w-20 gap-1">
      <Meter label={`Quota of ${name}, percent used`} value={quota.used_pct} max={FULL_PCT} />
      <span className="text-caption text-muted">
        {percentText(quota.used_pct / FULL_PCT)}
        {quota.spent && ', used up'}
      </span>
    </span>
  )
}

const COLUMNS: readonly Column<Quota>[] = [
  {
    id: 'about',
    header: 'Limit',
    cell: (quota) => (
      <span className="grid gap-0.5">
        {aboutText(quota)}
        <code className="text-caption break-all text-muted">{quota.model ?? 'all models'}</code>
      </span>
    ),
  },
  { id: 'used', header: 'Used', cell: (quota) => <QuotaBar quota={quota} /> },
  {
    id: 'ends',
    header: 'Resets',
    align: 'end',
    from: 'sm',
    cell: ({ resets_at }) => <RelativeTime at={resets_at} never="–" />,
  },
  {
    id: 'forecast',
    header: 'Runs out',
    align: 'end',
    from: 'md',
    cell: ({ forecast_exhausted_at: at }) => (
      <span className={at === null ? 'text-faint' : 'text-caution'}>
        <RelativeTime at={at} never="–" />
      </span>
    ),
  },
]

/** What is known of what the account has left; nothing while nobody has said anything. */
export function AccountQuotas({ account: { id } }: { account: Account }) {
  const query = useApiQuery<readonly Quota[]>(
    `/v1/accounts/${encodeURIComponent(id)}/quota`,
    { limit: LISTED_MAX },
    { everyMs: POLL_MS },
  )
  if (query.data === undefined || query.data.length === 0) return null
  return (
    <Card title="Quotas" action={<TextLink to={`/quotas?account_id=${id}`}>Course and acts</TextLink>} flush>
      <DataTable label="Quotas" rows={query.data} columns={COLUMNS} />
    </Card>
  )
}
