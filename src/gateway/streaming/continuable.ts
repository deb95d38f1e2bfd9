/** Which answers can be gone on with when they are cut, and how another request asks for the rest. */
import { dialectOf } from '../../dialects/index.ts'
import type { ChatRequest, Message } from '../../dialects/neutral.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { chooseEndpoint } from '../translate/choose-endpoint.ts'
import type { GatewayAccount } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import { streamPreferencesFor } from '../terms.ts'

/**
 * Whether the rules want an answer of this target gone on with, and the target is known to do that: its format can carry the beginning
 * of an answer, and its model takes one. Asked before the answer's first byte, since what may be gone on with is decoded.
 */
export function isContinuable(exchange: Exchange, target: Candidate<GatewayAccount>): boolean {
  const { deps, body, answerForm } = exchange
  if (!body.stream || answerForm !== 'client') return false
  if (streamPreferencesFor(deps.settings(), target.terms).onCut !== 'continue') return false
  const { provider, model } = target
  if (!deps.capabilitiesOf(provider, model).prefill || !deps.isKnownOf(provider, model, 'prefill')) return false
  if (dialectOf(chooseEndpoint(exchange, target).endpoint.dialect).takesBegunAnswers !== true) return false
  const request = exchange.toSend()
  return request.ok && isFreeText(request.value)
}

/**
 * Answers that are held to a form are not begun for a model.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs (read 2026-11-21)
 */
function isFreeText({ output }: ChatRequest): boolean {
  return output === undefined || output.kind === 'text'
}

/**
 * The request for the rest of an answer that begins with `texts`, of about `tokens`; undefined where there is nothing to begin with, or
 * nothing left of the limit. It asks for no thinking, with which no answer may be begun, and its end has no white space.
 * https://docs.claude.com/en/docs/prefill-claudes-response (read 2026-11-21)
 */
export function continuationOf(
  request: ChatRequest,
  texts: readonly string[],
  tokens: number,
): ChatRequest | undefined {
  const { reasoning: _, maxTokens, ...same } = request
  const begun = [...texts.slice(0, -1), (texts.at(-1) ?? '').trimEnd()].filter((text) => text.trim() !== '')
  if (begun.length === 0 || (maxTokens !== undefined && maxTokens <= tokens)) return undefined
  const answer: Message = { role: 'assistant', parts: begun.map((text) => ({ type: 'text', text })) }
  const left = maxTokens === undefined ? {} : { maxTokens: maxTokens - tokens }
  return { ...same, ...left, messages: [...request.messages, answer] }
}
