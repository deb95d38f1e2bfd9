import type { Message, Part, Role, ToolResultPart } from '../neutral.ts'

/** Users of different names stay apart; a turn of results alone has no name and joins any. */
interface Turn {
  readonly role: Role
  name: string | undefined
  readonly parts: Part[]
  isResultsAlone: boolean
}

/** Joins neighbours of one role to turns, with tool results first in a user's turn, in the order of the calls. */
export class TurnJoiner {
  readonly #turns: Turn[] = []
  /** Of the last turn of an assistant: the id of the last call of each name. */
  readonly #lastCalls = new Map<string, string>()

  /** Adds to the last turn in its place: a conversation may be one turn of very many messages. */
  add({ role, name, parts }: Message): void {
    const isAlone = parts.every(isResult)
    const last = this.#turns.at(-1)
    if (last === undefined || last.role !== role || !(last.name === name || last.isResultsAlone || isAlone)) {
      if (parts.length === 0) return
      this.#turns.push({ role, name, parts: [...parts], isResultsAlone: isAlone })
      if (role === 'assistant') this.#lastCalls.clear()
      return this.#noteCalls(parts)
    }
    last.name ??= name
    last.isResultsAlone &&= isAlone
    for (const part of parts) last.parts.push(part)
    this.#noteCalls(parts)
  }

  /** The id of the last call of a function, for results that know only its name. */
  lastCallOf(name: string): string | undefined {
    return this.#lastCalls.get(name)
  }

  finish(): readonly Message[] {
    let calling: readonly Part[] = []
    return this.#turns.map(({ role, name, parts }) => {
      if (role === 'assistant') calling = parts
      const ordered = role === 'user' ? resultsFirst(parts, calling) : parts
      return name === undefined ? { role, parts: ordered } : { role, parts: ordered, name }
    })
  }

  #noteCalls(parts: readonly Part[]): void {
    for (const part of parts) if (part.type === 'tool-call') this.#lastCalls.set(part.name, part.id)
  }
}

function isResult(part: Part): part is ToolResultPart {
  return part.type === 'tool-result'
}

/** The results of tools in the order of the calls that they answer, then everything else. */
export function resultsFirst(parts: readonly Part[], calling: readonly Part[]): readonly Part[] {
  const results = parts.filter(isResult)
  if (results.length === 0) return parts
  const order = new Map<string, number>()
  for (const part of calling) if (part.type === 'tool-call' && !order.has(part.id)) order.set(part.id, order.size)
  const place = ({ callId }: ToolResultPart): number => order.get(callId) ?? order.size
  return [...results.toSorted((a, b) => place(a) - place(b)), ...parts.filter((part) => !isResult(part))]
}

interface ContentTurn<Block> {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** Turns of a wire format that became neighbours because one between them had nothing left. */
export function joinedNeighbours<Block>(turns: readonly ContentTurn<Block>[]): readonly ContentTurn<Block>[] {
  const joined: { readonly role: ContentTurn<Block>['role']; readonly content: Block[] }[] = []
  for (const { role, content } of turns) {
    const last = joined.at(-1)
    if (last?.role === role) for (const block of content) last.content.push(block)
    else joined.push({ role, content: [...content] })
  }
  return joined
}
