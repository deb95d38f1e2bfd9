/** How a request is answered: by the first of its candidates that can, or by several together; and gone on with where it is cut. */
import { ok } from '../core/result.ts'
import { ensembleBehind } from '../routing/strategy/ensemble.ts'
import { attempt } from './attempt.ts'
import { continuing } from './streaming/continuation.ts'
import { convene } from './ensemble/ensemble.ts'
import type { Exchange } from './exchange.ts'
import type { Outcome } from './send.ts'

export async function answerOf(exchange: Exchange): Promise<Outcome> {
  const ensemble = ensembleBehind(exchange.route)
  const answer = await (ensemble === undefined ? attempt(exchange) : convene(exchange, ensemble))
  return answer.ok && answer.value.kind === 'stream' ? ok(continuing(answer.value)) : answer
}
