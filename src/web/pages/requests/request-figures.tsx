import { SECOND_MS } from '../../../core/duration.ts'
import { Figure, FigureRow } from '../../components/figure.tsx'
import { Money } from '../../components/money.tsx'
import { BigDuration } from '../../components/quantity.tsx'
import { useNow } from '../../components/time.tsx'
import { countText } from '../../format/count.ts'
import { exactMoney, nanoFromUsd } from '../../format/money.ts'
import { durationText } from '../../format/time.ts'
import type { RequestDetail } from '../../wire.ts'

/** Six numbers that answer most questions. */
export function RequestFigures({ request }: { request: RequestDetail }) {
  const { tokens, status, ms_first_token, ms_gateway, tokens_per_s, attempts } = request
  const isOpen = status === 'open'
  const elapsedMs = useElapsedMs(request)
  const rerouting = reroutingMs(request)
  return (
    <FigureRow>
      <Figure label="Cost" value={<CostFigure request={request} />} below={costBelow(request)} />
      <Figure
        label="First token"
        value={<BigDuration ms={ms_first_token} />}
        below={rerouting === undefined ? undefined : `${durationText(rerouting)} rerouting`}
      />
      <Figure
        label="Took"
        value={<BigDuration ms={elapsedMs} />}
        below={tokens_per_s === null ? undefined : `${countText(tokens_per_s)} tokens/s`}
      />
      <Figure
        label="Input"
        value={isOpen ? '–' : countText(tokens.input_tokens)}
        below={isOpen || tokens.input_tokens === 0 ? undefined : `${countText(tokens.cache_read)} read from cache`}
      />
      <Figure
        label="Output"
        value={isOpen ? '–' : countText(tokens.output)}
        below={tokens.reasoning === 0 ? undefined : `${countText(tokens.reasoning)} of it thinking`}
      />
      <Figure
        label="Gateway"
        value={<BigDuration ms={ms_gateway} />}
        below={attempts.length > 1 ? `over all ${attempts.length} tries` : undefined}
      />
    </FigureRow>
  )
}

/** How long it took, or has been running. */
function useElapsedMs({ ms_total, status, at }: RequestDetail): number | null {
  const nowMs = useNow(SECOND_MS)
  return status === 'open' ? Math.max(0, nowMs - Date.parse(at)) : ms_total
}

function CostFigure({ request }: { request: RequestDetail }) {
  const { status, cost_usd, cost_source, attempts } = request
  if (status === 'open' || attempts.length === 0) return <>–</>
  return <Money usd={cost_usd} source={status !== 'ok' && cost_source === 'free' ? null : cost_source} />
}

function costBelow({ status, cost_usd, cost_source }: RequestDetail): string | undefined {
  if (status === 'open' || cost_usd === 0 || cost_source === 'unknown') return undefined
  return exactMoney(nanoFromUsd(cost_usd)).slice(1)
}

/** What the tries before the one that answered have cost in time. */
function reroutingMs({ attempts, at }: RequestDetail): number | undefined {
  const last = attempts.at(-1)
  return attempts.length < 2 || last === undefined ? undefined : Date.parse(last.at) - Date.parse(at)
}
