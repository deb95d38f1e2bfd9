import { failure, type Failure } from '../../core/failure.ts'
import {
  insertMember,
  memberOf,
  parseRange,
  type Range,
  replaceValue,
  scanArrayAt,
  type ScannedObject,
  scanObjectAt,
  type Splice,
  valueOf,
} from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'

type Spliced = Result<readonly Splice[], Failure>

/**
 * Adds `text` after the client's own instructions: to the last of the leading system or developer messages, or as a new first
 * message. All other bytes stay, so that a prompt cache still knows them. Failure: `malformed` for messages of a wrong type.
 */
export function appendSystem(body: ScannedObject, text: string): Spliced {
  const messages = memberOf(body, 'messages')
  if (messages === undefined) return ok([insertMember(body, 'messages', `[${newMessage(text)}]`)])
  const range = { start: messages.valueStart, end: messages.valueEnd }
  if (parseIfShort(body.bytes, range) === null) return ok([replaceValue(messages, `[${newMessage(text)}]`)])
  const scanned = scanArrayAt(body.bytes, messages.valueStart)
  if (!scanned.ok) return malformed('messages', 'must be an array')
  const { elements, close } = scanned.value
  const last = lastLeading(body.bytes, elements)
  if (last !== undefined) return appendTo(last.message, text, `messages.${last.index}.content`)
  const [first] = elements
  if (first === undefined) return ok([insertion(close, newMessage(text))])
  return ok([insertion(first.start, `${newMessage(text)},`)])
}

interface Leading {
  readonly message: ScannedObject
  readonly index: number
}

function lastLeading(bytes: Uint8Array, elements: readonly Range[]): Leading | undefined {
  let last: Leading | undefined
  for (const [index, { start }] of elements.entries()) {
    const message = scanObjectAt(bytes, start)
    const role = message.ok ? valueOf(message.value, 'role') : undefined
    if (!message.ok || (role !== 'system' && role !== 'developer')) break
    last = { message: message.value, index }
  }
  return last
}

function appendTo(message: ScannedObject, text: string, path: string): Spliced {
  const content = memberOf(message, 'content')
  if (content === undefined) return ok([insertMember(message, 'content', JSON.stringify(text))])
  const { valueStart, valueEnd } = content
  const opening = String.fromCharCode(message.bytes[valueStart] ?? 0)
  if (opening === '"') {
    const blank = valueEnd - valueStart === 2 ? '' : '\n\n'
    return ok([insertion(valueEnd - 1, JSON.stringify(blank + text).slice(1, -1))])
  }
  if (opening === '[') return appendPart(message.bytes, valueStart, text, path)
  if (parseIfShort(message.bytes, { start: valueStart, end: valueEnd }) === null) {
    return ok([replaceValue(content, JSON.stringify(text))])
  }
  return malformed(path, 'must be a string or an array')
}

function appendPart(bytes: Uint8Array, open: number, text: string, path: string): Spliced {
  const parts = scanArrayAt(bytes, open)
  if (!parts.ok) return malformed(path, 'must be a string or an array')
  const comma = parts.value.elements.length === 0 ? '' : ','
  return ok([insertion(parts.value.close, comma + JSON.stringify({ type: 'text', text }))])
}

/** Every host knows `system`; those that have `developer` take it for that. */
function newMessage(text: string): string {
  return JSON.stringify({ role: 'system', content: text })
}

function insertion(at: number, text: string): Splice {
  return { start: at, end: at, text }
}

/** The value when it can only be a literal; a long one is never parsed. */
function parseIfShort(bytes: Uint8Array, range: Range): unknown {
  return range.end - range.start > 'false'.length ? undefined : parseRange(bytes, range)
}

function malformed(path: string, claim: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('malformed', `${path}: ${claim}.`, { param: path }))
}
