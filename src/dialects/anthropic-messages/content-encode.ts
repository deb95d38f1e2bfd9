/** Neutral parts → blocks of a request to the provider. */
import type { Json, JsonObject } from '../../core/json.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import type { Cacheable, Message, Part, ReasoningPart, TextPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { cacheControl } from './cache-marks.ts'
import { replayable } from './citations.ts'
import { refuse, type Encoding } from './encoding.ts'
import { encodeDocument, encodeImage } from './media-encode.ts'
import { HOME_VENDOR, ID, type WireBlock, type WireTurn } from './wire.ts'

/** `path` names the turn in the neutral request (`messages.3`). A turn of which nothing is left has no blocks. */
export function encodeTurn(encoding: Encoding, message: Message, path: string): WireTurn {
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  const content = message.parts.flatMap((part, index) => encodePart(encoding, part, role, `${path}.parts.${index}`))
  // Signed thinking is bound to its neighbours, so nothing is taken out of a turn that has it.
  const isBound = content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  return { role, content: isBound ? content : content.filter((block) => !isBlank(block)) }
}

function isBlank(block: WireBlock): boolean {
  return block.type === 'text' && typeof block['text'] === 'string' && block['text'].trim() === ''
}

function encodePart(encoding: Encoding, part: Part, role: WireTurn['role'], path: string): readonly WireBlock[] {
  switch (part.type) {
    case 'text':
      return encodeText(part, role)
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning':
      return role === 'assistant' ? encodeReasoning(encoding, part) : []
    case 'tool-call':
      return [encodeToolCall(encoding, part)]
    case 'tool-result':
      return [encodeToolResult(encoding, part, path)]
    case 'audio':
      refuse(encoding, path, 'this model takes no audio')
      return []
    default:
      return encodeMedia(encoding, part, role, path)
  }
}

type MediaPart = Exclude<ToolResultPart['parts'][number], TextPart>

function encodeMedia(encoding: Encoding, part: MediaPart, role: WireTurn['role'], path: string): readonly WireBlock[] {
  if (part.type === 'foreign') return encodeForeign(encoding, part.origin, part.kind, part.raw)
  // Pictures and documents are refused in the model's own turns; that there was one is all that can be said.
  if (role === 'assistant') return [{ type: 'text', text: `[${part.type}]` }]
  const block = part.type === 'image' ? encodeImage(encoding, part, path) : encodeDocument(encoding, part, path)
  return block === undefined ? [] : [block]
}

function encodeText(part: TextPart, role: WireTurn['role']): readonly WireBlock[] {
  if (part.text === '') return []
  const citations = role === 'assistant' ? replayable(part.citations) : []
  const cited = citations.length === 0 ? {} : { citations }
  return [{ type: 'text', text: part.text, ...cited, ...cacheControl(part) }]
}

/**
 * State goes back to the vendor that made it and to no other; without it the thinking goes nowhere either, above all not as
 * visible text. Hosts of other vendors that speak this dialect do not sign, and take their thinking back unsigned.
 */
function encodeReasoning(encoding: Encoding, { text, opaque }: ReasoningPart): readonly WireBlock[] {
  const { vendor } = encoding.target
  const isOurs = opaque?.vendor === vendor && opaque.kind !== 'encrypted'
  if (!isOurs || (opaque.blob === '' && vendor === HOME_VENDOR)) {
    encoding.dropped.add('thinking')
    return []
  }
  if (opaque.kind === 'redacted') return [{ type: 'redacted_thinking', data: opaque.blob }]
  return [{ type: 'thinking', thinking: text, signature: opaque.blob }]
}

function encodeToolCall(encoding: Encoding, part: ToolCallPart): WireBlock {
  const name = encoding.sentNames.get(part.name) ?? part.name
  return { type: 'tool_use', id: part.id, name, input: argumentsObject(part), ...cacheControl(part) }
}

function encodeToolResult(encoding: Encoding, part: ToolResultPart, path: string): WireBlock {
  const content = part.parts.flatMap((one, index) => encodeResultPart(encoding, one, `${path}.parts.${index}`))
  return {
    type: 'tool_result',
    tool_use_id: part.callId,
    ...(content.length === 0 ? {} : { content: plainest(content) }),
    ...(part.isError ? { is_error: true } : {}),
    ...cacheControl(markOf(part)),
  }
}

/** A mark inside a result stands for one on the result, where it is counted with the others. */
function markOf(part: ToolResultPart): Cacheable {
  const inside = part.parts.findLast((one) => one.type !== 'foreign' && one.cache !== undefined)
  return part.cache !== undefined || inside === undefined || inside.type === 'foreign' ? part : inside
}

function encodeResultPart(
  encoding: Encoding,
  part: ToolResultPart['parts'][number],
  path: string,
): readonly WireBlock[] {
  const blocks = part.type === 'text' ? encodeText(part, 'user') : encodeMedia(encoding, part, 'user', path)
  return blocks.filter((block) => !isBlank(block)).map(({ cache_control: _mark, ...block }) => block)
}

/** One text is written as a string, as clients do. */
function plainest(content: readonly WireBlock[]): Json {
  const [only] = content
  const isPlain = content.length === 1 && only?.type === 'text'
  return isPlain && only['text'] !== undefined ? only['text'] : content
}

function encodeForeign(encoding: Encoding, origin: string, kind: string, raw: JsonObject): readonly WireBlock[] {
  if (origin === ID) return [{ ...raw, type: kind }]
  encoding.dropped.add(kind)
  return []
}
