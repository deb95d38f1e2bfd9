/**
 * The order that a Messages conversation must have: user and assistant take turns, each call has one id of its own, and the turn
 * after it begins with the results of all its calls. Histories of other formats are brought into that order here; what is
 * missing is filled in and what is left over becomes text, since the provider refuses a history with a hole.
 */
import type { Message, Part, TextPart, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { shortHash } from '../tool-names.ts'
import { TOOL_ID_LENGTH_MAX } from './wire.ts'

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

/** A conversation in which every call is answered in the turn that follows it, under ids that the provider takes. */
export function pairedTurns(messages: readonly Message[]): readonly Message[] {
  const numbered = numberCalls(messages)
  const results = new Map<string, ToolResultPart>()
  // The last one counts: a client that sent a result twice corrected itself.
  for (const part of numbered.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-result') results.set(part.callId, part)
  }
  const placed = numbered.flatMap((message) => {
    const rest = { ...message, parts: message.parts.filter((part) => part.type !== 'tool-result') }
    const calls = rest.parts.filter((part) => part.type === 'tool-call')
    if (calls.length === 0) return rest.parts.length === 0 ? [] : [rest]
    const answers = calls.map(({ id }) => results.get(id) ?? noResult(id))
    return [rest, { role: 'user' as const, parts: answers }]
  })
  return mergeTurns(placed.map(({ role, parts }) => ({ role, parts })))
}

function noResult(callId: string): ToolResultPart {
  return { type: 'tool-result', callId, parts: [{ type: 'text', text: '(no result)' }], isError: true }
}

/** Gives each call an id of its own and lets its results name it; a result that answers no call becomes text. */
function numberCalls(messages: readonly Message[]): readonly Message[] {
  const taken = new Set<string>()
  /** Client's id → the calls made under it so far, with whether a result has come. */
  const calls = new Map<string, { id: string; answered: boolean }[]>()
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap(renumber) }))

  function renumber(part: Part): readonly Part[] {
    if (part.type === 'tool-call') return [numberCall(part)]
    return part.type === 'tool-result' ? numberResult(part) : [part]
  }

  function numberCall(call: ToolCallPart): ToolCallPart {
    const id = freeId(call.id, taken)
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

const LEGAL_ID = /^[a-zA-Z0-9_-]+$/
const ID_HASH_LENGTH = 24

/** The client's id where the provider takes it, else one derived from it: the same history gives the same bytes. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  if (LEGAL_ID.test(id) && id.length <= TOOL_ID_LENGTH_MAX && !taken.has(id)) return id
  for (let attempt = 0; ; attempt++) {
    const derived = `toolu_${shortHash(`${id}#${attempt}`, ID_HASH_LENGTH)}`
    if (!taken.has(derived)) return derived
  }
}
