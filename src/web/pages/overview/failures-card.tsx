import { CircleCheck } from 'lucide-react'
import { Bars } from '../../components/bars.tsx'
import { Card } from '../../components/card.tsx'
import { HealthStrip } from '../../components/health-strip.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText, percentText, plural } from '../../format/count.ts'
import type { UsageTelemetry } from '../../wire.ts'
import { courseOf } from './course.ts'

const PROVIDERS_MAX = 6
const SLEEPERS = 36
/** Nobody's failure: the tool left. */
const CANCELLED = 'cancelled'

/** How well requests went: over time, by provider, and what the failures were. */
export function FailuresCard({ telemetry }: { telemetry: UsageTelemetry }) {
  const { by_provider: providers, summary } = telemetry
  const errors = telemetry.errors.filter((error) => error.class !== CANCELLED)
  return (
    <Card title="Health" aside={rangeWords(summary)} flush>
      <div className="border-b border-line px-4 py-3">
        <HealthStrip sleepers={sleepersOf(telemetry)} label="All requests" />
      </div>
      <ul aria-label="Providers" className="border-b border-line py-1">
        {providers.slice(0, PROVIDERS_MAX).map(({ provider, requests, ok, failed }) => (
          <li key={provider} className="flex h-8 items-center gap-3 px-4 text-dense">
            <TextLink
              to={`/requests?provider=${encodeURIComponent(provider)}&range=${summary.range}`}
              className="min-w-0 flex-1 truncate text-ink"
            >
              {provider}
            </TextLink>
            <span className="text-caption text-muted">{plural(requests, 'request')}</span>
            <span className="w-28 text-right">
              {ok + failed === 0 ? '–' : `${percentText(ok / (ok + failed))} answered`}
            </span>
          </li>
        ))}
      </ul>
      <div className="p-4">
        <p className="mb-2 text-caption text-muted">Failures by kind</p>
        {errors.length === 0 ? (
          <p className="flex items-center gap-2 text-dense text-muted">
            <CircleCheck aria-hidden="true" size={16} strokeWidth={1.75} className="text-clear" />
            None in this range.
          </p>
        ) : (
          <Bars
            tone="danger"
            label="Failures by kind"
            bars={errors.map((error) => ({
              id: error.class,
              label: (
                <TextLink
                  to={`/requests?error_class=${encodeURIComponent(error.class)}&range=${summary.range}`}
                  className="font-mono text-caption text-ink"
                >
                  {error.class}
                </TextLink>
              ),
              value: error.requests,
              text: countText(error.requests),
            }))}
          />
        )}
      </div>
    </Card>
  )
}

function sleepersOf({ series, summary }: UsageTelemetry) {
  const spanMs = Date.parse(summary.to) - Date.parse(summary.from)
  const sleeperMs = Math.max(1, Math.ceil(spanMs / SLEEPERS))
  return courseOf(series, (ms) => ms - (ms % sleeperMs)).slice(-SLEEPERS)
}

function rangeWords({ range }: UsageTelemetry['summary']): string {
  return { today: 'today', '24h': 'last 24 h', '7d': 'last 7 d', '30d': 'last 30 d' }[range]
}
