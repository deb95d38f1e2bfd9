import type { LoggedRequest, ModelUsage } from '../wire.ts'
import { Money } from './money.tsx'

/** What a logged request cost; nothing is not `free` when there was no answer. */
export function RequestCost({ request }: { request: Pick<LoggedRequest, 'status' | 'cost_usd' | 'cost_source'> }) {
  const { status, cost_usd, cost_source } = request
  const isUnanswered = cost_usd === 0 && status !== 'ok'
  return <Money usd={isUnanswered ? null : cost_usd} source={isUnanswered ? null : cost_source} />
}

/** What several requests cost together; where that is nothing, why. */
export function SumCost({ part }: { part: Pick<ModelUsage, 'ok' | 'cost_usd' | 'cost_unknown_requests'> }) {
  if (part.cost_usd > 0) return <Money usd={part.cost_usd} />
  if (part.ok === 0) return <Money usd={null} />
  return <Money usd={0} source={part.cost_unknown_requests > 0 ? 'unknown' : 'free'} />
}
