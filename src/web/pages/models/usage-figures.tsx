import { useSearch } from '../../address.ts'
import { Change, CostChange, Figure, FigureRow } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { BigDuration, Duration, Tokens } from '../../components/quantity.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ownTimeZone } from '../../components/time-zone-input.tsx'
import { countText, percentText, plural } from '../../format/count.ts'
import { useApiQuery } from '../../resource.ts'
import type { ModelUsage, UsageSummary } from '../../wire.ts'

const RANGES = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
] as const
const EVERY_MS = 60_000
/** Nobody's failure: the tool left. */
const CANCELLED = 'cancelled'

/** What the model did and cost in a range, against the range before. */
export function ModelUsageFigures({ name }: { name: string }) {
  const [search, setSearch] = useSearch()
  const range = RANGES.find(({ value }) => value === search['range'])?.value ?? '30d'
  const query = { range, model: name, tz: ownTimeZone() }
  const { data: summary } = useApiQuery<UsageSummary>('/v1/usage', query, { everyMs: EVERY_MS })
  const { data: rows } = useApiQuery<readonly ModelUsage[]>('/v1/usage/models', query, { everyMs: EVERY_MS })
  return (
    <section aria-label="Usage" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label="Range"
          value={range}
          options={RANGES}
          onChange={(next) => setSearch({ range: next === '30d' ? null : next })}
        />
        <TextLink to={`/requests?model=${encodeURIComponent(name)}&range=${range}`}>Its requests</TextLink>
      </div>
      {summary && (
        <>
          <Figures summary={summary} row={rows?.[0]} />
          <Failures row={rows?.[0]} name={name} range={range} />
        </>
      )}
    </section>
  )
}

function Figures({ summary, row }: { summary: UsageSummary; row: ModelUsage | undefined }) {
  const { previous: before, tokens, latency, first_token: first, success_rate: rate } = summary
  const unpriced = summary.cost_unknown_requests
  return (
    <FigureRow>
      <Figure
        label="Cost"
        value={<Money usd={summary.cost_usd} />}
        below={
          unpriced > 0 ? (
            `${plural(unpriced, 'request')} unpriced`
          ) : (
            <CostChange now={summary.cost_usd} before={before.cost_usd} />
          )
        }
      />
      <Figure
        label="Requests"
        value={countText(summary.requests)}
        below={
          <span className="flex flex-wrap items-center gap-x-1.5">
            <Change now={summary.requests} before={before.requests} />
            {rate !== null && <span>{percentText(rate)} answered</span>}
          </span>
        }
      />
      <Figure
        label="Tokens"
        value={<Tokens count={tokens.input_tokens + tokens.output} />}
        below={
          tokens.input_tokens > 0
            ? `${percentText(tokens.cache_read / tokens.input_tokens)} read from cache`
            : 'no input'
        }
      />
      <Figure label="First token, p50" value={<BigDuration ms={first.p50} />} below={<P95 ms={first.p95} />} />
      <Figure label="Took, p50" value={<BigDuration ms={latency.p50} />} below={<P95 ms={latency.p95} />} />
      <Figure label="Speed" value={row?.tokens_per_s ? countText(row.tokens_per_s) : '–'} below="tokens a second" />
    </FigureRow>
  )
}

function P95({ ms }: { ms: number | null }) {
  return (
    <>
      p95 <Duration ms={ms} />
    </>
  )
}

/** What its failures were, each leading to its requests. */
function Failures({ row, name, range }: { row: ModelUsage | undefined; name: string; range: string }) {
  const failures = row?.errors.filter((error) => error.class !== CANCELLED) ?? []
  if (failures.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-caption text-muted">
      Failures:
      {failures.map(({ class: kind, requests }) => (
        <TextLink
          key={kind}
          to={`/requests?model=${encodeURIComponent(name)}&error_class=${kind}&range=${range}`}
          className="font-mono text-ink underline"
        >
          {kind} {countText(requests)}
        </TextLink>
      ))}
    </p>
  )
}
