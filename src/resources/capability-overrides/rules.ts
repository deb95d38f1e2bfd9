/** What a schema cannot say of a sheet: fields that must agree with one another. */
import type { FieldErrors } from '../../http/envelope.ts'
import { laidOver, type Sheet } from './sheet.ts'

/** Judges what would count, and blames what the override says. */
export function contradictions(catalog: Sheet, override: Sheet): FieldErrors {
  const effective = laidOver(catalog, override)
  const { thinking, deprecated_at: deprecatedAt } = effective
  return {
    ...limitProblem('max_input', effective, override),
    ...limitProblem('max_output', effective, override),
    ...(isAbove(thinking.min_budget, thinking.max_budget) ? { 'thinking.min_budget': ['is above max_budget'] } : {}),
    ...(deprecatedAt !== null && Number.isNaN(Date.parse(deprecatedAt)) ? { deprecated_at: ['is no time'] } : {}),
  }
}

/** A limit of the catalogue is not to blame when the override makes the context smaller than it. */
function limitProblem(field: 'max_input' | 'max_output', effective: Sheet, override: Sheet): FieldErrors {
  const { context_window: context, [field]: limit } = effective
  if (!isAbove(limit, context)) return {}
  return override[field] === null
    ? { context_window: [`is less than ${field}, which is ${limit}`] }
    : { [field]: [`must not be more than context_window, which is ${context}`] }
}

function isAbove(value: number | null, bound: number | null): boolean {
  return value !== null && bound !== null && value > bound
}
