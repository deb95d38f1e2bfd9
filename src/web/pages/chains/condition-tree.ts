/**
 * Conditions as the editor shows them: groups of comparisons and of further groups. Pure. Each part knows the path under which the
 * API would complain about it.
 */
import type { Condition } from '../../../routing/condition.ts'

export type Joint = 'all' | 'any' | 'none'

export interface Comparison {
  readonly fact: string
  readonly op: string
  readonly value: string | number | boolean | null
}

export interface Group {
  readonly joint: Joint
  readonly parts: readonly Part[]
}
export type Part = Comparison | Group

/** As the API has it: fields of JSON, of which the schema says no more. */
export type WireCondition = Readonly<Record<string, unknown>>

export function isGroup(part: Part): part is Group {
  return 'joint' in part
}

/** What is stored, as one group; nothing stored is an empty one. */
export function groupOf(when: WireCondition | null): Group {
  if (when === null) return { joint: 'all', parts: [] }
  const part = partOf(when as unknown as Condition) // the API has read it
  return isGroup(part) ? part : { joint: 'all', parts: [part] }
}

function partOf(condition: Condition): Part {
  if ('all' in condition) return { joint: 'all', parts: condition.all.map(partOf) }
  if ('any' in condition) return { joint: 'any', parts: condition.any.map(partOf) }
  if ('not' in condition) return none(condition.not)
  return condition
}

/** Not any of these is none of them. */
function none(inner: Condition): Group {
  return { joint: 'none', parts: 'any' in inner ? inner.any.map(partOf) : [partOf(inner)] }
}

/** Null where nothing has to hold. */
export function conditionOf(group: Group): WireCondition | null {
  return group.parts.length === 0 ? null : wireOf(group)
}

function wireOf(part: Part): WireCondition {
  if (!isGroup(part)) return { ...part }
  const parts = part.parts.map(wireOf)
  return part.joint === 'none' ? { not: { any: parts } } : { [part.joint]: parts }
}

/** Where the parts of a group stand. */
export function partsPath(path: string, joint: Joint): string {
  return joint === 'none' ? `${path}.not.any` : `${path}.${joint}`
}
