/**
 * Adds system text behind what the client wrote itself, by splices: every other byte stays, so that a prompt cache still knows the
 * rest. Where the text goes each format knows; here are the ways that several share.
 */
import { failure, type Failure } from '../core/failure.ts'
import {
  extendString,
  insertElement,
  insertMember,
  type Member,
  memberOf,
  type Range,
  scanArrayAt,
  type ScannedObject,
  scanObjectAt,
  type Splice,
  valueOf,
} from '../core/json-scan.ts'
import { err, ok, type Result } from '../core/result.ts'

export type Spliced = Result<readonly Splice[], Failure>

/** How a format with a list of messages has its system text among them. */
export interface SystemMessages {
  readonly roles: ReadonlySet<unknown>
  /** Adds to one that is there; `path` names its content. */
  appendTo(message: ScannedObject, text: string, path: string): Spliced
}

/** To the last of the leading system messages, or as a new first message. Failure: `malformed` for messages of a wrong type. */
export function appendToMessages(body: ScannedObject, text: string, { roles, appendTo }: SystemMessages): Spliced {
  const message = JSON.stringify({ role: 'system', content: text })
  const member = memberOf(body, 'messages')
  if (member === undefined) return ok([insertMember(body, 'messages', `[${message}]`)])
  const messages = scanArrayAt(body.bytes, member.valueStart)
  if (!messages.ok) return malformed('messages', 'must be an array')
  const last = lastLeading(body.bytes, messages.value.elements, roles)
  if (last !== undefined) return appendTo(last.message, text, `messages.${last.index}.content`)
  return ok([insertElement(messages.value, 0, message)])
}

interface Leading {
  readonly message: ScannedObject
  readonly index: number
}

function lastLeading(bytes: Uint8Array, elements: readonly Range[], roles: ReadonlySet<unknown>): Leading | undefined {
  let last: Leading | undefined
  for (const [index, { start }] of elements.entries()) {
    const message = scanObjectAt(bytes, start)
    if (!message.ok || !roles.has(valueOf(message.value, 'role'))) break
    last = { message: message.value, index }
  }
  return last
}

/** To a value that is a string, after a blank line where it says something. */
export function appendToString(member: Member, text: string): Splice {
  const isEmpty = member.valueEnd - member.valueStart === 2
  return extendString(member, isEmpty ? text : `\n\n${text}`)
}

/** A body of the client that is not what its format says. */
export function malformed(path: string, claim: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('malformed', `${path}: ${claim}.`, { param: path }))
}
