/**
 * Reads JSON by byte ranges instead of by value, so that a body can be edited by splices and the rest of its bytes stay as the
 * client wrote them. A scan of the top level costs about a microsecond per kilobyte; nothing is parsed or copied.
 */
import { failure, type Failure } from './failure.ts'
import { err, ok, type Result } from './result.ts'

export interface Member {
  readonly name: string
  /** First byte of the name's opening quote. */
  readonly keyStart: number
  readonly valueStart: number
  /** One past the value's last byte. */
  readonly valueEnd: number
  /** How many elements or members the value holds directly; 0 for anything but a filled array or object. */
  readonly items: number
}

export interface ScannedObject {
  readonly bytes: Uint8Array
  /** The byte of `{` and of the matching `}`. */
  readonly open: number
  readonly close: number
  readonly members: readonly Member[]
}

export interface Range {
  readonly start: number
  readonly end: number
}

export interface ScannedArray {
  readonly elements: readonly Range[]
  /** The byte of the matching `]`. */
  readonly close: number
}

export interface Splice {
  /** Bytes from `start` up to `end` give way to `text`; `start === end` inserts. */
  readonly start: number
  readonly end: number
  readonly text: string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** The members of the object that is the whole of `bytes`. Failure: `malformed`. */
export function scanObject(bytes: Uint8Array): Result<ScannedObject, Failure> {
  const open = skipSpace(bytes, 0)
  if (bytes[open] !== OPEN_BRACE) return malformed('the body is not a JSON object')
  const scanned = scanObjectAt(bytes, open)
  if (!scanned.ok) return scanned
  if (skipSpace(bytes, scanned.value.close + 1) !== bytes.length) return malformed('bytes follow the JSON object')
  return scanned
}

/** The members of the object whose `{` is at `open`. Failure: `malformed`. */
export function scanObjectAt(bytes: Uint8Array, open: number): Result<ScannedObject, Failure> {
  if (bytes[open] !== OPEN_BRACE) return malformed('expected a JSON object')
  const members: Member[] = []
  let at = skipSpace(bytes, open + 1)
  if (bytes[at] === CLOSE_BRACE) return ok({ bytes, open, close: at, members })
  for (;;) {
    if (bytes[at] !== QUOTE) return malformed('expected a member name', at)
    const keyStart = at
    const keyEnd = skipString(bytes, at)
    if (keyEnd < 0) return malformed('a string does not end', at)
    const name = readString(bytes, keyStart, keyEnd)
    if (name === undefined) return malformed('a member name is not a valid string', keyStart)
    at = skipSpace(bytes, keyEnd)
    if (bytes[at] !== COLON) return malformed('expected ":"', at)
    const valueStart = skipSpace(bytes, at + 1)
    const counted = { items: 0 }
    const valueEnd = skipValue(bytes, valueStart, counted)
    if (valueEnd < 0) return malformed('a value is not valid JSON', valueStart)
    members.push({ name, keyStart, valueStart, valueEnd, items: counted.items })
    at = skipSpace(bytes, valueEnd)
    if (bytes[at] === CLOSE_BRACE) return ok({ bytes, open, close: at, members })
    if (bytes[at] !== COMMA) return malformed('expected "," or "}"', at)
    at = skipSpace(bytes, at + 1)
  }
}

/** The elements of the array whose `[` is at `open`, and where its `]` is. Failure: `malformed`. */
export function scanArrayAt(bytes: Uint8Array, open: number): Result<ScannedArray, Failure> {
  if (bytes[open] !== OPEN_BRACKET) return malformed('expected a JSON array', open)
  const elements: Range[] = []
  let at = skipSpace(bytes, open + 1)
  if (bytes[at] === CLOSE_BRACKET) return ok({ elements, close: at })
  for (;;) {
    const end = skipValue(bytes, at)
    if (end < 0) return malformed('a value is not valid JSON', at)
    elements.push({ start: at, end })
    at = skipSpace(bytes, end)
    if (bytes[at] === CLOSE_BRACKET) return ok({ elements, close: at })
    if (bytes[at] !== COMMA) return malformed('expected "," or "]"', at)
    at = skipSpace(bytes, at + 1)
  }
}

/** The first elements of the array whose `[` is at `open`, at most `max`; fewer where it is shorter or not valid JSON. */
export function firstElements(bytes: Uint8Array, open: number, max: number): readonly Range[] {
  const elements: Range[] = []
  if (bytes[open] !== OPEN_BRACKET) return elements
  let at = skipSpace(bytes, open + 1)
  while (elements.length < max && bytes[at] !== CLOSE_BRACKET) {
    const end = skipValue(bytes, at)
    if (end < 0) return elements
    elements.push({ start: at, end })
    at = skipSpace(bytes, end)
    if (bytes[at] !== COMMA) return elements
    at = skipSpace(bytes, at + 1)
  }
  return elements
}

/** The last member called `name`, as `JSON.parse` would choose it. */
export function memberOf(object: ScannedObject, name: string): Member | undefined {
  return object.members.findLast((member) => member.name === name)
}

/** The elements of a member that is a list; none for anything else. */
export function elementsOf(object: ScannedObject, name: string): readonly Range[] {
  const member = memberOf(object, name)
  const list = member && scanArrayAt(object.bytes, member.valueStart)
  return list?.ok === true ? list.value.elements : []
}

/** Parses one value. Only for ranges that a scan returned; the scan does not look inside numbers and literals, so this may fail. */
export function parseRange(bytes: Uint8Array, range: Range): unknown {
  try {
    return JSON.parse(textOf(bytes, range.start, range.end))
  } catch {
    return undefined // not JSON after all: callers treat it as a value of the wrong type
  }
}

export function valueOf(object: ScannedObject, name: string): unknown {
  const member = memberOf(object, name)
  return member === undefined ? undefined : parseRange(object.bytes, { start: member.valueStart, end: member.valueEnd })
}

export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return bufferOf(bytes).toString('utf8', start, end)
}

