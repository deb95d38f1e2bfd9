import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import type { ApiError } from '../../api-error.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { UsageInsights } from '../../wire.ts'

const PARTS = [
  ['cache', 'Prompt caches'],
  ['affinity', 'Affinity'],
  ['routing', 'Routing'],
] as const

/** What answers would have cost more, by what kept them cheaper, and how that is computed. Less than nothing where it cost more. */
export function SavingsCard({ query }: { query: UseQueryResult<UsageInsights, ApiError> }) {
  return (
    <Card title="Saved">
      <Loaded query={query} what="The savings could not be read">
        {({ savings: { saved_usd: saved, method } }) => (
          <ul className="grid gap-3 text-dense">
            {PARTS.map(([name, label]) => (
              <li key={name}>
                <p className="flex items-baseline gap-3">
                  {label}
                  <strong className={`ml-auto font-semibold ${saved[name] < 0 ? 'text-caution' : ''}`}>
                    <Money usd={saved[name]} />
                  </strong>
                </p>
                <p className="mt-0.5 text-caption text-muted">{method[name]}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
