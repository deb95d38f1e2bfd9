/** What a dialect needs to know of the client's request to render an answer for it. */
import type { Failure } from '../core/failure.ts'
import { ok, type Result } from '../core/result.ts'
import type { ClientContext } from '../dialects/dialect.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { GatewayAccount } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { keepsAnswer } from './translate/remember.ts'

/** Failures: those of decoding the client's body. */
export function clientContext(exchange: Exchange, target: Candidate<GatewayAccount>): Result<ClientContext, Failure> {
  const request = exchange.decoded()
  if (!request.ok) return request
  return ok({
    model: nameOf(exchange, target),
    requestId: exchange.call.id,
    random: exchange.deps.random,
    createdAtS: Math.floor(exchange.call.atMs / 1000),
    elapsedMs: () => exchange.deps.clock.monotonicMs() - exchange.call.startedMs,
    inputTokensEstimate: exchange.body.facts.inputTokensEstimate,
    streamUsage: request.value.streamUsage,
    kept: keepsAnswer(exchange),
    request: request.value,
  })
}

/** The client's own word, unless it named a rule that shows which model answered. */
function nameOf({ body }: Exchange, { provider, publicModel, terms, via }: Candidate<GatewayAccount>): string {
  return via.length > 0 && terms.answersAs === null ? `${provider.id}/${publicModel}` : body.model
}