/** The same memory as a Buffer; free when it is one already, as bodies are. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Whether an edit of one list reaches into an edit of the other, so that they cannot be applied together. */
export function doOverlap(some: readonly Splice[], others: readonly Splice[]): boolean {
  return some.some((a) => others.some((b) => a.start < b.end && b.start < a.end))
}

/**
 * Applies splices, given in any order. Of those at one place, the first given comes first; one inside a range that another replaces
 * goes with that range. Otherwise they must not overlap.
 */
export function applySplices(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  if (splices.length === 0) return bytes
  const ordered = splices.toSorted((a, b) => a.start - b.start)
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end, text } of ordered) {
    if (start < from) continue
    pieces.push(bytes.subarray(from, start), Buffer.from(text, 'utf8'))
    from = end
  }
  pieces.push(bytes.subarray(from))
  return Buffer.concat(pieces)
}

/** A new last member of `object`. */
export function insertMember(object: ScannedObject, name: string, json: string): Splice {
  const comma = object.members.length === 0 ? '' : ','
  return { start: object.close, end: object.close, text: `${comma}${JSON.stringify(name)}:${json}` }
}

export function replaceValue(member: Member, json: string): Splice {
  return { start: member.valueStart, end: member.valueEnd, text: json }
}

/** A new element before the one at `index`, or the last where there is none. */
export function insertElement({ elements, close }: ScannedArray, index: number, json: string): Splice {
  const next = elements[index]
  if (next !== undefined) return { start: next.start, end: next.start, text: `${json},` }
  return { start: close, end: close, text: elements.length === 0 ? json : `,${json}` }
}

/** More text at the end of a value that is a string. */
export function extendString({ valueEnd }: Member, text: string): Splice {
  return { start: valueEnd - 1, end: valueEnd - 1, text: JSON.stringify(text).slice(1, -1) }
}

