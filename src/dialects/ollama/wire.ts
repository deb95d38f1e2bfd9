/** The words of the format, and how its two endpoints say the same answer. */
import { asObject, type JsonObject } from '../../core/json.ts'
import type { Finish, StopReason } from '../neutral.ts'

export const ID = 'ollama'

/** The media type of its streams. */
export const NDJSON = 'application/x-ndjson'

/** What an answer says at one moment. */
export interface Said {
  readonly text: string
  readonly thinking?: string
  readonly calls?: readonly JsonObject[]
}

/** `/api/chat` answers with a message, `/api/generate` with its text alone. */
export interface AnswerForm {
  write(said: Said): JsonObject
}

export const CHAT_FORM: AnswerForm = {
  write: ({ text, thinking, calls }) => ({
    message: {
      role: 'assistant',
      content: text,
      ...(thinking === undefined ? {} : { thinking }),
      ...(calls === undefined ? {} : { tool_calls: calls }),
    },
  }),
}

export const GENERATE_FORM: AnswerForm = {
  write: ({ text, thinking }) => ({ response: text, ...(thinking === undefined ? {} : { thinking }) }),
}

/** A call as both sides write it: the arguments are an object. */
export function wireCall(id: string, name: string, index: number, callArguments: JsonObject): JsonObject {
  return { id, function: { index, name, arguments: callArguments } }
}

/** Where a line of either endpoint holds what was said. */
export function messageOf(line: JsonObject): JsonObject {
  const message = asObject(line['message'])
  return message ?? { content: line['response'], thinking: line['thinking'] }
}

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map(
  Object.entries<StopReason>({ stop: 'stop', length: 'length' }),
)

/** Calls decide: the server says `stop` although it asks for a tool. */
export function finishOf(word: string | undefined, hasCalls: boolean): Finish {
  const reason = STOP_REASONS.get(word ?? 'stop') ?? 'other'
  if (hasCalls && reason !== 'length') return { reason: 'tool-calls' }
  if (word === undefined) return { reason, inferred: true }
  return reason === 'other' ? { reason, raw: word } : { reason }
}

/** Nothing but a limit has a word of its own here. */
export function doneReason({ reason }: Finish): 'stop' | 'length' {
  return reason === 'length' || reason === 'context' ? 'length' : 'stop'
}
