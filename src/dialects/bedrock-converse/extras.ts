/**
 * How much a model should think, and what else it takes only under its maker's own names.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html (read 2026-11-21)
 */
import type { JsonObject } from '../../core/json.ts'
import { encodeClaudeThinking } from '../claude-thinking.ts'
import { effortOf, nearestEffort } from '../effort.ts'
import { isForced } from '../tools/function-tools.ts'
import type { ChatRequest, Effort } from '../neutral.ts'
import type { MarkedTurn } from './content-encode.ts'
import { openLoop } from './conversation.ts'
import type { Encoding } from './encoding.ts'

export interface Thinking {
  /** Members of `additionalModelRequestFields`. */
  readonly fields: JsonObject
  /** `outputConfig.effort`. */
  readonly effort?: string
  readonly maxTokens: number | undefined
  /** Sampling parameters are refused beside it. */
  readonly refusesSampling: boolean
}

export function encodeThinking(encoding: Encoding, request: ChatRequest, turns: readonly MarkedTurn[]): Thinking {
  switch (encoding.traits.extras) {
    case 'claude':
      return claudeThinking(encoding, request, turns)
    case 'nova':
      return novaThinking(encoding, request)
    case 'effort':
      return unsaid(request, effortFields(wantedEffort(encoding, request)))
    case 'none':
      if (request.reasoning !== undefined && request.reasoning.effort !== 'none')
        encoding.losses.drop('reasoning_effort')
      return unsaid(request, {})
  }
}

function unsaid({ maxTokens }: ChatRequest, fields: JsonObject): Thinking {
  return { fields, maxTokens, refusesSampling: false }
}

function claudeThinking(encoding: Encoding, request: ChatRequest, turns: readonly MarkedTurn[]): Thinking {
  const { target, losses } = encoding
  const { thinking, effort, isOn, maxTokens, dropped } = encodeClaudeThinking(
    request,
    target.capabilities,
    mayThink(encoding, request, turns),
  )
  for (const name of dropped) losses.drop(name)
  return {
    fields: thinking === undefined ? {} : { thinking },
    ...(effort === undefined ? {} : { effort }),
    maxTokens: isOn ? maxTokens : request.maxTokens,
    refusesSampling: isOn,
  }
}

/** Thinking refuses a forced tool; with a budget also an open round of tools that did not begin with its thinking. */
function mayThink({ target }: Encoding, request: ChatRequest, turns: readonly MarkedTurn[]): boolean {
  if (request.tools.length > 0 && isForced(request.toolChoice)) return false
  if (target.capabilities.thinking !== 'budget') return true
  return openLoop(turns)?.beganThinking !== false
}

/** The model's nearest effort; undefined when nothing was asked, or it takes none. */
function wantedEffort({ target, losses }: Encoding, { reasoning }: ChatRequest): Effort | undefined {
  const wanted = reasoning && effortOf(reasoning)
  if (wanted === undefined) return undefined
  const nearest = nearestEffort(wanted, target.capabilities.efforts)
  if (nearest === undefined && wanted !== 'none') losses.drop('reasoning_effort')
  return nearest
}

function effortFields(effort: Effort | undefined): JsonObject {
  return effort === undefined ? {} : { reasoning_effort: effort }
}

/**
 * At its highest effort the model refuses limits and sampling.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html (read 2026-11-21)
 */
function novaThinking(encoding: Encoding, request: ChatRequest): Thinking {
  const effort = wantedEffort(encoding, request)
  if (effort === undefined) return unsaid(request, {})
  if (effort === 'none') return unsaid(request, { reasoningConfig: { type: 'disabled' } })
  const fields = { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort } }
  if (effort !== 'high') return unsaid(request, fields)
  if (request.maxTokens !== undefined) encoding.losses.drop('max_tokens')
  return { fields, maxTokens: undefined, refusesSampling: true }
}
