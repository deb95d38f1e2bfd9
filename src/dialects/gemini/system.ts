/** Adds text after the client's own system prompt by splices, so that every byte that the client wrote stays where it was. */
import { failure, type Failure } from '../../core/failure.ts'
import {
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  scanArrayAt,
  scanObjectAt,
  textOf,
  type Member,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'

type Splices = Result<readonly Splice[], Failure>

/** Failure: `malformed` when `systemInstruction` is neither a content nor text. */
export function appendSystem(body: ScannedObject, text: string): Splices {
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

function appendPart(bytes: Uint8Array, member: Member, part: string): Splices {
  const system = scanObjectAt(bytes, member.valueStart)
  if (!system.ok) return notSystem()
  const parts = memberOf(system.value, 'parts')
  if (parts === undefined) return ok([insertMember(system.value, 'parts', `[${part}]`)])
  const token = textOf(bytes, parts.valueStart, parts.valueEnd)
  if (token === 'null') return ok([replaceValue(parts, `[${part}]`)])
  if (token.startsWith('{')) return ok([replaceValue(parts, `[${token},${part}]`)])
  const list = scanArrayAt(bytes, parts.valueStart)
  if (!list.ok) return notSystem()
  const { elements, close } = list.value
  return ok([{ start: close, end: close, text: elements.length === 0 ? part : `,${part}` }])
}

/** A cached prompt has its own system text and takes no other, so the text opens the conversation behind it. */
function holdsCache(body: ScannedObject): boolean {
  return ['cachedContent', 'cached_content'].some((name) => {
    const member = memberOf(body, name)
    return member !== undefined && textOf(body.bytes, member.valueStart, member.valueEnd) !== 'null'
  })
}

function beforeContents(body: ScannedObject, part: string): Splices {
  const contents = memberOf(body, 'contents')
  const list = contents && scanArrayAt(body.bytes, contents.valueStart)
  if (contents === undefined || list?.ok !== true) return ok([])
  const start = contents.valueStart + 1
  const comma = list.value.elements.length === 0 ? '' : ','
  return ok([{ start, end: start, text: `{"role":"user","parts":[${part}]}${comma}` }])
}

function notSystem(): { readonly ok: false; readonly error: Failure } {
  const message = 'systemInstruction: must be a content with parts of text.'
  return err(failure('malformed', message, { param: 'systemInstruction' }))
}
