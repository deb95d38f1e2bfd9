import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../api-error.ts'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RequestLines } from '../../components/request-lines.tsx'
import { TextLink } from '../../components/text-link.tsx'
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
            <RequestLines requests={data} clients />
          )
        }
      </Loaded>
    </Card>
  )
}
