/** The words of the format. https://docs.cohere.com/v2/reference/chat and `cohere-ai` 8.1.0 (read 2026-11-21) */
import type { Finish, StopReason } from '../neutral.ts'
import type { NameRule } from '../tools/tool-names.ts'

export const ID = 'cohere-v2'

/** The characters that every version of the API takes in the name of a tool. */
export const TOOL_NAME_RULE: NameRule = { illegal: /[^a-zA-Z0-9_]/, lengthMax: 64 }

const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map(
  Object.entries<StopReason>({
    COMPLETE: 'stop',
    STOP_SEQUENCE: 'stop-sequence',
    MAX_TOKENS: 'length',
    TOOL_CALL: 'tool-calls',
  }),
)

/** Words by which the provider says that the answer broke off. */
const BROKEN: ReadonlySet<string> = new Set(['ERROR', 'ERROR_TOXIC', 'ERROR_LIMIT', 'TIMEOUT'])

export function saysBroken(word: string): boolean {
  return BROKEN.has(word)
}

/** Whether a limit ended the answer, wherever it was. */
export function saysCut(word: string): boolean {
  return STOP_REASONS.get(word) === 'length'
}

/** Calls decide, whatever the word says, unless a limit cut the answer. */
export function finishOf(word: string | undefined, hasCalls: boolean): Finish {
  const known = STOP_REASONS.get(word ?? 'COMPLETE') ?? 'other'
  const reason = settled(known, hasCalls)
  if (word === undefined) return { reason, inferred: true }
  return reason === 'other' ? { reason, raw: word } : { reason }
}

function settled(reason: StopReason, hasCalls: boolean): StopReason {
  if (hasCalls) return reason === 'length' ? reason : 'tool-calls'
  return reason === 'tool-calls' ? 'stop' : reason
}
