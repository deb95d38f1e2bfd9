/** A request's place within the limits of its key, taken before anybody is asked and given back when its record is closed. */
import type { Failure } from '../../core/failure.ts'
import { err, type Result } from '../../core/result.ts'
import { NO_USAGE } from '../../core/usage.ts'
import type { Exchange } from '../exchange.ts'
import { isLimited } from './key-limits.ts'

/** Failures: those of `KeyLimits.enter`, `cancelled` while it waits, and whatever `answer` fails with. */
export async function withinLimits<T>(
  exchange: Exchange,
  answer: (exchange: Exchange) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const { deps, key, body, meter, cancellation } = exchange
  if (!isLimited(key.limits)) return answer(exchange)
  const place = await deps.limits.enter(key, body.facts.inputTokensEstimate, () => cancellation.begin())
  if (cancellation.cause !== undefined) {
    if (place.ok) place.value.end(NO_USAGE)
    return err(cancellation.cause)
  }
  if (!place.ok) return place
  meter.holds(place.value)
  return answer(exchange)
}
