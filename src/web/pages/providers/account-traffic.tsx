import { Figure, FigureRow } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { countText, percentText } from '../../format/count.ts'
import type { Account } from '../../wire.ts'
import { useOpenRequests, useWeek } from './data.ts'

/** What went through the account in the last seven days. */
export function AccountTraffic({ account }: { account: Account }) {
  const week = useWeek()
  const open = useOpenRequests(account.id)
  const usage = week.data?.by_account.find(({ id }) => id === account.id)
  const decided = usage === undefined ? 0 : usage.ok + usage.failed
  const isUnpriced = usage?.cost_usd === 0 && usage.cost_unknown_requests > 0
  const log = `/requests?account_id=${account.id}`
  return (
    <FigureRow>
      <Figure
        label="Requests, 7 d"
        value={countText(usage?.requests ?? 0)}
        below={usage === undefined ? 'none yet' : <TextLink to={log}>Show them</TextLink>}
      />
      <Figure
        label="Answered"
        value={usage === undefined || decided === 0 ? '–' : percentText(usage.ok / decided)}
        below={
          usage === undefined || usage.failed === 0 ? (
            'none failed'
          ) : (
            <TextLink to={`${log}&status=error`}>{countText(usage.failed)} failed</TextLink>
          )
        }
      />
      <Figure
        label="Cost, 7 d"
        value={usage === undefined ? '–' : <Money usd={usage.cost_usd} source={isUnpriced ? 'unknown' : null} />}
        below={
          usage !== undefined && usage.cost_unknown_requests > 0 && !isUnpriced
            ? `${countText(usage.cost_unknown_requests)} unpriced`
            : undefined
        }
      />
      <Figure
        label="In flight"
        value={countText(open)}
        below={account.max_concurrency === null ? 'no limit here' : `of ${countText(account.max_concurrency)} at once`}
      />
      <Figure label="Last answer" value={<RelativeTime at={account.last_ok_at} />} />
    </FigureRow>
  )
}
