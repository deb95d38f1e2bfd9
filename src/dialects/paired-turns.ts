/**
 * A conversation for providers that want every call answered in the turn right behind it, under an id of its own. What is missing
 * is filled in and what is left over becomes text, since they refuse a history with a hole.
 */
import type { Message, Part, TextPart, ToolCallPart, ToolResultPart } from './neutral.ts'
import { shortHash } from './tool-names.ts'
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

/** Gives each call an id of its own and lets its results name it; a result that answers no call becomes text. */
function numberCalls(messages: readonly Message[], rule: CallIdRule): readonly Message[] {
  const taken = new Set<string>()
  /** Client's id → the calls made under it so far, with whether a result has come. */
  const calls = new Map<string, { id: string; answered: boolean }[]>()
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap(renumber) }))

  function renumber(part: Part): readonly Part[] {
    if (part.type === 'tool-call') return [numberCall(part)]
    return part.type === 'tool-result' ? numberResult(part) : [part]
  }

  function numberCall(call: ToolCallPart): ToolCallPart {
    const id = freeId(call.id, taken, rule)
    taken.add(id)
    calls.set(call.id, [...(calls.get(call.id) ?? []), { id, answered: false }])
    return { ...call, id }
  }

  function numberResult(result: ToolResultPart): readonly Part[] {
    const made = calls.get(result.callId) ?? []
    const call = made.find(({ answered }) => !answered) ?? made.at(-1)
    if (call === undefined) return orphanText(result)
    call.answered = true
    return [{ ...result, callId: call.id }]
  }
}

function orphanText({ callId, parts }: ToolResultPart): readonly Part[] {
  const label: TextPart = { type: 'text', text: `[result of tool call ${callId}]` }
  return [label, ...parts]
}

/** The client's id where the provider takes it, else one derived from it: the same history gives the same bytes. */
function freeId(
  id: string,
  taken: ReadonlySet<string>,
  { legal, prefix, hashLength = HASH_LENGTH }: CallIdRule,
): string {
  if (legal.test(id) && !taken.has(id)) return id
  for (let attempt = 0; ; attempt++) {
    const derived = `${prefix}${shortHash(`${id}#${attempt}`, hashLength)}`
    if (!taken.has(derived)) return derived
  }
}
