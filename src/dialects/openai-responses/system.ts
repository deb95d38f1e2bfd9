/** Text after the client's own system prompt, by splices. */
import { failure } from '../../core/failure.ts'
import {
  insertElement,
  insertMember,
  memberOf,
  replaceValue,
  scanArrayAt,
  scanObjectAt,
  textOf,
  valueOf,
  type Member,
  type Range,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { err, ok } from '../../core/result.ts'
import { appendToString, malformed, type Spliced } from '../system-splices.ts'

/**
 * Appends to `instructions`; without them inserts a developer item after the leading system and developer items, so that what
 * the client put first stays first. Failure: `malformed`, when `instructions` or `input` has a wrong shape.
 */
export function appendSystem(body: ScannedObject, text: string): Spliced {
  const instructions = memberOf(body, 'instructions')
  const shape = instructions === undefined ? 'null' : shapeOf(body, instructions)
  if (instructions !== undefined && shape === '"') return ok([appendToString(instructions, text)])
  if (shape !== 'null') return malformed('instructions', 'must be a string')
  const input = memberOf(body, 'input')
  if (input === undefined || isContinued(body)) return ok([setInstructions(body, instructions, text)])
  return intoInput(body, input, text)
}

/**
 * Server-side history keeps items but not instructions: an item would be there once more with every turn. A body without input
 * has a stored prompt, for which the same holds.
 */
function isContinued(body: ScannedObject): boolean {
  return ['previous_response_id', 'conversation'].some((name) => (valueOf(body, name) ?? null) !== null)
}

function setInstructions(body: ScannedObject, existing: Member | undefined, text: string): Splice {
  const json = JSON.stringify(text)
  return existing === undefined ? insertMember(body, 'instructions', json) : replaceValue(existing, json)
}

function intoInput(body: ScannedObject, input: Member, text: string): Spliced {
  const shape = shapeOf(body, input)
  if (shape === '"') return ok(wrapText(input, text))
  if (shape !== '[') return malformed('input', 'must be a string or a list')
  const scanned = scanArrayAt(body.bytes, input.valueStart)
  if (!scanned.ok) return err(failure('malformed', scanned.error.message, { param: 'input' }))
  const { elements } = scanned.value
  const first = elements.findIndex((element) => !isSystemItem(body.bytes, element))
  return ok([insertElement(scanned.value, first < 0 ? elements.length : first, developerItem(text))])
}

/** The client's own token stays as it is, now as the content of a user item. */
function wrapText(input: Member, text: string): readonly Splice[] {
  const { valueStart, valueEnd } = input
  return [
    { start: valueStart, end: valueStart, text: `[${developerItem(text)},{"type":"message","role":"user","content":` },
    { start: valueEnd, end: valueEnd, text: '}]' },
  ]
}

function isSystemItem(bytes: Uint8Array, element: Range): boolean {
  const item = scanObjectAt(bytes, element.start)
  if (!item.ok) return false
  const role = valueOf(item.value, 'role')
  const type = valueOf(item.value, 'type') ?? 'message'
  return type === 'message' && (role === 'system' || role === 'developer')
}

function developerItem(text: string): string {
  return JSON.stringify({ type: 'message', role: 'developer', content: text })
}

/** `"`, `[`, `{`, `null` or the literal itself. */
function shapeOf({ bytes }: ScannedObject, { valueStart, valueEnd }: Member): string {
  const first = textOf(bytes, valueStart, valueStart + 1)
  return first === '"' || first === '[' || first === '{' ? first : textOf(bytes, valueStart, valueEnd)
}
