/**
 * Items → turns. Items may stand in almost any order; turns may not: a tool's results follow the calls that they answer, in
 * their order, each once, first in a user's turn.
 */
import type { Message, Part, Role, ToolResultPart } from '../neutral.ts'

export interface Entry {
  readonly role: Role
  readonly part: Part
}

interface Turn {
  readonly role: Role
  readonly parts: Part[]
}

/** What an unanswered call gets, because several formats refuse a history with one. */
const NO_RESULT = '(no result)'

export function arrange(entries: readonly Entry[]): readonly Message[] {
  const turns = groupedTurns(entries)
  return joined(withResults(turns, resultsById(entries)))
}

/** Neighbours of one role share a turn. A result opens a user's turn, so that calls before and after it stay apart. */
function groupedTurns(entries: readonly Entry[]): readonly Turn[] {
  const called = new Set(entries.flatMap(({ part }) => (part.type === 'tool-call' ? [part.id] : [])))
  const turns: Turn[] = []
  for (const { role, part } of entries) {
    if (turns.at(-1)?.role !== role) turns.push({ role, parts: [] })
    if (part.type !== 'tool-result') turns.at(-1)?.parts.push(part)
    else if (!called.has(part.callId)) turns.at(-1)?.parts.push(...orphanText(part))
  }
  return turns
}

/** A result for a call that is not there is what the user says. */
function orphanText({ parts }: ToolResultPart): readonly Part[] {
  return parts.filter((part) => part.type !== 'foreign')
}

/** Results by the id of their call, in the order in which they came. */
function resultsById(entries: readonly Entry[]): Map<string, ToolResultPart[]> {
  const results = new Map<string, ToolResultPart[]>()
  for (const { part } of entries) {
    if (part.type !== 'tool-result') continue
    const known = results.get(part.callId)
    if (known === undefined) results.set(part.callId, [part])
    else known.push(part)
  }
  return results
}

function withResults(turns: readonly Turn[], results: Map<string, ToolResultPart[]>): readonly Turn[] {
  const uses = new Map<string, number>()
  for (const id of turns.flatMap(callIds)) uses.set(id, (uses.get(id) ?? 0) + 1)
  return turns.flatMap((turn) => {
    const answers = callIds(turn).map((id) => {
      const left = (uses.get(id) ?? 1) - 1
      uses.set(id, left)
      return takeResult(results.get(id) ?? [], left > 0) ?? noResult(id)
    })
    return answers.length === 0 ? [turn] : [turn, { role: 'user' as const, parts: answers }]
  })
}

function callIds({ parts }: Turn): readonly string[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
}

/** Each call takes the next result; the last call under an id takes the last, by which a client corrected itself. */
function takeResult(waiting: ToolResultPart[], isReused: boolean): ToolResultPart | undefined {
  return isReused ? waiting.shift() : waiting.pop()
}

function noResult(callId: string): ToolResultPart {
  return { type: 'tool-result', callId, parts: [{ type: 'text', text: NO_RESULT }], isError: true }
}

/** Without empty turns and without neighbours of one role. */
function joined(turns: readonly Turn[]): readonly Message[] {
  const messages: Turn[] = []
  for (const turn of turns) {
    if (turn.parts.length === 0) continue
    const last = messages.at(-1)
    if (last?.role === turn.role) for (const part of turn.parts) last.parts.push(part)
    else messages.push({ role: turn.role, parts: [...turn.parts] })
  }
  return messages
}
