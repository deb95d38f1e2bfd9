import type { Message, Part, ToolResultPart } from './neutral.ts'

/** Joins neighbours of one role to turns, with tool results first in a user's turn, in the order of the calls. */
export class TurnJoiner {
  readonly #turns: Message[] = []

  add(message: Message): void {
    const last = this.#turns.at(-1)
    if (last === undefined || !joins(last, message)) {
      if (message.parts.length > 0) this.#turns.push(message)
      return
    }
    const name = last.name ?? message.name
    const joined = { role: last.role, parts: [...last.parts, ...message.parts] }
    this.#turns[this.#turns.length - 1] = name === undefined ? joined : { ...joined, name }
  }

  /** The id of the last call of a function, for results that know only its name. */
  lastCallOf(name: string): string | undefined {
    const parts = this.#turns.findLast((turn) => turn.role === 'assistant')?.parts ?? []
    return parts.filter((part) => part.type === 'tool-call').findLast((call) => call.name === name)?.id
  }

  finish(): readonly Message[] {
    let calling: readonly Part[] = []
    return this.#turns.map((turn) => {
      if (turn.role === 'assistant') calling = turn.parts
      return turn.role === 'user' ? { ...turn, parts: resultsFirst(turn.parts, calling) } : turn
    })
  }
}

/** Users of different names stay apart; a turn of results alone has no name and joins any. */
function joins(last: Message, next: Message): boolean {
  if (last.role !== next.role) return false
  return last.name === next.name || isResultsAlone(last) || isResultsAlone(next)
}

function isResultsAlone({ parts }: Message): boolean {
  return parts.every((part) => part.type === 'tool-result')
}

function resultsFirst(parts: readonly Part[], calling: readonly Part[]): readonly Part[] {
  const results = parts.filter((part) => part.type === 'tool-result')
  if (results.length === 0) return parts
  const order = calling.filter((part) => part.type === 'tool-call').map((call) => call.id)
  const place = ({ callId }: ToolResultPart): number => {
    const found = order.indexOf(callId)
    return found < 0 ? order.length : found
  }
  return [...results.toSorted((a, b) => place(a) - place(b)), ...parts.filter((part) => part.type !== 'tool-result')]
}
