/** Neutral parts → blocks of a request. */
import { argumentsObject } from '../tools/call-arguments.ts'
import type { Message, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { marked, type Marked } from './cache-points.ts'
import type { Encoding } from './encoding.ts'
import { encodeAudio, encodeDocument, encodeImage } from './media-encode.ts'
import type { WireBlock, WireTurn } from './wire.ts'

export interface MarkedTurn {
  readonly role: WireTurn['role']
  readonly content: readonly Marked[]
}

/** Stands where the provider wants words and the client has none. */
export const FILLER: WireBlock = { text: '.' }

/** `path` names the turn in the neutral request (`messages.3`). A turn of which nothing is left has no blocks. */
export function encodeTurn(encoding: Encoding, message: Message, path: string): MarkedTurn {
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  const content = message.parts.flatMap((part, index) => {
    const block = encodePart(encoding, part, role, `${path}.parts.${index}`)
    if (block === undefined) return []
    return [part.type === 'tool-result' ? markedResult(encoding, block, part) : marked(encoding, block, cacheOf(part))]
  })
  const lacksWords = content.some(({ block }) => 'document' in block) && !content.some(({ block }) => 'text' in block)
  return { role, content: lacksWords ? [{ block: FILLER }, ...content] : content }
}

function cacheOf(part: Part) {
  return 'cache' in part && part.cache !== undefined ? { cache: part.cache } : {}
}

/** A mark inside a result stands for one behind it. */
function markedResult(encoding: Encoding, block: WireBlock, result: ToolResultPart): Marked {
  const inside = result.parts.findLast((part) => 'cache' in part && part.cache !== undefined)
  return marked(encoding, block, result.cache !== undefined || inside === undefined ? result : cacheOf(inside))
}

function encodePart(encoding: Encoding, part: Part, role: WireTurn['role'], path: string): WireBlock | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return encodeText(part.text)
    case 'reasoning':
      return role === 'assistant' ? encodeReasoning(encoding, part) : undefined
    case 'tool-call':
      return encodeToolCall(encoding, part)
    case 'tool-result':
      return encodeToolResult(encoding, part, path)
    default:
      return encodeMedia(encoding, part, role, path)
  }
}

/** Blank text is refused. */
function encodeText(text: string): WireBlock | undefined {
  return text.trim() === '' ? undefined : { text }
}

type MediaPart = Extract<Part, { type: 'image' | 'document' | 'audio' | 'foreign' }>

function encodeMedia(encoding: Encoding, part: MediaPart, role: WireTurn['role'], path: string): WireBlock | undefined {
  if (part.type === 'foreign') return void encoding.losses.drop(part.kind)
  // Files are refused in the model's own turns; that there was one is all that can be said.
  if (role === 'assistant') return { text: `[${part.type}]` }
  switch (part.type) {
    case 'image':
      return encodeImage(encoding, part, path)
    case 'document':
      return encodeDocument(encoding, part, path)
    case 'audio':
      return encodeAudio(encoding, part, path)
  }
}

/**
 * Signed state goes back to the vendor that made it and to no other; without it the thinking goes nowhere either, above all not
 * as visible text. Models that do not sign their thinking do not want it back.
 */
function encodeReasoning({ target, losses }: Encoding, { text, opaque }: ReasoningPart): WireBlock | undefined {
  const isOurs = opaque?.vendor === target.vendor && opaque.kind !== 'encrypted' && opaque.blob !== ''
  if (!isOurs) return void losses.drop('thinking')
  if (opaque.kind === 'redacted') return { reasoningContent: { redactedContent: opaque.blob } }
  return { reasoningContent: { reasoningText: { text, signature: opaque.blob } } }
}

function encodeToolCall({ sentNames }: Encoding, part: ToolCallPart): WireBlock {
  const name = sentNames.get(part.name) ?? part.name
  return { toolUse: { toolUseId: part.id, name, input: argumentsObject(part) } }
}

function encodeToolResult(encoding: Encoding, part: ToolResultPart, path: string): WireBlock {
  const { traits } = encoding
  const blocks = part.parts.flatMap((one, index) => {
    const block =
      one.type === 'text' ? encodeText(one.text) : encodeMedia(encoding, one, 'user', `${path}.parts.${index}`)
    return block === undefined ? [] : [block]
  })
  const prefix = part.isError && !traits.resultStatus ? [{ text: '[error]' }] : []
  const status = part.isError && traits.resultStatus ? { status: 'error' } : {}
  const content = blocks.length === 0 ? [...prefix, NO_OUTPUT] : [...prefix, ...blocks]
  return { toolResult: { toolUseId: part.callId, content, ...status } }
}

const NO_OUTPUT: WireBlock = { text: '(no output)' }
