/** How hard a model should think, as far as the words of vendors agree. */
import type { ModelCapabilities } from '../catalog/provider.ts'
import type { Effort, Reasoning } from './neutral.ts'

/** Weakest first. */
export const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Tokens of thinking up to which an effort counts. */
const BUDGETS: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [512, 'minimal'],
  [2_048, 'low'],
  [8_192, 'medium'],
  [24_576, 'high'],
  [32_768, 'xhigh'],
]

/** Weaker wishes are rounded up, strong ones down: thinking more than asked costs, thinking less than the least is impossible. */
const ROUNDED_DOWN: ReadonlySet<Effort> = new Set(['high', 'xhigh', 'max'])

/** Undefined when the client left it to the model. */
export function effortOf({ effort, budgetTokens }: Reasoning): Effort | undefined {
  if (effort !== undefined || budgetTokens === undefined || budgetTokens < 0) return effort
  return BUDGETS.find(([tokens]) => budgetTokens <= tokens)?.[1] ?? 'max'
}

/** The nearest effort that the model takes; undefined when it takes none. */
export function nearestEffort(asked: Effort, efforts: ModelCapabilities['efforts']): Effort | undefined {
  if (efforts.includes(asked)) return asked
  const rank = EFFORTS.indexOf(asked)
  const weaker = EFFORTS.slice(0, rank).findLast((effort) => effort !== 'none' && efforts.includes(effort))
  const stronger = EFFORTS.slice(rank).find((effort) => efforts.includes(effort))
  return ROUNDED_DOWN.has(asked) ? (weaker ?? stronger) : (stronger ?? weaker)
}
