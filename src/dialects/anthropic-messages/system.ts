/** Adds text after the client's own system prompt by splices, so that every byte that the client wrote stays where it was. */
import { failure, type Failure } from '../../core/failure.ts'
import {
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  scanArrayAt,
  textOf,
  type Member,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { bodyGoesOn, lostThread } from './message-thread.ts'

/**
 * The block carries no cache mark and the blocks before it keep their bytes: a cache mark on the client's last block still
 * hits. Failures: `malformed` when `system` is neither text nor an array; `unknown_route` for a thread, whose prompt is what it was
 * when it began.
 */
export function appendSystem(body: ScannedObject, text: string): Result<readonly Splice[], Failure> {
  if (bodyGoesOn(body)) return err(lostThread())
  const block = JSON.stringify({ type: 'text', text })
  const member = memberOf(body, 'system')
  if (member === undefined) return ok([insertMember(body, 'system', `[${block}]`)])
  const token = textOf(body.bytes, member.valueStart, member.valueEnd)
  if (token.startsWith('[')) return appendElement(body.bytes, member, block)
  if (token === 'null') return ok([replaceValue(member, `[${block}]`)])
  const own = parseRange(body.bytes, { start: member.valueStart, end: member.valueEnd })
  if (typeof own !== 'string') return err(notSystem())
  // An empty text block is refused by the provider, so an empty prompt gives way.
  const before = own.trim() === '' ? '' : `{"type":"text","text":${token}},`
  return ok([replaceValue(member, `[${before}${block}]`)])
}

function appendElement(bytes: Uint8Array, member: Member, block: string): Result<readonly Splice[], Failure> {
  const scanned = scanArrayAt(bytes, member.valueStart)
  if (!scanned.ok) return err(notSystem())
  const { elements, close } = scanned.value
  return ok([{ start: close, end: close, text: elements.length === 0 ? block : `,${block}` }])
}

function notSystem(): Failure {
  return failure('malformed', 'system: must be a string or an array of text blocks.', { param: 'system' })
}
