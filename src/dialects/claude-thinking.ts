/** How Claude is told how much to think. The fields are the same on every host, whatever the format around them. */
import type { ModelCapabilities } from '../catalog/provider.ts'
import type { JsonObject } from '../core/json.ts'
import type { ChatRequest, Effort, Reasoning } from './neutral.ts'

/** The efforts that have a name here, weakest first. */
export const CLAUDE_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** The smallest budget that a provider takes. */
export const BUDGET_TOKENS_MIN = 1_024

export interface EncodedThinking {
  /** The value of `thinking`. */
  readonly thinking?: JsonObject
  readonly effort?: string
  readonly maxTokens: number
  /** Thinking is on, so sampling and forced tool choices are refused. */
  readonly isOn: boolean
  readonly dropped: readonly string[]
}

/** What is left for the answer when a client does not say, and when a thinking budget would eat its limit. */
const MAX_TOKENS_DEFAULT = 8_192
/** The same where the model thinks for as long as it likes inside the limit. */
const MAX_TOKENS_DEFAULT_ADAPTIVE = 32_000

interface Setting {
  readonly request: ChatRequest
  readonly reasoning: Reasoning
  readonly capabilities: ModelCapabilities
}

/** `mayThink` is false when something else in the request rules thinking out: it is switched off then, and reported. */
export function encodeClaudeThinking(
  request: ChatRequest,
  capabilities: ModelCapabilities,
  mayThink: boolean,
): EncodedThinking {
  const { reasoning } = request
  const unthinking = { maxTokens: answerTokens(request, capabilities, MAX_TOKENS_DEFAULT), isOn: false, dropped: [] }
  if (reasoning === undefined) return unthinking
  const setting = { request, reasoning, capabilities }
  if (reasoning.effort === 'none') return { ...unthinking, ...switchedOff(setting) }
  if (!mayThink) return { ...unthinking, ...switchedOff(setting), dropped: ['thinking'] }
  switch (capabilities.thinking) {
    case 'none':
    case 'always':
      return { ...unthinking, dropped: ['thinking'] }
    case 'effort':
      return { ...unthinking, ...effortOf(setting) }
    case 'adaptive':
      return reasoning.adaptive === false ? { ...unthinking, ...effortOf(setting) } : adaptive(setting)
    case 'budget':
      return reasoning.adaptive === false ? { ...unthinking, dropped: ['output_config.effort'] } : budgeted(setting)
  }
}

/** Models that cannot stop thinking are asked for as little as they can do. */
function switchedOff({ capabilities }: Setting): { thinking?: JsonObject; effort?: string; dropped?: string[] } {
  const { thinking, efforts } = capabilities
  if (thinking === 'none') return {}
  if (thinking === 'always') return { dropped: ['thinking'] }
  if (thinking === 'budget' || efforts.includes('none')) return { thinking: { type: 'disabled' } }
  const least = nearestEffort('low', efforts)
  return { dropped: ['thinking'], ...(least === undefined ? {} : { effort: least }) }
}

function adaptive(setting: Setting): EncodedThinking {
  const { request, reasoning, capabilities } = setting
  return {
    thinking: { type: 'adaptive', ...display(reasoning) },
    ...effortOf(setting),
    maxTokens: answerTokens(request, capabilities, MAX_TOKENS_DEFAULT_ADAPTIVE),
    isOn: true,
    dropped: [],
  }
}

/** The limit of the answer is raised when the budget would leave nothing of it, up to what the model can do. */
function budgeted({ request, reasoning, capabilities }: Setting): EncodedThinking {
  const { maxTokens } = request
  const ceiling = capabilities.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const { min = BUDGET_TOKENS_MIN, max = Number.POSITIVE_INFINITY } = capabilities.thinkingBudget ?? {}
  const wanted = Math.min(reasoning.budgetTokens ?? budgetOf(reasoning.effort ?? 'medium', maxTokens), max)
  const roomy = wanted + (maxTokens ?? MAX_TOKENS_DEFAULT)
  const limit = Math.min(maxTokens !== undefined && maxTokens > wanted ? maxTokens : roomy, ceiling)
  const budget = Math.max(min, Math.min(wanted, limit - 1))
  if (limit <= min) return { maxTokens: limit, isOn: false, dropped: ['thinking'] }
  const hidden = reasoning.summary === 'none' ? { display: 'omitted' } : {}
  const thinking = { type: 'enabled', budget_tokens: budget, ...hidden }
  return { thinking, maxTokens: limit, isOn: true, dropped: [] }
}

function display({ summary }: Reasoning): JsonObject {
  if (summary === undefined) return {}
  return { display: summary === 'none' ? 'omitted' : 'summarized' }
}

function answerTokens(request: ChatRequest, { maxOutputTokens }: ModelCapabilities, normal: number): number {
  return request.maxTokens ?? Math.min(maxOutputTokens ?? normal, normal)
}

function effortOf({ reasoning, capabilities }: Setting): { effort?: string } {
  const { effort, budgetTokens } = reasoning
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens))
  const nearest = wanted && nearestEffort(wanted, capabilities.efforts)
  return nearest === undefined ? {} : { effort: nearest }
}

const ORDER: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The strongest effort that this format can say and the model accepts, not above `wanted`; else the weakest there is. */
function nearestEffort(wanted: Effort, accepted: readonly Effort[]): string | undefined {
  const sayable = CLAUDE_EFFORTS.filter((effort) => accepted.includes(effort))
  const rank = ORDER.indexOf(wanted)
  return sayable.findLast((effort) => ORDER.indexOf(effort) <= rank) ?? sayable[0]
}

const BUDGETS: Readonly<Record<Exclude<Effort, 'none' | 'max'>, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
}
const BUDGET_TOKENS_MAX = 64_000

function budgetOf(effort: Effort, maxTokens: number | undefined): number {
  if (effort === 'none') return BUDGET_TOKENS_MIN
  if (effort === 'max') return Math.min(BUDGET_TOKENS_MAX, (maxTokens ?? BUDGET_TOKENS_MAX + 1) - 1)
  return BUDGETS[effort]
}

const EFFORT_LIMITS: readonly (readonly [number, Effort])[] = [
  [512, 'minimal'],
  [2_048, 'low'],
  [8_192, 'medium'],
  [24_576, 'high'],
  [32_768, 'xhigh'],
]

function effortOfBudget(budgetTokens: number): Effort {
  return EFFORT_LIMITS.find(([limit]) => budgetTokens <= limit)?.[1] ?? 'max'
}
