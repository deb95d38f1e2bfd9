/** The arguments of a tool's call as formats take them, as text or as an object. */
import { isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import type { ToolCallPart } from '../neutral.ts'

/** What is no object is wrapped: a value under `input`, as is the text of a custom tool, and broken JSON under `_raw`. */
export function argumentsObject({ kind, argumentsText }: Pick<ToolCallPart, 'kind' | 'argumentsText'>): JsonObject {
  if (kind === 'custom') return { input: argumentsText }
  if (argumentsText.trim() === '') return {}
  const value = parseExactly(argumentsText)
  if (value === undefined) return { _raw: argumentsText }
  if (value === null) return {}
  return isObject(value) ? value : { input: value }
}

/** The same for formats that take text: nothing is the empty object, and all else stays as it is. */
export function argumentsJson(argumentsText: string): string {
  const text = argumentsText.trim()
  return text === '' || text === 'null' ? '{}' : argumentsText
}

/** So many digits in a row may be more than a number can hold. */
const LONG_NUMBER = /\d{16}/

/** `JSON` with what the runtime has and its types do not say yet: the text a value was read from, and values written as given. */
const exactJson: {
  parse(text: string, reviver: (name: string, value: Json, context: { readonly source?: string }) => Json): Json
  rawJSON(text: string): JsonObject
} = JSON as never

/** As `parseJson`, but numbers that would lose digits are written again as they were read: ids of records, for one. */
function parseExactly(text: string): Json | undefined {
  const value = parseJson(text)
  if (value === undefined || !LONG_NUMBER.test(text)) return value
  return exactJson.parse(text, (_name, one, { source }) =>
    typeof one === 'number' && source !== undefined && !isExact(one, source) ? exactJson.rawJSON(source) : one,
  )
}

function isExact(value: number, source: string): boolean {
  return !LONG_NUMBER.test(source) || String(value) === source
}
