import { Card } from '../../components/card.tsx'
import { RequestCost } from '../../components/request-cost.tsx'
import { requestStatus, Status } from '../../components/status.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { countText } from '../../format/count.ts'
import type { UsageTelemetry } from '../../wire.ts'

const SHOWN_MAX = 8

/** What runs, and the newest requests whatever the range. */
export function NowCard({ telemetry: { recent, in_flight } }: { telemetry: UsageTelemetry }) {
  return (
    <Card
      title="Now"
      aside={`${countText(in_flight)} in flight`}
      flush
      action={<TextLink to="/requests">All requests</TextLink>}
    >
      {recent.length === 0 ? (
        <p className="p-4 text-dense text-muted">No requests yet.</p>
      ) : (
        <ul>
          {recent.slice(0, SHOWN_MAX).map((request) => (
            <li
              key={request.id}
              className="relative flex h-9.5 items-center gap-2.5 border-b border-line px-4 text-dense last:border-b-0 hover:bg-hover"
            >
              <Status name={requestStatus(request)} iconOnly />
              <TextLink
                to={`/requests/${request.id}`}
                className="min-w-0 flex-1 truncate font-mono text-caption text-ink after:absolute after:inset-0"
              >
                {request.model_asked}
              </TextLink>
              <span className="text-caption text-muted">
                <RelativeTime at={request.at} />
              </span>
              <span className="min-w-16 text-right">
                <RequestCost request={request} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
