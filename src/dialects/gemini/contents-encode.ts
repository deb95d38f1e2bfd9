/** A neutral conversation → contents, in the order that the vendor wants: begun by the user, results right behind their calls. */
import { isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import type { ForeignPart, Message, Opaque, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { pairedTurns, type CallIdRule } from '../turns/paired-turns.ts'
import { asReminder } from '../turns/reminder.ts'
import type { Encoding } from './encoding.ts'
import { encodeMedia } from './media-encode.ts'
import { ID, SKIP_SIGNATURE, thinksByLevel, type WireContent, type WirePart } from './wire.ts'

const CALL_IDS: CallIdRule = { legal: /^[A-Za-z0-9_.:-]{1,64}$/, prefix: 'call_' }
const FALLBACK: WireContent = { role: 'user', parts: [{ text: '.' }] }

export function encodeContents(encoding: Encoding, messages: readonly Message[]): readonly WireContent[] {
  const turns = pairedTurns(messages.map(asReminder), CALL_IDS)
  const names = new Map(
    turns.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-call' ? [[part.id, part.name]] : [])),
  )
  const contents = turns.map((turn, index) => encodeTurn(encoding, turn, names, `messages.${index}`))
  const filled = joined(contents.filter(({ parts }) => parts.length > 0))
  const begun = filled[0]?.role === 'user' ? filled : [FALLBACK, ...filled]
  return thinksByLevel(encoding.target) ? begun.map(signed) : begun
}

/** Contents that became neighbours because nothing was left of the one between them. */
function joined(contents: readonly WireContent[]): readonly WireContent[] {
  const result: { readonly role: WireContent['role']; readonly parts: WirePart[] }[] = []
  for (const { role, parts } of contents) {
    const last = result.at(-1)
    if (last?.role === role) for (const part of parts) last.parts.push(part)
    else result.push({ role, parts: [...parts] })
  }
  return result
}

/**
 * The newest models refuse a step of the turn that is under way whose first call has no signature. One that another vendor made,
 * or that a client lost, is stood in for, in earlier turns as well: a history that changed later on would be cached in vain.
 * https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11-21)
 */
function signed(content: WireContent): WireContent {
  const first = content.parts.findIndex((part) => part['functionCall'] !== undefined)
  const call = content.parts[first]
  if (call === undefined || call['thoughtSignature'] !== undefined) return content
  return { ...content, parts: content.parts.with(first, { ...call, thoughtSignature: SKIP_SIGNATURE }) }
}

type Names = ReadonlyMap<string, string>

function encodeTurn(encoding: Encoding, { role, parts }: Message, names: Names, path: string): WireContent {
  if (role === 'assistant') return { role: 'model', parts: encodeModelParts(encoding, parts, path) }
  const encoded = parts.map((part, index) => encodeUserPart(encoding, part, names, `${path}.parts.${index}`))
  // Whatever came with the results stands behind the last of them.
  return { role: 'user', parts: [...encoded.flatMap(({ first }) => first), ...encoded.flatMap(({ after }) => after)] }
}

interface UserParts {
  /** Results, which come before everything else. */
  readonly first: readonly WirePart[]
  readonly after: readonly WirePart[]
}

function encodeUserPart(encoding: Encoding, part: Part, names: Names, path: string): UserParts {
  if (part.type === 'tool-result') return encodeResult(encoding, part, names.get(part.callId) ?? '', path)
  return { first: [], after: encodeContent(encoding, part, path) }
}

/** What may stand in a turn of either side. */
function encodeContent(encoding: Encoding, part: Part, path: string): readonly WirePart[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'image':
    case 'document':
    case 'audio':
      return listed(encodeMedia(encoding, part, path))
    case 'foreign':
      return encodeForeign(encoding, part)
    default:
      return []
  }
}

function listed(part: WirePart | undefined): readonly WirePart[] {
  return part === undefined ? [] : [part]
}

function encodeForeign({ losses }: Encoding, { origin, kind, raw }: ForeignPart): readonly WirePart[] {
  if (origin === ID) return [raw]
  losses.drop(kind)
  return []
}

function encodeModelParts(encoding: Encoding, parts: readonly Part[], path: string): readonly WirePart[] {
  const wire: WirePart[] = []
  let signature: string | undefined
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-call') {
      wire.push({ ...encodeCall(encoding, part), ...signedBy(signature) })
      signature = undefined
    } else if (part.type === 'reasoning')
      signature = addThought(encoding, wire, part, parts[index + 1]?.type === 'tool-call')
    else wire.push(...encodeContent(encoding, part, `${path}.parts.${index}`))
  }
  return wire
}

/**
 * State goes back to the vendor that made it and to no other; without it the thinking goes nowhere either, above all not as
 * visible text. Returns the signature that the call behind it has to carry.
 */
function addThought(
  encoding: Encoding,
  wire: WirePart[],
  part: ReasoningPart,
  beforeCall: boolean,
): string | undefined {
  const { text, opaque } = part
  if (opaque?.vendor !== encoding.target.vendor) {
    encoding.losses.drop('thinking')
    return undefined
  }
  if (opaque.kind === 'encrypted' && text === '') addTextState(wire, opaque)
  else if (beforeCall) {
    if (text !== '') wire.push({ text, thought: true })
    return opaque.blob === '' ? undefined : opaque.blob
  } else if (text !== '' || opaque.blob !== '') wire.push({ text, thought: true, ...signedBy(opaque.blob) })
  return undefined
}

/** On the text that it came with, or by itself. */
function addTextState(wire: WirePart[], { blob }: Opaque): void {
  const last = wire.at(-1)
  const fits =
    typeof last?.['text'] === 'string' && last['thought'] === undefined && last['thoughtSignature'] === undefined
  if (last !== undefined && fits) wire[wire.length - 1] = { ...last, ...signedBy(blob) }
  else wire.push({ text: '', ...signedBy(blob) })
}

function signedBy(signature: string | undefined): JsonObject {
  return signature === undefined || signature === '' ? {} : { thoughtSignature: signature }
}

function encodeCall(encoding: Encoding, call: ToolCallPart): WirePart {
  const name = encoding.sentNames.get(call.name) ?? call.name
  return { functionCall: { ...idFor(encoding, call.id), name, args: argumentsObject(call) } }
}

/** Older models refuse ids; newer ones match by them. */
function idFor({ target }: Encoding, id: string): JsonObject {
  return thinksByLevel(target) && target.quirks.noCallIds !== true ? { id } : {}
}

/** Pictures go into the result where the model takes them there, else behind all results of the turn. */
function encodeResult(encoding: Encoding, result: ToolResultPart, name: string, path: string): UserParts {
  const texts = result.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const others = result.parts.flatMap((part, index) =>
    part.type === 'text' ? [] : encodeContent(encoding, part, `${path}.parts.${index}`),
  )
  const inside = thinksByLevel(encoding.target) ? others.filter((part) => part['inlineData'] !== undefined) : []
  const written = others.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []))
  const response = responseOf([...texts, ...written].join('\n\n'), result.isError)
  const sent = encoding.sentNames.get(name) ?? name
  const media = inside.length === 0 ? {} : { parts: inside }
  return {
    first: [{ functionResponse: { ...idFor(encoding, result.callId), name: sent, response, ...media } }],
    after: others.filter((part) => part['text'] === undefined && !inside.includes(part)),
  }
}

/** A result is an object here: one that is JSON already stays as it is. */
function responseOf(text: string, isError: boolean): JsonObject {
  if (isError) return { error: text }
  const value = text.startsWith('{') ? parseJson(text) : undefined
  return isObject(value) ? value : { output: text }
}
