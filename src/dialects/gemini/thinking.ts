/** How much a model should think: what a client says, and what a given model understands. */
import type { JsonObject } from '../../core/json.ts'
import type { TargetContext } from '../dialect.ts'
import { effortOf, nearestEffort } from '../effort.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { Losses } from '../losses.ts'
import type { Effort, Reasoning } from '../neutral.ts'
import { member, thinksByLevel } from './wire.ts'

const LEVELS: ReadonlyMap<string, Effort> = new Map([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
])

/** A budget by which the model decides for itself. */
const DYNAMIC = -1

/** Who does not ask for thoughts does not get any, so `summary` is never left open. */
export function decodeThinking(reader: FieldReader, config: Place): Reasoning | undefined {
  const thinking = member(reader, config, 'thinkingConfig')
  if (thinking === undefined) return undefined
  const summary = reader.boolean(thinking, 'includeThoughts') === true ? 'auto' : 'none'
  const budget = reader.integer(thinking, 'thinkingBudget', DYNAMIC)
  const level = reader.string(thinking, 'thinkingLevel')?.toUpperCase()
  const effort = level === undefined ? undefined : LEVELS.get(level)
  if (effort !== undefined && budget !== undefined)
    reader.refuse('generationConfig.thinkingConfig', 'takes a level or a budget, not both')
  if (effort !== undefined) return { effort, summary }
  if (budget === 0) return { effort: 'none', summary }
  if (budget === DYNAMIC) return { adaptive: true, summary }
  return budget === undefined ? { summary } : { budgetTokens: budget, summary }
}

/** `thinkingConfig`; undefined where nothing is to be said, since models think by themselves. */
export function encodeThinking(
  reasoning: Reasoning | undefined,
  target: TargetContext,
  losses: Losses,
): JsonObject | undefined {
  if (reasoning === undefined) return undefined
  if (target.capabilities.thinking === 'none' || target.capabilities.thinking === 'always') {
    if (reasoning.effort !== 'none') losses.drop('reasoning')
    return undefined
  }
  const amount = thinksByLevel(target) ? levelOf(reasoning, target, losses) : budgetFor(reasoning, target, losses)
  const shown = showsThoughts(reasoning) ? { includeThoughts: true } : {}
  const config = { ...amount, ...shown }
  return Object.keys(config).length === 0 ? undefined : config
}

/** Models that cannot stop thinking are asked for as little as they can do. */
function levelOf(reasoning: Reasoning, { capabilities }: TargetContext, losses: Losses): JsonObject {
  const asked = effortOf(reasoning)
  if (asked === undefined) return {}
  const sayable = capabilities.efforts.filter((effort) => LEVEL_OF[effort] !== undefined)
  const nearest = nearestEffort(asked, sayable)
  if (asked === 'none') losses.drop('reasoning')
  const level = nearest && LEVEL_OF[nearest]
  return level === undefined ? {} : { thinkingLevel: level }
}

const LEVEL_OF: Partial<Record<Effort, string>> = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH' }

/** Tokens by effort. https://ai.google.dev/gemini-api/docs/thinking (read 2026-11-21) */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** What every model with a budget takes, in case nothing more exact is known of this one. */
const BUDGET_TOKENS_MIN = 512
const BUDGET_TOKENS_MAX = 24_576

function budgetFor(reasoning: Reasoning, { capabilities }: TargetContext, losses: Losses): JsonObject {
  const { effort, budgetTokens, adaptive } = reasoning
  if (effort === undefined && budgetTokens === undefined) return adaptive === true ? { thinkingBudget: DYNAMIC } : {}
  if (effort === 'none' || budgetTokens === 0) {
    if (capabilities.efforts.includes('none')) return { thinkingBudget: 0 }
    losses.drop('reasoning')
  }
  const wanted = budgetTokens ?? (effort === undefined || effort === 'none' ? 0 : BUDGETS[effort])
  const { min = BUDGET_TOKENS_MIN, max = BUDGET_TOKENS_MAX } = capabilities.thinkingBudget ?? {}
  return { thinkingBudget: Math.min(Math.max(wanted, min), max) }
}

/** Whether a client that sent this wants to see thoughts. */
export function showsThoughts(reasoning: Reasoning | undefined): boolean {
  return reasoning?.summary !== undefined && reasoning.summary !== 'none'
}
