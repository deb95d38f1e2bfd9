import { Change, CostChange, Figure, FigureRow } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { BigDuration, Duration, Tokens } from '../../components/quantity.tsx'
import { countText, percentText, plural } from '../../format/count.ts'
import { nanoFromUsd, shortMoney } from '../../format/money.ts'
import type { UsageTelemetry } from '../../wire.ts'

/** Six numbers, each against the range before. */
export function Figures({ summary }: { summary: UsageTelemetry['summary'] }) {
  const { previous: before, tokens, saved_usd: saved } = summary
  const all = tokens.input_tokens + tokens.output
  return (
    <FigureRow>
      <Figure
        label="Cost"
        value={<Money usd={summary.cost_usd} />}
        below={
          summary.cost_unknown_requests > 0 ? (
            `${plural(summary.cost_unknown_requests, 'request')} unpriced`
          ) : (
            <CostChange now={summary.cost_usd} before={before.cost_usd} />
          )
        }
      />
      <Figure
        label="Saved"
        value={<Money usd={saved.cache + saved.affinity + saved.routing} />}
        below={savedText(saved)}
      />
      <Figure
        label="Requests"
        value={countText(summary.requests)}
        below={
          <span className="flex flex-wrap items-center gap-x-1.5">
            <Change now={summary.requests} before={before.requests} />
            <span>{answeredText(summary.success_rate)}</span>
          </span>
        }
      />
      <Figure
        label="Tokens"
        value={<Tokens count={all} />}
        below={
          tokens.input_tokens > 0
            ? `${percentText(tokens.cache_read / tokens.input_tokens)} read from cache`
            : 'no input'
        }
      />
      <Figure
        label="First token, p50"
        value={<BigDuration ms={summary.first_token.p50} />}
        below={
          <>
            p95 <Duration ms={summary.first_token.p95} />
          </>
        }
      />
      <Figure
        label="Gateway adds, p50"
        value={<BigDuration ms={summary.gateway.p50} />}
        below={
          <>
            p99 <Duration ms={summary.gateway.p99} />
          </>
        }
      />
    </FigureRow>
  )
}

function answeredText(rate: number | null): string {
  return rate === null ? 'none has ended yet' : `${percentText(rate)} answered`
}

function savedText(saved: UsageTelemetry['summary']['saved_usd']): string {
  const parts = [
    ['caches', saved.cache],
    ['affinity', saved.affinity],
    ['routing', saved.routing],
  ] as const
  const said = parts.flatMap(([by, usd]) => (usd === 0 ? [] : `${by} ${shortMoney(nanoFromUsd(usd))}`))
  return said.join(', ') || 'by caches, affinity and routing'
}
