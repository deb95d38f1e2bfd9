/** Adds text after the client's own system prompt by splices, so that every byte that the client wrote stays where it was. */
import {
  insertElement,
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  scanArrayAt,
  textOf,
  type Member,
  type ScannedObject,
} from '../../core/json-scan.ts'
import { err, ok } from '../../core/result.ts'
import { malformed, type Spliced } from '../system-splices.ts'
import { bodyGoesOn, lostThread } from './message-thread.ts'

/**
 * The block carries no cache mark and the blocks before it keep their bytes: a cache mark on the client's last block still
 * hits. Failures: `malformed` when `system` is neither text nor an array; `unknown_route` for a thread, whose prompt is what it was
 * when it began.
 */
export function appendSystem(body: ScannedObject, text: string): Spliced {
  if (bodyGoesOn(body)) return err(lostThread())
  const block = JSON.stringify({ type: 'text', text })
  const member = memberOf(body, 'system')
  if (member === undefined) return ok([insertMember(body, 'system', `[${block}]`)])
  const token = textOf(body.bytes, member.valueStart, member.valueEnd)
  if (token.startsWith('[')) return appendElement(body.bytes, member, block)
  if (token === 'null') return ok([replaceValue(member, `[${block}]`)])
  const own = parseRange(body.bytes, { start: member.valueStart, end: member.valueEnd })
  if (typeof own !== 'string') return notSystem()
  // An empty text block is refused by the provider, so an empty prompt gives way.
  const before = own.trim() === '' ? '' : `{"type":"text","text":${token}},`
  return ok([replaceValue(member, `[${before}${block}]`)])
}

function appendElement(bytes: Uint8Array, member: Member, block: string): Spliced {
  const blocks = scanArrayAt(bytes, member.valueStart)
  return blocks.ok ? ok([insertElement(blocks.value, blocks.value.elements.length, block)]) : notSystem()
}

function notSystem(): Spliced {
  return malformed('system', 'must be a string or an array of text blocks')
}
