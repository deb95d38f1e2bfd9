/** Adds text after the client's own system prompt by splices, so that every byte that the client wrote stays where it was. */
import {
  insertElement,
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  scanArrayAt,
  scanObjectAt,
  textOf,
  type Member,
  type ScannedObject,
} from '../../core/json-scan.ts'
import { ok } from '../../core/result.ts'
import { malformed, type Spliced } from '../system-splices.ts'

/** Failure: `malformed` when `systemInstruction` is neither a content nor text. */
export function appendSystem(body: ScannedObject, text: string): Spliced {
  const part = JSON.stringify({ text })
  const member = memberOf(body, 'systemInstruction') ?? memberOf(body, 'system_instruction')
  if (member === undefined)
    return holdsCache(body) ? beforeContents(body, part) : ok([insertMember(body, 'systemInstruction', content(part))])
  const token = textOf(body.bytes, member.valueStart, member.valueEnd)
  if (token === 'null') return ok([replaceValue(member, content(part))])
  if (token.startsWith('{')) return appendPart(body.bytes, member, part)
  const own = parseRange(body.bytes, { start: member.valueStart, end: member.valueEnd })
  if (typeof own !== 'string') return notSystem()
  return ok([replaceValue(member, content(own === '' ? part : `{"text":${token}},${part}`))])
}

function content(parts: string): string {
  return `{"parts":[${parts}]}`
}

function appendPart(bytes: Uint8Array, member: Member, part: string): Spliced {
  const system = scanObjectAt(bytes, member.valueStart)
  if (!system.ok) return notSystem()
  const parts = memberOf(system.value, 'parts')
  if (parts === undefined) return ok([insertMember(system.value, 'parts', `[${part}]`)])
  const token = textOf(bytes, parts.valueStart, parts.valueEnd)
  if (token === 'null') return ok([replaceValue(parts, `[${part}]`)])
  if (token.startsWith('{')) return ok([replaceValue(parts, `[${token},${part}]`)])
  const list = scanArrayAt(bytes, parts.valueStart)
  if (!list.ok) return notSystem()
  return ok([insertElement(list.value, list.value.elements.length, part)])
}

/** A cached prompt has its own system text and takes no other, so the text opens the conversation behind it. */
function holdsCache(body: ScannedObject): boolean {
  return ['cachedContent', 'cached_content'].some((name) => {
    const member = memberOf(body, name)
    return member !== undefined && textOf(body.bytes, member.valueStart, member.valueEnd) !== 'null'
  })
}

function beforeContents(body: ScannedObject, part: string): Spliced {
  const contents = memberOf(body, 'contents')
  const list = contents && scanArrayAt(body.bytes, contents.valueStart)
  if (contents === undefined || list?.ok !== true) return ok([])
  return ok([insertElement(list.value, 0, `{"role":"user","parts":[${part}]}`)])
}

function notSystem(): Spliced {
  return malformed('systemInstruction', 'must be a content with parts of text')
}
