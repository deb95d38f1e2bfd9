/** How hard the model should think, in the words of the host. */
import type { ModelCapabilities } from '../../catalog/provider.ts'
import type { JsonObject } from '../../core/json.ts'
import type { TargetContext } from '../dialect.ts'
import { effortOf, nearestEffort } from '../effort.ts'
import type { ChatRequest, Effort, Reasoning } from '../neutral.ts'
import type { Losses } from '../losses.ts'

/** The fields that say it; none when the client did not. */
export function encodeEffort(request: ChatRequest, target: TargetContext, losses: Losses): JsonObject {
  const { reasoning } = request
  const asked = reasoning === undefined ? undefined : effortOf(reasoning)
  if (mustNotThink(request, target.capabilities)) {
    if (!target.capabilities.efforts.includes('none')) {
      losses.refuse(
        'tools',
        'the model takes functions only where it need not think, which this format cannot ask of it',
      )
    }
    // Left to itself the model would have reasoned.
    if (asked !== 'none') losses.drop('reasoning_effort')
    return { reasoning_effort: 'none' }
  }
  if (reasoning === undefined) return {}
  switch (target.quirks.effortStyle ?? 'reasoning_effort') {
    case 'openrouter':
      return openrouterReasoning(reasoning, asked, target.capabilities, losses)
    case 'thinking-switch':
      return thinkingSwitch(reasoning, asked, target.capabilities, losses)
    case 'none':
      if (asked !== undefined) losses.drop('reasoning_effort')
      return {}
    default:
      return plainEffort(asked, target.capabilities, losses)
  }
}

/** Some models refuse functions on this format unless they are told not to think, even when the client said nothing. */
function mustNotThink(request: ChatRequest, capabilities: ModelCapabilities): boolean {
  return capabilities.chatToolsWithoutReasoning === true && request.tools.some((tool) => tool.kind === 'function')
}

function plainEffort(asked: Effort | undefined, { efforts }: ModelCapabilities, losses: Losses): JsonObject {
  if (asked === undefined) return {}
  const effort = nearestEffort(asked, efforts)
  if (effort === undefined && asked !== 'none') losses.drop('reasoning_effort')
  return { reasoning_effort: effort }
}

// https://openrouter.ai/docs/use-cases/reasoning-tokens (read 2026-11-21)
function openrouterReasoning(
  { effort, budgetTokens, adaptive, summary }: Reasoning,
  asked: Effort | undefined,
  { thinking, efforts }: ModelCapabilities,
  losses: Losses,
): JsonObject {
  const exclude = summary === 'none' ? true : undefined
  if (asked === 'none') return thinking === 'none' ? {} : { reasoning: { enabled: false } }
  if (thinking === 'none' && efforts.length === 0) {
    if (asked !== undefined) losses.drop('reasoning_effort')
    return {}
  }
  if (effort === undefined && budgetTokens !== undefined) return { reasoning: { max_tokens: budgetTokens, exclude } }
  if (asked !== undefined) return { reasoning: { effort: nearestEffort(asked, efforts) ?? asked, exclude } }
  if (adaptive === true) return { reasoning: { enabled: true, exclude } }
  return exclude === undefined ? {} : { reasoning: { exclude } }
}

// https://api-docs.deepseek.com/guides/thinking_mode (read 2026-11-21): thinking is on unless it is switched off.
function thinkingSwitch(
  { adaptive }: Reasoning,
  asked: Effort | undefined,
  { thinking, efforts }: ModelCapabilities,
  losses: Losses,
): JsonObject {
  if (asked === 'none') return { thinking: { type: 'disabled' } }
  if (thinking === 'none') {
    if (asked !== undefined) losses.drop('reasoning_effort')
    return {}
  }
  if (asked === undefined) return adaptive === true ? { thinking: { type: 'enabled' } } : {}
  const words = efforts.filter((effort) => effort !== 'none')
  return { thinking: { type: 'enabled' }, reasoning_effort: nearestEffort(asked, words) }
}
