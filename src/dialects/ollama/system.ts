import { insertMember, memberOf, replaceValue, type ScannedObject, valueOf } from '../../core/json-scan.ts'
import { ok } from '../../core/result.ts'
import { appendToMessages, appendToString, malformed, type Spliced } from '../system-splices.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system'])

/** Adds `text` after the client's own system prompt. Failure: `malformed` for messages of a wrong type. */
export function appendToChat(body: ScannedObject, text: string): Spliced {
  return appendToMessages(body, text, {
    roles: ROLES,
    appendTo: (message, more, path) => appendToText(message, 'content', path, more),
  })
}

/** The same for `/api/generate`, whose system prompt is a text of its own. */
export function appendToGenerate(body: ScannedObject, text: string): Spliced {
  return appendToText(body, 'system', 'system', text)
}

function appendToText(object: ScannedObject, name: string, path: string, text: string): Spliced {
  const member = memberOf(object, name)
  if (member === undefined) return ok([insertMember(object, name, JSON.stringify(text))])
  const own = valueOf(object, name)
  if (own === null) return ok([replaceValue(member, JSON.stringify(text))])
  return typeof own === 'string' ? ok([appendToString(member, text)]) : malformed(path, 'must be a string')
}
