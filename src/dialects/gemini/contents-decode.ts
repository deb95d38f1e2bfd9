/** A client's conversation → neutral messages. */
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { mimeOf } from '../media/data-url.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  Media,
  Message,
  Opaque,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
} from '../neutral.ts'
import { TurnJoiner } from '../turns/turn-joiner.ts'
import { CallIds } from './call-ids.ts'
import { openSignature, type StateKind } from './state.ts'
import { HOME_VENDOR, ID, member, members, SKIP_SIGNATURE } from './wire.ts'

interface Decoding {
  readonly reader: FieldReader
  readonly calls: CallIds
  readonly unknownFields: string[]
}

export function decodeContents(reader: FieldReader, place: Place, unknownFields: string[]): readonly Message[] {
  const decoding: Decoding = { reader, calls: new CallIds(), unknownFields }
  const contents = members(reader, place, 'contents')
  if (contents.length === 0) reader.refuse('contents', 'must hold at least one content')
  const turns = new TurnJoiner()
  for (const content of contents) turns.add(decodeContent(decoding, content))
  return turns.finish().map(withWholeThoughts)
}

/** `function` is what older clients call the turn of results. */
const ROLES = ['user', 'model', 'function'] as const

function decodeContent(decoding: Decoding, content: Place): Message {
  const { reader } = decoding
  const role = reader.choice(content, 'role', ROLES) === 'model' ? 'assistant' : 'user'
  const parts = members(reader, content, 'parts').flatMap((part) => decodePart(decoding, part, role))
  return { role, parts }
}

/**
 * One thought comes in pieces, each a part, and what signs it stands behind them: on a call, or by itself. Only together do they
 * say whose thought it was.
 */
function withWholeThoughts(message: Message): Message {
  const parts: Part[] = []
  for (const part of message.parts) {
    const last = parts.at(-1)
    const belongs =
      last?.type === 'reasoning' && isUnsigned(last) && part.type === 'reasoning' && part.opaque?.kind !== 'encrypted'
    if (belongs) parts[parts.length - 1] = { ...part, text: last.text + part.text, redacted: false }
    else parts.push(part)
  }
  return { ...message, parts }
}

function isUnsigned({ opaque }: ReasoningPart): boolean {
  return opaque?.vendor === HOME_VENDOR && opaque.blob === ''
}

function decodePart(decoding: Decoding, part: Place, role: 'user' | 'assistant'): readonly Part[] {
  const { reader } = decoding
  noteUnknown(decoding, part)
  const signature = reader.string(part, 'thoughtSignature')
  const call = member(reader, part, 'functionCall')
  if (call !== undefined)
    return inRole(reader, part, role, 'assistant', [...stateOf(signature, 'signature'), decodeCall(decoding, call)])
  const response = member(reader, part, 'functionResponse')
  if (response !== undefined) return inRole(reader, part, role, 'user', [decodeResponse(decoding, response)])
  const text = reader.string(part, 'text')
  if (text !== undefined) return decodeText(reader.boolean(part, 'thought') === true, text, signature)
  const media = decodeMedia(reader, part)
  if (media !== undefined) return [media, ...stateOf(signature, 'encrypted')]
  const kind = FOREIGN.find((name) => isObject(part.object[name]))
  if (kind !== undefined) return [{ type: 'foreign', origin: ID, kind, raw: part.object }]
  if (signature === undefined) reader.refuse(part.path, 'holds nothing that is known')
  return stateOf(signature, 'encrypted')
}

/** Transcripts of what the vendor ran itself. */
const FOREIGN = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'] as const

function inRole(reader: FieldReader, part: Place, role: string, home: string, parts: readonly Part[]): readonly Part[] {
  if (role !== home)
    reader.refuse(part.path, `cannot stand in a content of ${home === 'user' ? 'the model' : 'the user'}`)
  return parts
}

const HINTS = ['videoMetadata', 'partMetadata'] as const

function noteUnknown({ unknownFields }: Decoding, part: Place): void {
  for (const name of HINTS) if (isObject(part.object[name])) unknownFields.push(name)
}

