/**
 * A conversation as formats want it that give each result of a tool a message of its own: results directly behind the calls that
 * they answer, each call answered once, and nothing that answers no call.
 */
import type { Message, Part, ToolCallPart, ToolResultPart } from '../neutral.ts'

/** What the model said, the results of its calls, and all that follows until it speaks again. */
export interface ToolRound {
  /** Absent for what stands before the model's first turn. */
  readonly assistant: PlacedMessage | undefined
  readonly answers: readonly ToolAnswer[]
  /** Turns of the user and system text in between, without the results. */
  readonly others: readonly PlacedMessage[]
}

export interface ToolAnswer {
  readonly call: ToolCallPart
  /** Undefined for a call that the client never answered; targets refuse a conversation with open calls. */
  readonly result: ToolResultPart | undefined
}

export interface PlacedMessage extends Message {
  /** Its index among the request's messages. */
  readonly at: number
}

export function toolRounds(messages: readonly Message[]): readonly ToolRound[] {
  const stretches: { assistant: PlacedMessage | undefined; others: PlacedMessage[] }[] = [
    { assistant: undefined, others: [] },
  ]
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') stretches.push({ assistant: { ...message, at }, others: [] })
    else stretches.at(-1)?.others.push({ ...message, at })
  }
  return stretches.map(({ assistant, others }) => roundOf(assistant, others))
}

function roundOf(assistant: PlacedMessage | undefined, others: readonly PlacedMessage[]): ToolRound {
  const calls = (assistant?.parts ?? []).filter((part) => part.type === 'tool-call')
  const results = new Map<string, ToolResultPart>()
  // The last one counts: a client that sent a result twice corrected itself.
  for (const { parts } of others)
    for (const part of parts) if (part.type === 'tool-result') results.set(part.callId, part)
  const answered = new Set(calls.map(({ id }) => id))
  return {
    assistant,
    answers: calls.map((call) => ({ call, result: results.get(call.id) })),
    others: others.map((message) => ({ ...message, parts: withoutResults(message.parts, answered) })),
  }
}

/** A result that answers no call of its round is told as the user's words. */
function withoutResults(parts: readonly Part[], answered: ReadonlySet<string>): readonly Part[] {
  return parts.flatMap((part): readonly Part[] => {
    if (part.type !== 'tool-result') return [part]
    return answered.has(part.callId) ? [] : part.parts
  })
}
