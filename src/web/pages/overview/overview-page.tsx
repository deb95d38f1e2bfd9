import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { ownTimeZone } from '../../components/time-zone-input.tsx'
import { clockText } from '../../format/time.ts'
import { Page } from '../../shell/page.tsx'
import type { UsageTelemetry } from '../../wire.ts'
import { AttentionCard } from './attention-card.tsx'
import { BreakdownCard } from './breakdown-card.tsx'
import { BudgetCard } from './budget-card.tsx'
import { CourseCard } from './course-card.tsx'
import { FailuresCard } from './failures-card.tsx'
import { Figures } from './figures.tsx'
import { HeatMapCard } from './heat-map-card.tsx'
import { NowCard } from './now-card.tsx'
import { SavingsCard } from './savings-card.tsx'
import { periodOf, RANGES, type Range, useInsights, useRange, useTelemetry } from './telemetry.ts'

/** Cost and health: what went through, what it cost, what failed, and who needs somebody. */
export default function OverviewPage() {
  const [range, setRange] = useRange()
  const query = useTelemetry(range)
  return (
    <Page title="Overview" docs="requests">
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Segmented label="Range" value={range} options={RANGES} onChange={setRange} />
        {query.data && <Span summary={query.data.telemetry.summary} />}
        <span className="ml-auto flex items-center gap-3">
          {query.data && (
            <span className="text-caption text-muted">
              read <RelativeTime at={new Date(query.dataUpdatedAt).toISOString()} />
            </span>
          )}
          <ExportMenu filters={periodOf(range)} />
        </span>
      </div>
      <Loaded query={query} what="The usage could not be read">
        {({ telemetry }) => (isUnused(telemetry) ? <Unused /> : <Cards telemetry={telemetry} range={range} />)}
      </Loaded>
    </Page>
  )
}

/** What the page answers first comes first, on phones as well. */
function Cards({ telemetry, range }: { telemetry: UsageTelemetry; range: Range }) {
  const insights = useInsights(range)
  return (
    <div className="grid gap-4">
      <Figures summary={telemetry.summary} />
      <div className={PAIR}>
        <CourseCard telemetry={telemetry} />
        <BudgetCard />
      </div>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        <AttentionCard insights={insights} />
        <FailuresCard telemetry={telemetry} />
        <NowCard telemetry={telemetry} />
      </div>
      <BreakdownCard telemetry={telemetry} />
      <div className={PAIR}>
        <HeatMapCard telemetry={telemetry} />
        <SavingsCard query={insights} />
      </div>
    </div>
  )
}

const PAIR = 'grid gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]'

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

/** Which time the numbers are about. */
function Span({ summary }: { summary: UsageTelemetry['summary'] }) {
  return (
    <span className="text-caption text-muted">
      {clockText(new Date(summary.from), new Date())} to now · {ownTimeZone()}
    </span>
  )
}
