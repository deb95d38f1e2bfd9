/** What plain and streamed answers to a client have in common. */
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { ChatRequest, Opaque, ReasoningPart } from '../neutral.ts'
import { sealOpaque } from '../opaque.ts'
import { HOME_VENDOR, type WireBlock } from './wire.ts'

const MESSAGE_ID_BYTES = 12

/** The provider's own id where it is one of this format, else a new one. */
export function messageId(id: string | undefined, random: Random): string {
  return id?.startsWith('msg_') ? id : `msg_${Buffer.from(random.bytes(MESSAGE_ID_BYTES)).toString('hex')}`
}

/** An answer before anything is known of it; every field is there, since clients look without asking. */
export function messageSkeleton(id: string, model: string): JsonObject {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
  }
}

/**
 * A client that did not ask for thinking gets none, whatever the model does. One that asked not to see it gets the state alone,
 * which a block of thinking without text carries.
 */
export function showsThinking({ text, opaque }: Pick<ReasoningPart, 'text' | 'opaque'>, request: ChatRequest): boolean {
  if (request.reasoning?.summary === undefined) return false
  return (opaque !== undefined && opaque.blob !== '') || (text !== '' && showsText(request))
}

export function showsText({ reasoning }: ChatRequest): boolean {
  return reasoning?.summary !== undefined && reasoning.summary !== 'none'
}

export function sealedThinking({ text, opaque, redacted }: ReasoningPart, request: ChatRequest): WireBlock {
  if (redacted) return { type: 'redacted_thinking', data: carrier(opaque) }
  return { type: 'thinking', thinking: showsText(request) ? text : '', signature: carrier(opaque) }
}

/** This dialect's own vendor's state goes out as it is, any other in an envelope, even when there is none: it must be text. */
export function carrier(opaque: Opaque | undefined): string {
  if (opaque?.vendor === HOME_VENDOR && opaque.kind !== 'encrypted' && opaque.blob !== '') return opaque.blob
  return sealOpaque(opaque ?? { vendor: '', kind: 'signature', blob: '' })
}
