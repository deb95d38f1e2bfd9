import { useQuery } from '@tanstack/react-query'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Bars } from '../../components/bars.tsx'
import { Card } from '../../components/card.tsx'
import { Change, CostChange, Figure } from '../../components/figure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { SumCost } from '../../components/request-cost.tsx'
import { RequestLines } from '../../components/request-lines.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText, percentText } from '../../format/count.ts'
import { useRecentRequests } from '../../recent-requests.ts'
import { useApiQuery } from '../../resource.ts'
import type { List, ModelUsage, UsageSummary } from '../../wire.ts'

const RANGE = '7d'
const MODELS_LIMIT = 6
const REQUESTS_LIMIT = 12
const EVERY_MS = 10_000

/** The last seven days against the seven before. */
export function WeekCard({ keyId }: { keyId: string }) {
  const query = useApiQuery<UsageSummary>('/v1/usage', { range: RANGE, key_id: keyId }, { everyMs: EVERY_MS })
  return (
    <Card title="This week" aside="7 d">
      <Loaded query={query} what="The usage could not be read">
        {({ requests, cost_usd, success_rate, previous }) => (
          <div className="grid grid-cols-3 gap-4">
            <Figure
              label="Requests"
              value={countText(requests)}
              below={<Change now={requests} before={previous.requests} />}
            />
            <Figure
              label="Cost"
              value={<Money usd={cost_usd} />}
              below={<CostChange now={cost_usd} before={previous.cost_usd} />}
            />
            <Figure label="Answered" value={success_rate === null ? '–' : percentText(success_rate)} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

/** What the key's cost was made of. */
export function ModelCostCard({ keyId }: { keyId: string }) {
  const api = useApi()
  const path = '/v1/usage/models'
  const search = { range: RANGE, key_id: keyId, sort: 'cost_usd', order: 'desc', limit: MODELS_LIMIT }
  const query = useQuery<List<ModelUsage>, ApiError>({
    queryKey: [path, search],
    queryFn: ({ signal }) => api.list<ModelUsage>(path, { query: search, signal }),
  })
  return (
    <Card title="Cost by model" aside="7 d">
      <Loaded query={query} what="The usage could not be read">
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-dense text-muted">No requests this week.</p>
          ) : (
            <Bars
              label="Cost by model"
              bars={data.map(({ model, ...part }) => ({
                id: model,
                label: (
                  <TextLink
                    to={`/requests?key_id=${encodeURIComponent(keyId)}&model=${encodeURIComponent(model)}`}
                    className="font-mono text-caption text-ink"
                  >
                    {model}
                  </TextLink>
                ),
                value: part.cost_usd,
                text: <SumCost part={part} />,
              }))}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

export function LastRequestsCard({ keyId }: { keyId: string }) {
  const query = useRecentRequests({ keyId, everyMs: EVERY_MS, limit: REQUESTS_LIMIT })
  const total = query.data?.metadata.total
  return (
    <Card
      title="Last requests"
      flush
      action={
        <TextLink to={`/requests?key_id=${encodeURIComponent(keyId)}`}>
          All {total === undefined ? '' : countText(total)}
        </TextLink>
      }
    >
      <Loaded query={query} what="The requests could not be read">
        {({ data }) =>
          data.length === 0 ? (
            <p className="p-4 text-dense text-muted">
              No requests yet.{' '}
              <TextLink to="/connect" className="underline">
                Connect a tool
              </TextLink>{' '}
              with this key.
            </p>
          ) : (
            <RequestLines requests={data} />
          )
        }
      </Loaded>
    </Card>
  )
}
