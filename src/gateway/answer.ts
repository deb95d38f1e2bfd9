/** How a request is answered: by the first of its candidates that can, or by several together. */
import type { Failure } from '../core/failure.ts'
import type { Result } from '../core/result.ts'
import { ensembleBehind } from '../routing/strategy/ensemble.ts'
import { attempt } from './attempt.ts'
import { convene } from './ensemble.ts'
import type { Exchange } from './exchange.ts'
import type { Answer } from './send.ts'

export async function answerOf(exchange: Exchange): Promise<Result<Answer, Failure>> {
  const ensemble = ensembleBehind(exchange.route)
  return ensemble === undefined ? attempt(exchange) : convene(exchange, ensemble)
}
