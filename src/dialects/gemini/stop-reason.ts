/** Why an answer ended, both ways. https://ai.google.dev/api/generate-content#FinishReason (read 2026-11-21) */
import type { Finish } from '../neutral.ts'

const REFUSED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** The model broke off without an answer that could be used; asked again, it may give one. */
const BROKEN: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
])

const OTHER: ReadonlySet<string> = new Set(['NO_IMAGE', 'IMAGE_OTHER', 'OTHER', 'FINISH_REASON_UNSPECIFIED'])

export function isBroken(wire: string): boolean {
  return BROKEN.has(wire)
}

/** `hasCalls` decides over `STOP`: no reason of its own says that tools are called. */
export function decodeFinish(wire: string, hasCalls: boolean): Finish {
  if (wire === 'MAX_TOKENS') return { reason: 'length' }
  if (REFUSED.has(wire)) return { reason: 'refusal', raw: wire }
  if (wire === 'CONTINUATION') return { reason: 'pause', raw: wire }
  if (hasCalls) return { reason: 'tool-calls' }
  return wire === 'STOP' ? { reason: 'stop' } : { reason: 'other', raw: wire }
}

/** `finishReason` for a client; the vendor's own word where it is one. */
export function encodeFinish({ reason, raw }: Finish): string {
  if (raw !== undefined && (REFUSED.has(raw) || BROKEN.has(raw) || OTHER.has(raw))) return raw
  if (reason === 'length' || reason === 'context') return 'MAX_TOKENS'
  return reason === 'refusal' ? 'SAFETY' : 'STOP'
}
