import type { Message, Part } from '../neutral.ts'
import { resultsFirst } from '../turns/turn-joiner.ts'

/** Neighbours of one role and name as one turn, with the results of tools first in it, in the order of the calls. */
export function mergeTurns(messages: readonly Message[]): readonly Message[] {
  const merged: (Message & { readonly parts: Part[] })[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === message.role && last.name === message.name)
      for (const part of message.parts) last.parts.push(part)
    else merged.push({ ...message, parts: [...message.parts] })
  }
  return merged.map((turn, index) => ({ ...turn, parts: resultsFirst(turn.parts, merged[index - 1]?.parts ?? []) }))
}
