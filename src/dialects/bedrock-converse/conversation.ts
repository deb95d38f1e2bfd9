/** The turns of a request: in order, begun by the user, and with nothing in them that the provider refuses. */
import type { Message } from '../neutral.ts'
import { joinedNeighbours } from '../turns/turn-joiner.ts'
import { encodeTurn, FILLER, type MarkedTurn } from './content-encode.ts'
import type { Encoding } from './encoding.ts'
import { orderedTurns } from './turns.ts'

const FALLBACK_TURN: MarkedTurn = { role: 'user', content: [{ block: FILLER }] }

export function encodeTurns(encoding: Encoding, messages: readonly Message[]): readonly MarkedTurn[] {
  const turns = orderedTurns(messages, encoding.traits)
    .map((message, index) => encodeTurn(encoding, message, `messages.${index}`))
    .filter(({ content }) => content.length > 0)
  const begun = turns[0]?.role === 'user' ? turns : [FALLBACK_TURN, ...turns]
  return withPrefill(encoding, joinedNeighbours(begun))
}

/** A beginning of the answer, given by the client, must not end in white space, and newer models take none. */
function withPrefill({ target, losses }: Encoding, turns: readonly MarkedTurn[]): readonly MarkedTurn[] {
  const last = turns.at(-1)
  const end = last?.content.at(-1)
  if (last?.role !== 'assistant' || typeof end?.block['text'] !== 'string') return turns
  if (!target.capabilities.prefill) {
    losses.refuse('messages', 'this model takes no conversation that ends with an assistant message')
  }
  const trimmed = { ...end, block: { text: end.block['text'].trimEnd() } }
  return [...turns.slice(0, -1), { role: last.role, content: [...last.content.slice(0, -1), trimmed] }]
}

/** Whether the conversation goes on from results of tools, and how the turn that called them began. */
export function openLoop(turns: readonly MarkedTurn[]): { readonly beganThinking: boolean } | undefined {
  const isOpen = turns.at(-1)?.content.some(({ block }) => 'toolResult' in block) === true
  const first = turns.at(-2)?.content[0]?.block
  return isOpen ? { beganThinking: first !== undefined && 'reasoningContent' in first } : undefined
}

/** Names, as sent, of the tools that the conversation has called. */
export function calledNames(turns: readonly MarkedTurn[]): ReadonlySet<string> {
  const names = turns.flatMap(({ content }) => content.flatMap(({ block }) => nameIn(block['toolUse'])))
  return new Set(names)
}

function nameIn(call: unknown): readonly string[] {
  if (typeof call !== 'object' || call === null || !('name' in call)) return []
  return typeof call.name === 'string' ? [call.name] : []
}
