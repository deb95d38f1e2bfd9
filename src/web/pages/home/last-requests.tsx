import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../api-error.ts'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RequestCost } from '../../components/request-cost.tsx'
import { requestStatus, Status } from '../../components/status.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { RequestList } from '../../wire.ts'

/** The newest requests, whoever made them. */
export function LastRequests({ query }: { query: UseQueryResult<RequestList, ApiError> }) {
  return (
    <Card title="Last requests" flush action={<TextLink to="/requests">All requests</TextLink>}>
      <Loaded query={query} what="The requests could not be read" skeleton={<div className="h-16" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="p-4 text-dense text-muted">No requests yet. Try it above, or connect a tool.</p>
          ) : (
            <ul>
              {data.map((request) => (
                <li
                  key={request.id}
                  className="relative flex h-10 items-center gap-2.5 border-b border-line px-4 text-dense last:border-b-0 hover:bg-hover"
                >
                  <Status name={requestStatus(request)} iconOnly />
                  <TextLink
                    to={`/requests/${request.id}`}
                    className="min-w-0 flex-1 truncate font-mono text-caption text-ink after:absolute after:inset-0"
                  >
                    {request.model_asked}
                  </TextLink>
                  <span className="text-caption whitespace-nowrap text-muted">
                    {request.client !== null && `${request.client} · `}
                    <RelativeTime at={request.at} />
                  </span>
                  <span className="min-w-14 text-right">
                    <RequestCost request={request} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