function decodeText(isThought: boolean, text: string, signature: string | undefined): readonly Part[] {
  if (!isThought) return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...stateOf(signature, 'encrypted')]
  if (text === '') return stateOf(signature, 'signature')
  const unsigned: Opaque = { vendor: HOME_VENDOR, kind: 'signature', blob: '' }
  const opaque = signature === undefined ? unsigned : openSignature(signature, 'signature')
  return [{ type: 'reasoning', text, redacted: false, opaque }]
}

/** What merely stands for a signature is none. */
function stateOf(signature: string | undefined, kind: StateKind): readonly ReasoningPart[] {
  if (signature === undefined || signature === '' || signature === SKIP_SIGNATURE) return []
  return [{ type: 'reasoning', text: '', redacted: true, opaque: openSignature(signature, kind) }]
}

function decodeCall({ reader, calls }: Decoding, call: Place): ToolCallPart {
  const name = reader.requiredString(call, 'name')
  if (name === '') reader.refuse(pathOf(call, 'name'), 'must not be empty')
  const args = reader.object(call, 'args')?.object ?? {}
  const id = calls.open(reader.string(call, 'id'), name)
  return { type: 'tool-call', id, name, kind: 'function', argumentsText: JSON.stringify(args) }
}

function decodeResponse({ reader, calls }: Decoding, response: Place): ToolResultPart {
  const callId = calls.answer(reader.string(response, 'id'), reader.string(response, 'name') ?? '')
  const { text, isError } = resultText(reader.object(response, 'response')?.object ?? {})
  const media = members(reader, response, 'parts').flatMap((part) => decodeMedia(reader, part) ?? [])
  const attached = media.filter((part) => part.type !== 'audio')
  if (attached.length < media.length)
    reader.refuse(pathOf(response, 'parts'), 'audio cannot be the result of a tool', 'unsupported')
  const said = text === '' ? [] : [{ type: 'text' as const, text }]
  return { type: 'tool-result', callId, parts: [...said, ...attached], isError }
}

/** `{output}` and `{error}` are how the format says a plain text; any other object is its own JSON. */
function resultText(response: JsonObject): { readonly text: string; readonly isError: boolean } {
  const [name, ...others] = Object.keys(response)
  const value = name === undefined ? undefined : response[name]
  if (name === undefined) return { text: '', isError: false }
  if (others.length > 0 || (name !== 'output' && name !== 'error'))
    return { text: JSON.stringify(response), isError: false }
  return { text: asText(value), isError: name === 'error' }
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function decodeMedia(reader: FieldReader, part: Place): ImagePart | AudioPart | DocumentPart | undefined {
  const inline = member(reader, part, 'inlineData')
  const file = inline === undefined ? member(reader, part, 'fileData') : undefined
  const place = inline ?? file
  if (place === undefined) return undefined
  const name = reader.string(place, 'displayName')
  const filename = name === undefined ? {} : { filename: name }
  const source = { ...(file === undefined ? inlineMedia(reader, place) : fileMedia(reader, place)), ...filename }
  const mime = 'mime' in source ? (source.mime ?? '') : ''
  if (mime.startsWith('image/')) return { type: 'image', source, ...detailOf(part.object['mediaResolution']) }
  return mime.startsWith('audio/') ? { type: 'audio', source } : { type: 'document', source }
}

function inlineMedia(reader: FieldReader, inline: Place): Media {
  const data = reader.requiredString(inline, 'data')
  return { kind: 'base64', mime: mimeOf(reader.string(inline, 'mimeType') ?? '', data), data }
}

function fileMedia(reader: FieldReader, file: Place): Media {
  const url = reader.requiredString(file, 'fileUri')
  const mime = reader.string(file, 'mimeType')
  return { kind: 'url', url, ...(mime === undefined ? {} : { mime }) }
}

const DETAILS: ReadonlyMap<string, NonNullable<ImagePart['detail']>> = new Map(
  Object.entries<NonNullable<ImagePart['detail']>>({
    MEDIA_RESOLUTION_LOW: 'low',
    MEDIA_RESOLUTION_MEDIUM: 'auto',
    MEDIA_RESOLUTION_HIGH: 'high',
  }),
)

function detailOf(resolution: Json | undefined): Pick<ImagePart, 'detail'> {
  const level = isObject(resolution) ? resolution['level'] : resolution
  const detail = typeof level === 'string' ? DETAILS.get(level) : undefined
  return detail === undefined ? {} : { detail }
}
