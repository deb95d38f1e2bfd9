import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RequestLines } from '../../components/request-lines.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { Account } from '../../wire.ts'
import { useRecentRequests } from './data.ts'

/** The newest requests that this account has answered or failed. */
export function RecentRequests({ account: { id } }: { account: Account }) {
  const recent = useRecentRequests(id)
  return (
    <Card title="Recent requests" action={<TextLink to={`/requests?account_id=${id}`}>All of them</TextLink>} flush>
      <Loaded query={recent} what="The requests could not be read">
        {(requests) =>
          requests.length > 0 ? (
            <RequestLines requests={requests} clients />
          ) : (
            <p className="px-4 py-3 text-dense text-muted">No request has used this account yet.</p>
          )
        }
      </Loaded>
    </Card>
  )
}
