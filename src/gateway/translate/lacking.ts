/**
 * What a model is known not to take, found out before a request is sent to it. Translation fits requests to models
 * (`dialects/fitting`); here is what remains: bytes that would pass through to a model that refuses them, and a prompt that is far
 * too long. Only knowledge counts: what is merely assumed of a model, or cannot be read, is its provider's to judge.
 */
import type { ModelFacts } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { fitRequest } from '../../dialects/fitting/index.ts'
import type { ChatRequest } from '../../dialects/neutral.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { lacks } from '../../routing/needs.ts'
import { SKIP_MEANINGS, type SkipReason } from '../../routing/skip.ts'
import type { GatewayAccount } from '../deps.ts'
import type { Exchange } from '../exchange.ts'

type Target = Pick<Candidate<GatewayAccount>, 'provider' | 'model'>

/**
 * How many times its context a model must be asked to take before that is certain. An estimate is wrong by a factor of two or
 * three for text that repeats itself, and vendors open contexts five times as large to those who ask by a header.
 */
const CLEARLY_OVER = 8

/** Failure: `context_too_long`; undefined where it may fit. */
export function overflowOf({ body }: Exchange, target: Target, facts: ModelFacts): Failure | undefined {
  const most = facts.maxInputTokens ?? facts.contextTokens
  const tokens = body.facts.inputTokensEstimate
  if (most === undefined || tokens <= most * CLEARLY_OVER) return undefined
  const claim = `The prompt is too long: about ${tokens} tokens, and "${target.model}" takes ${most}.`
  return failure('context_too_long', `${claim} ${hintFor(target)}`, { param: 'model' })
}

/** Failure: `unsupported`, for a request that would go on as its client wrote it; undefined where the model may take it. */
export function lackOf(exchange: Exchange, target: Target, facts: ModelFacts): Failure | undefined {
  const why = lacks(facts, exchange.choosing.view).find((reason) => isCertain(reason, exchange, target, facts))
  return why && failure('unsupported', `${SKIP_MEANINGS[why]} ${hintFor(target)}`, { param: 'model' })
}

function hintFor({ provider, model }: Target): string {
  return `If it can, say so on the page Models, or by PUT /v1/capability-overrides/${provider.id}/${model}.`
}

/** Tools that may not be called and documents that are text are no reason to refuse: translation makes both fit, too. */
function isCertain(why: SkipReason, { decoded, deps }: Exchange, target: Target, facts: ModelFacts): boolean {
  if (why === 'no_images') return true
  if (why === 'no_audio') return deps.isKnownOf(target.provider, target.model, 'audio')
  const request = decoded()
  return request.ok && !fitRequest(request.value, facts).ok
}

/** Whether the request must be written anew, because the model is known to refuse a part of it that can be left out or said otherwise. */
export function mustBeFitted({ choosing, decoded, deps }: Exchange, target: Target, facts: ModelFacts): boolean {
  const { view } = choosing
  const mayBind = view.structuredOutput === true && !facts.jsonSchema
  const mayThink = view.thinking === true && facts.thinking === 'none'
  if (!mayBind && !mayThink) return false
  const request = decoded()
  if (!request.ok) return false
  if (mayBind && request.value.output?.kind === 'json-schema') return true
  return mayThink && asksToThink(request.value) && deps.isKnownOf(target.provider, target.model, 'thinking')
}

function asksToThink({ reasoning }: ChatRequest): boolean {
  return reasoning !== undefined && reasoning.effort !== 'none'
}
