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
const PART_BYTES_MAX = 8_192
/** Marks of the cache move from turn to turn; what stands around them does not. */
const CACHE_MARK = Buffer.from('"cache_control"')
const COMMA = 0x2c
const CLOSE_BRACE = 0x7d

/** Null when there is nothing to tell by. `conversation`: the member that holds it. */
export function promptPrefix(scanned: ScannedObject, conversation: string): string | null {
  const parts = [...systemParts(scanned), ...firstTurn(scanned, conversation)]
  if (parts.length === 0) return null
  const pieces = parts.flatMap((part) => unmarked(bufferOf(scanned.bytes), part))
  return Bun.hash(Buffer.concat(pieces)).toString(36)
}

function systemParts(scanned: ScannedObject): readonly Range[] {
  return SYSTEM_MEMBERS.flatMap((name) => {
    const member = memberOf(scanned, name)
    return member === undefined ? [] : [{ start: member.valueStart, end: member.valueEnd }]
  })
}

/**
 * The first message, and the one after it when the first is the system prompt. Nothing beyond the part that is read is looked at:
 * of a message that is longer, all of that part.
 */
function firstTurn({ bytes, members }: ScannedObject, conversation: string): readonly Range[] {
  const member = members.find(({ name }) => name === conversation)
  if (member === undefined) return []
  const start = member.valueStart
  const whole = { start, end: Math.min(member.valueEnd, start + PART_BYTES_MAX) }
  if (bytes[start] !== OPEN_BRACKET) return [whole]
  const elements = firstElements(bytes.subarray(start, whole.end), 0, 2)
  const [first, second] = elements
  const wanted = first !== undefined && isSystem(bytes.subarray(start, start + first.end), first) ? second : first
  if (wanted !== undefined) return [{ start, end: start + wanted.end }]
  return member.items === 0 ? [] : [whole]
}

const OPEN_BRACKET = 0x5b

function isSystem(bytes: Uint8Array, { start }: Range): boolean {
  const message = scanObjectAt(bytes, start)
  const role = message.ok ? valueOf(message.value, 'role') : undefined
  return role === 'system' || role === 'developer'
}

/** The bytes of a part without its marks: objects that hold no others, after a comma where they are not the first member. */
function unmarked(bytes: Buffer, { start, end }: Range): readonly Buffer[] {
  const part = bytes.subarray(start, Math.min(end, start + PART_BYTES_MAX))
  const pieces: Buffer[] = []
  let from = 0
  for (let at = part.indexOf(CACHE_MARK); at >= 0; at = part.indexOf(CACHE_MARK, from)) {
    pieces.push(part.subarray(from, part[at - 1] === COMMA ? at - 1 : at))
    const close = part.indexOf(CLOSE_BRACE, at)
    from = close < 0 ? part.length : close + 1
  }
  return [...pieces, part.subarray(from)]
}