/**
 * `object` without the members called by a name in `removed`, and with `added` before all others. Its splices fit any that touch
 * the values of the members that stay.
 */
export function reshape(
  object: ScannedObject,
  removed: ReadonlySet<string>,
  added: readonly (readonly [name: string, json: string])[] = [],
): readonly Splice[] {
  const { members, open } = object
  const isKept = ({ name }: Member): boolean => !removed.has(name)
  const lastKept = members.findLastIndex(isKept)
  const cuts = members.flatMap((member, index): readonly Splice[] => {
    const next = members[index + 1]
    if (isKept(member) || index > lastKept || next === undefined) return []
    return [{ start: member.keyStart, end: next.keyStart, text: '' }]
  })
  const tail = cutTail(members, lastKept)
  if (added.length === 0) return [...cuts, ...tail]
  const text = added.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')
  return [{ start: open + 1, end: open + 1, text: lastKept < 0 ? text : `${text},` }, ...cuts, ...tail]
}

/** Takes away all members behind `lastKept`, with the comma before them. */
function cutTail(members: readonly Member[], lastKept: number): readonly Splice[] {
  const first = members[lastKept + 1]
  const last = members.at(-1)
  if (first === undefined || last === undefined) return []
  return [{ start: members[lastKept]?.valueEnd ?? first.keyStart, end: last.valueEnd, text: '' }]
}

/** Refuses what would make a later `JSON.parse` or walk expensive. Failure: `malformed`, naming the limit. */
export function checkNesting(bytes: Uint8Array, depthMax: number, nodesMax: number): Result<undefined, Failure> {
  let depth = 0
  let nodes = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = skipString(bytes, at)
      if (end < 0) return malformed('a string does not end', at)
      at = end - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > depthMax) return malformed(`the body is nested deeper than ${depthMax} levels`)
      nodes++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    else if (byte === COMMA) nodes++
    if (nodes > nodesMax) return malformed(`the body has more than ${nodesMax} values`)
  }
  return ok(undefined)
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
  }
  return at
}

/** One past the closing quote of the string that opens at `start`; -1 when it does not end. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  // Short strings end within a few bytes; long ones are left to the native search.
  const shortEnd = Math.min(bytes.length, at + 32)
  for (; at < shortEnd; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at)
    if (quote < 0) return -1
    let backslashes = 0
    while (quote - 1 - backslashes >= at && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

/** One past the value that starts at `start`; -1 when it is not a value. Brackets are counted, not matched by kind. */
function skipValue(bytes: Uint8Array, start: number, counted?: { items: number }): number {
  const first = bytes[start]
  if (first === QUOTE) return skipString(bytes, start)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(bytes, start, counted)
  let at = start
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined || byte <= 0x20) break
    if (byte === QUOTE || byte === COLON || byte === OPEN_BRACE || byte === OPEN_BRACKET) return -1
  }
  return at === start ? -1 : at
}

function skipContainer(bytes: Uint8Array, start: number, counted?: { items: number }): number {
  let depth = 0
  let commas = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = skipString(bytes, at)
      if (end < 0) return -1
      at = end - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === COMMA) {
      if (depth === 1) commas++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
      if (depth === 0) {
        if (counted !== undefined) counted.items = skipSpace(bytes, start + 1) === at ? 0 : commas + 1
        return at + 1
      }
    }
  }
  return -1
}

function readString(bytes: Uint8Array, start: number, end: number): string | undefined {
  const text = textOf(bytes, start + 1, end - 1)
  if (!text.includes('\\')) return text
  const value = parseRange(bytes, { start, end })
  return typeof value === 'string' ? value : undefined
}

function malformed(claim: string, at?: number): { readonly ok: false; readonly error: Failure } {
  const where = at === undefined ? '' : ` (byte ${at})`
  return err(failure('malformed', `The request body is not valid JSON: ${claim}${where}.`))
}
