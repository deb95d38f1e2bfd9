/** How much a client wants a model to think. */
import { BUDGET_TOKENS_MIN, CLAUDE_EFFORTS } from '../claude-thinking.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { Reasoning } from '../neutral.ts'

const THINKING_TYPES = ['enabled', 'adaptive', 'disabled', 'between_tools'] as const

/**
 * A client that names only an effort did not ask for thinking: `adaptive` is false then. Whoever turns thinking on expects to
 * see it, so `summary` is set.
 */
export function decodeReasoning(reader: FieldReader, place: Place, unknownFields: string[]): Reasoning | undefined {
  const config = reader.object(place, 'output_config')
  const effort = config && reader.choice(config, 'effort', CLAUDE_EFFORTS)
  const thinking = reader.object(place, 'thinking')
  if (thinking === undefined) return effort && { effort, adaptive: false }
  const type = reader.choice(thinking, 'type', THINKING_TYPES)
  if (type === undefined) reader.refuse('thinking.type', 'is required')
  if (type === 'between_tools') unknownFields.push('thinking.type')
  if (type === 'disabled' || type === 'between_tools') return { effort: 'none' }
  const shown = reader.choice(thinking, 'display', ['summarized', 'omitted', 'updates'])
  const summary = shown === 'omitted' ? 'none' : 'auto'
  const known = { summary, ...(effort === undefined ? {} : { effort }) } as const
  if (type === 'adaptive') return { ...known, adaptive: true }
  const budgetTokens = reader.integer(thinking, 'budget_tokens', BUDGET_TOKENS_MIN)
  if (budgetTokens === undefined) reader.refuse('thinking.budget_tokens', 'is required')
  return budgetTokens === undefined ? known : { ...known, budgetTokens }
}
