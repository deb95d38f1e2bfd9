/**
 * A conversation for providers that want every call answered in the turn right behind it, under an id of its own. What is missing
 * is filled in and what is left over becomes text, since they refuse a history with a hole.
 */
import type { Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { shortHash } from '../tools/tool-names.ts'
import { TurnJoiner } from './turn-joiner.ts'

/** The ids that a provider takes. */
export interface CallIdRule {
  readonly legal: RegExp
  /** What stands before an id that is made up here. */
  readonly prefix: string
  /** How many hexadecimal characters follow it; absent: 24. */
  readonly hashLength?: number
}

const HASH_LENGTH = 24

/** Turns in order, each joined with its neighbours of the same role, results first in a user's turn. */
export function pairedTurns(messages: readonly Message[], rule: CallIdRule): readonly Message[] {
  const numbered = numberCalls(messages, rule)
  const results = new Map<string, ToolResultPart>()
  // The last one counts: a client that sent a result twice corrected itself.
  for (const part of numbered.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-result') results.set(part.callId, part)
  }
  const turns = new TurnJoiner()
  for (const { role, parts } of numbered) {
    turns.add({ role, parts: parts.filter((part) => part.type !== 'tool-result') })
    const calls = parts.filter((part) => part.type === 'tool-call')
    turns.add({ role: 'user', parts: calls.map(({ id }) => results.get(id) ?? noResult(id)) })
  }
  return turns.finish()
}

function noResult(callId: string): ToolResultPart {
  return { type: 'tool-result', callId, parts: [{ type: 'text', text: '(no result)' }], isError: true }
}

/** What was called under one id of the client's. */
interface Calls {
  /** The ids that the calls have now, in order. */
  readonly ids: string[]
  /** How many of them, from the first on, have a result. */
  answered: number
  /** The next number that an id may be derived with: those below are taken, however often the client repeats itself. */
  attempt: number
}

/** Gives each call an id of its own and lets its results name it; a result that answers no call becomes text. */
function numberCalls(messages: readonly Message[], rule: CallIdRule): readonly Message[] {
  const taken = new Set<string>()
  const known = new Map<string, Calls>()
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap(renumber) }))

  function renumber(part: Part): readonly Part[] {
    if (part.type === 'tool-call') return [numberCall(part)]
    return part.type === 'tool-result' ? numberResult(part) : [part]
  }

  function numberCall(call: ToolCallPart): ToolCallPart {
    const calls = known.get(call.id) ?? { ids: [], answered: 0, attempt: 0 }
    const id = freeId(call.id, calls, taken, rule)
    taken.add(id)
    calls.ids.push(id)
    known.set(call.id, calls)
    return { ...call, id }
  }

  /** Each result answers the next call; one too many answers the last again. */
  function numberResult(result: ToolResultPart): readonly Part[] {
    const calls = known.get(result.callId)
    const id = calls?.ids[calls.answered] ?? calls?.ids.at(-1)
    if (calls === undefined || id === undefined) return orphanText(result)
    calls.answered = Math.min(calls.answered + 1, calls.ids.length)
    return [{ ...result, callId: id }]
  }
}

function orphanText({ callId, parts }: ToolResultPart): readonly Part[] {
  const label: TextPart = { type: 'text', text: `[result of tool call ${callId}]` }
  return [label, ...parts]
}

/** The client's id where the provider takes it, else one derived from it: the same history gives the same bytes. */
function freeId(
  id: string,
  calls: Calls,
  taken: ReadonlySet<string>,
  { legal, prefix, hashLength = HASH_LENGTH }: CallIdRule,
): string {
  if (legal.test(id) && !taken.has(id)) return id
  for (;;) {
    const derived = `${prefix}${shortHash(`${id}#${calls.attempt++}`, hashLength)}`
    if (!taken.has(derived)) return derived
  }
}
