import { failure, type Failure } from '../../core/failure.ts'
import {
  insertMember,
  memberOf,
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
 * Adds `text` after the client's own system prompt: to the last of the leading system messages, or as a new first message. All
 * other bytes stay. Failure: `malformed` for messages of a wrong type.
 */
export function appendToChat(body: ScannedObject, text: string): Spliced {
  const messages = memberOf(body, 'messages')
  if (messages === undefined) return ok([insertMember(body, 'messages', `[${newMessage(text)}]`)])
  const scanned = scanArrayAt(body.bytes, messages.valueStart)
  if (!scanned.ok) return malformed('messages', 'must be an array')
  const { elements, close } = scanned.value
  const last = lastLeading(
    body,
    elements.map(({ start }) => start),
  )
  if (last !== undefined) return appendToText(last.message, 'content', `messages.${last.index}.content`, text)
  const start = elements[0]?.start
  if (start === undefined) return ok([{ start: close, end: close, text: newMessage(text) }])
  return ok([{ start, end: start, text: `${newMessage(text)},` }])
}

/** The same for `/api/generate`, whose system prompt is a text of its own. */
export function appendToGenerate(body: ScannedObject, text: string): Spliced {
  return appendToText(body, 'system', 'system', text)
}

function lastLeading(
  { bytes }: ScannedObject,
  starts: readonly number[],
): { readonly message: ScannedObject; readonly index: number } | undefined {
  let last: { readonly message: ScannedObject; readonly index: number } | undefined
  for (const [index, start] of starts.entries()) {
    const message = scanObjectAt(bytes, start)
    if (!message.ok || valueOf(message.value, 'role') !== 'system') break
    last = { message: message.value, index }
  }
  return last
}

function appendToText(object: ScannedObject, name: string, path: string, text: string): Spliced {
  const member = memberOf(object, name)
  if (member === undefined) return ok([insertMember(object, name, JSON.stringify(text))])
  const own = valueOf(object, name)
  if (own === null || own === '') return ok([replaceValue(member, JSON.stringify(text))])
  if (typeof own !== 'string') return malformed(path, 'must be a string')
  const at = member.valueEnd - 1
  return ok([{ start: at, end: at, text: JSON.stringify(`\n\n${text}`).slice(1, -1) }])
}

function newMessage(text: string): string {
  return JSON.stringify({ role: 'system', content: text })
}

function malformed(path: string, claim: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('malformed', `${path}: ${claim}.`, { param: path }))
}
