/** How a prompt begins, as a digest: requests of one conversation share it, whatever has been said since. */
import {
  bufferOf,
  firstElements,
  memberOf,
  type Range,
  type ScannedObject,
  scanObjectAt,
  valueOf,
} from '../core/json-scan.ts'

/** The members that hold the system prompt, in the formats that do not keep it in the conversation. */
const SYSTEM_MEMBERS = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const
/** Of each part this much is read: what begins alike and is this long has most of it in common. */
const PART_BYTES_MAX = 16_384
/** Marks of the cache move from turn to turn; what stands around them does not. */
const CACHE_MARK = /,?\s*"cache_control"\s*:\s*\{[^{}]*\}/g

/** Null when there is nothing to tell by. `conversation`: the member that holds it. */
export function promptPrefix(scanned: ScannedObject, conversation: string): string | null {
  const parts = [...systemParts(scanned), ...firstTurn(scanned, conversation)]
  if (parts.length === 0) return null
  const text = parts.map((part) => textOf(scanned.bytes, part)).join('\n')
  return Bun.hash(text.replaceAll(CACHE_MARK, '')).toString(36)
}

function systemParts(scanned: ScannedObject): readonly Range[] {
  return SYSTEM_MEMBERS.flatMap((name) => {
    const member = memberOf(scanned, name)
    return member === undefined ? [] : [{ start: member.valueStart, end: member.valueEnd }]
  })
}

/** The first message, and the one after it when the first is the system prompt. */
function firstTurn({ bytes, members }: ScannedObject, conversation: string): readonly Range[] {
  const member = members.find(({ name }) => name === conversation)
  if (member === undefined) return []
  if (bytes[member.valueStart] !== OPEN_BRACKET) return [{ start: member.valueStart, end: member.valueEnd }]
  const [first, second] = firstElements(bytes, member.valueStart, 2)
  if (first === undefined) return []
  return second !== undefined && isSystem(bytes, first) ? [first, second] : [first]
}

const OPEN_BRACKET = 0x5b

function isSystem(bytes: Uint8Array, { start }: Range): boolean {
  const message = scanObjectAt(bytes, start)
  const role = message.ok ? valueOf(message.value, 'role') : undefined
  return role === 'system' || role === 'developer'
}

/** Byte by byte: only sameness counts. */
function textOf(bytes: Uint8Array, { start, end }: Range): string {
  return bufferOf(bytes).toString('latin1', start, Math.min(end, start + PART_BYTES_MAX))
}
