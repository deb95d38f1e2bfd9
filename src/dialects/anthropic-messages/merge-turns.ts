import type { Message, ToolResultPart } from '../neutral.ts'

/** Neighbours of one role as one turn, with the results of tools first in it, in the order of the calls. */
export function mergeTurns(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === message.role && last.name === message.name) {
      merged[merged.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    } else merged.push(message)
  }
  return merged.map((message, index) => resultsFirst(message, merged[index - 1]))
}

function resultsFirst(message: Message, before: Message | undefined): Message {
  const results = message.parts.filter((part) => part.type === 'tool-result')
  if (results.length === 0) return message
  const calls = (before?.parts ?? []).flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
  const rank = ({ callId }: ToolResultPart): number => (calls.includes(callId) ? calls.indexOf(callId) : calls.length)
  const others = message.parts.filter((part) => part.type !== 'tool-result')
  return { ...message, parts: [...results.toSorted((a, b) => rank(a) - rank(b)), ...others] }
}
