import { Card } from '../../components/card.tsx'
import { RequestLines } from '../../components/request-lines.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText } from '../../format/count.ts'
import type { UsageTelemetry } from '../../wire.ts'

const SHOWN_MAX = 8

/** What runs, and the newest requests whatever the range. */
export function NowCard({ telemetry: { recent, in_flight } }: { telemetry: UsageTelemetry }) {
  return (
    <Card
      title="Now"
      className="md:max-xl:col-span-2"
      aside={`${countText(in_flight)} in flight`}
      flush
      action={<TextLink to="/requests">All requests</TextLink>}
    >
      {recent.length === 0 ? (
        <p className="p-4 text-dense text-muted">No requests yet.</p>
      ) : (
        <RequestLines requests={recent.slice(0, SHOWN_MAX)} />
      )}
    </Card>
  )
}
