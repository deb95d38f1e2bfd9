/** The arguments of a tool's call as formats take them, as text or as an object. */
import { isObject, type JsonObject } from '../core/json.ts'
import type { ToolCallPart } from './neutral.ts'
import { parseJson } from './upstream-error.ts'

/** What is no object is wrapped: a value under `input`, as is the text of a custom tool, and broken JSON under `_raw`. */
export function argumentsObject({ kind, argumentsText }: Pick<ToolCallPart, 'kind' | 'argumentsText'>): JsonObject {
  if (kind === 'custom') return { input: argumentsText }
  if (argumentsText.trim() === '') return {}
  const value = parseJson(argumentsText)
  if (value === undefined) return { _raw: argumentsText }
  if (value === null) return {}
  return isObject(value) ? value : { input: value }
}

/** The same for formats that take text: nothing is the empty object, and all else stays as it is. */
export function argumentsJson(argumentsText: string): string {
  const text = argumentsText.trim()
  return text === '' || text === 'null' ? '{}' : argumentsText
}
