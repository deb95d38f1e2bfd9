import { Figure, FigureRow } from '../../components/figure.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { countText, plural } from '../../format/count.ts'
import type { QuotaOverview } from '../../wire.ts'

/** How many accounts have something that ends, and when the next of it comes back. */
export function OverviewFigures({ overview }: { overview: QuotaOverview }) {
  const { accounts, exhausted, near, next_reset_at, by_provider } = overview
  return (
    <FigureRow>
      <Figure
        label="Used up"
        value={<span className={exhausted > 0 ? 'text-danger' : undefined}>{countText(exhausted)}</span>}
        below={exhausted === 0 ? 'no account' : plural(exhausted, 'account')}
      />
      <Figure
        label="Nearly used up"
        value={<span className={near > 0 ? 'text-caution' : undefined}>{countText(near)}</span>}
        below={near === 0 ? 'no account at 80 % or more' : 'at 80 % or more'}
      />
      <Figure
        label="Known of"
        value={plural(accounts, 'account')}
        below={`at ${plural(by_provider.length, 'provider')}`}
      />
      <Figure label="Next reset" value={next_reset_at === null ? '–' : <RelativeTime at={next_reset_at} />} />
    </FigureRow>
  )
}
