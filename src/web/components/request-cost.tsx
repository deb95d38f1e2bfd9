import type { LoggedRequest } from '../wire.ts'
import { Money } from './money.tsx'

/** What a logged request cost; nothing is not `free` when there was no answer. */
export function RequestCost({ request }: { request: Pick<LoggedRequest, 'status' | 'cost_usd' | 'cost_source'> }) {
  const { status, cost_usd, cost_source } = request
  const isUnanswered = cost_usd === 0 && status !== 'ok'
  return <Money usd={isUnanswered ? null : cost_usd} source={isUnanswered ? null : cost_source} />
}
