/** Thinking, which reasoning models do unless it is switched off. https://docs.cohere.com/v2/docs/reasoning (read 2026-11-21) */
import type { ModelCapabilities } from '../../catalog/provider.ts'
import type { JsonObject } from '../../core/json.ts'
import { effortOf } from '../effort.ts'
import type { Losses } from '../losses.ts'
import type { ChatRequest, Effort } from '../neutral.ts'

/** Tokens of thinking for each effort; no budget is as much as the model wants. */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number | undefined>> = {
  minimal: 1_024,
  low: 1_024,
  medium: 4_096,
  high: 8_192,
  xhigh: 16_384,
  max: undefined,
}

export function encodeThinking(
  { reasoning }: ChatRequest,
  { thinking }: ModelCapabilities,
  losses: Losses,
): { readonly thinking?: JsonObject } {
  if (reasoning === undefined) return {}
  const effort = effortOf(reasoning)
  if (thinking === 'none') {
    if (effort !== undefined && effort !== 'none') losses.drop('reasoning_effort')
    return {}
  }
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  if (effort === undefined) return reasoning.adaptive === true ? { thinking: { type: 'enabled' } } : {}
  const budget = reasoning.effort === undefined ? reasoning.budgetTokens : BUDGETS[effort]
  return { thinking: { type: 'enabled', ...(budget === undefined ? {} : { token_budget: budget }) } }
}
