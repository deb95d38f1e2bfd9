import {
  insertElement,
  insertMember,
  memberOf,
  parseRange,
  type Member,
  replaceValue,
  scanArrayAt,
  type ScannedObject,
} from '../../core/json-scan.ts'
import { ok } from '../../core/result.ts'
import { appendToMessages, appendToString, malformed, type Spliced } from '../system-splices.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer'])

/**
 * Adds `text` after the client's own instructions, as a system message where there are none: every host knows `system`, and those
 * that have `developer` take it for that. Failure: `malformed` for messages of a wrong type.
 */
export function appendSystem(body: ScannedObject, text: string): Spliced {
  const messages = memberOf(body, 'messages')
  if (messages !== undefined && isNull(body, messages)) {
    return ok([replaceValue(messages, JSON.stringify([{ role: 'system', content: text }]))])
  }
  return appendToMessages(body, text, { roles: ROLES, appendTo })
}

function appendTo(message: ScannedObject, text: string, path: string): Spliced {
  const content = memberOf(message, 'content')
  if (content === undefined) return ok([insertMember(message, 'content', JSON.stringify(text))])
  const opening = String.fromCharCode(message.bytes[content.valueStart] ?? 0)
  if (opening === '"') return ok([appendToString(content, text)])
  if (opening === '[') return appendPart(message.bytes, content, text, path)
  return isNull(message, content) ? ok([replaceValue(content, JSON.stringify(text))]) : noContent(path)
}

function appendPart(bytes: Uint8Array, { valueStart }: Member, text: string, path: string): Spliced {
  const parts = scanArrayAt(bytes, valueStart)
  if (!parts.ok) return noContent(path)
  return ok([insertElement(parts.value, parts.value.elements.length, JSON.stringify({ type: 'text', text }))])
}

function noContent(path: string): Spliced {
  return malformed(path, 'must be a string or an array')
}

/** A long value is never parsed. */
function isNull({ bytes }: ScannedObject, { valueStart, valueEnd }: Member): boolean {
  return valueEnd - valueStart === 'null'.length && parseRange(bytes, { start: valueStart, end: valueEnd }) === null
}
