import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { clockText } from '../../format/time.ts'
import { Page } from '../../shell/page.tsx'
import type { UsageTelemetry } from '../../wire.ts'
import { AttentionCard } from './attention-card.tsx'
import { CourseCard } from './course-card.tsx'
import { FailuresCard } from './failures-card.tsx'
import { Figures } from './figures.tsx'
import { NowCard } from './now-card.tsx'
import { SharesCard } from './shares-card.tsx'
import { RANGES, useRange, useTelemetry } from './telemetry.ts'

/** Cost and health: what went through, what it cost, what failed, and who needs somebody. */
export default function OverviewPage() {
  const [range, setRange] = useRange()
  const query = useTelemetry(range)
  return (
    <Page title="Overview" docs="requests">
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Segmented label="Range" value={range} options={RANGES} onChange={setRange} />
        {query.data && <Span summary={query.data.telemetry.summary} />}
        {query.data && (
          <span className="ml-auto text-caption text-muted">
            read <RelativeTime at={new Date(query.dataUpdatedAt).toISOString()} />
          </span>
        )}
      </div>
      <Loaded query={query} what="The usage could not be read">
        {({ telemetry }) => (isUnused(telemetry) ? <Unused /> : <Cards telemetry={telemetry} />)}
      </Loaded>
    </Page>
  )
}

function Cards({ telemetry }: { telemetry: UsageTelemetry }) {
  return (
    <div className="grid gap-4">
      <Figures summary={telemetry.summary} />
      <div className="grid items-stretch gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
        <CourseCard telemetry={telemetry} />
        <SharesCard telemetry={telemetry} />
      </div>
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        <AttentionCard telemetry={telemetry} />
        <FailuresCard telemetry={telemetry} />
        <NowCard telemetry={telemetry} />
      </div>
    </div>
  )
}

function Unused() {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState title="No requests yet" action={<ButtonLink to="/connect">Connect a tool</ButtonLink>}>
        Connect a tool, and what it asks, costs and waits for is shown here.
      </EmptyState>
    </div>
  )
}

/** Nothing in the range, and nothing in the log at all. */
function isUnused({ summary, recent, in_flight }: UsageTelemetry): boolean {
  return summary.requests === 0 && recent.length === 0 && in_flight === 0
}

/** Which time the numbers are about. Budgets and `today` go by UTC, so that everybody's day is the same. */
function Span({ summary }: { summary: UsageTelemetry['summary'] }) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <span className="text-caption text-muted">
      {clockText(new Date(summary.from), new Date())} to now · {zone}
      {summary.range === 'today' && ', the day begins at midnight UTC'}
    </span>
  )
}
