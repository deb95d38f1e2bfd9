/** The turns of a request: in order, begun by the user, and with nothing in them that this provider refuses. */
import type { Message } from '../neutral.ts'
import { pairedTurns, type CallIdRule } from '../turns/paired-turns.ts'
import { asReminder } from '../turns/reminder.ts'
import { joinedNeighbours } from '../turns/turn-joiner.ts'
import { encodeTurn } from './content-encode.ts'
import { refuse, type Encoding } from './encoding.ts'
import type { WireTurn } from './wire.ts'

const CALL_IDS: CallIdRule = { legal: /^[a-zA-Z0-9_-]{1,64}$/, prefix: 'toolu_' }
const FALLBACK_TURN: WireTurn = { role: 'user', content: [{ type: 'text', text: '.' }] }

/** The conversation begins with the user, even when the client sent system text alone. */
export function encodeTurns(encoding: Encoding, messages: readonly Message[]): readonly WireTurn[] {
  const paired = pairedTurns(messages.map(asReminder), CALL_IDS)
  const turns = paired
    .map((message, index) => encodeTurn(encoding, message, `messages.${index}`))
    .filter(({ content }) => content.length > 0)
  const begun = turns[0]?.role === 'user' ? turns : [FALLBACK_TURN, ...turns]
  return withPrefill(encoding, joinedNeighbours(begun))
}

/** A beginning of the answer, given by the client, must not end in white space, and newer models take none. */
function withPrefill(encoding: Encoding, turns: readonly WireTurn[]): readonly WireTurn[] {
  const last = turns.at(-1)
  const end = last?.content.at(-1)
  if (last?.role !== 'assistant' || end?.type !== 'text') return turns
  if (!encoding.target.capabilities.prefill) {
    refuse(encoding, 'messages', 'this model takes no conversation that ends with an assistant message')
  }
  const text = typeof end['text'] === 'string' ? end['text'].trimEnd() : ''
  const before = last.content.slice(0, -1)
  const content = text === '' ? before : [...before, { ...end, text }]
  return [...turns.slice(0, -1), { ...last, content }]
}
