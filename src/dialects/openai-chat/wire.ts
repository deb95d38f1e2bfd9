/** The words of the format, and the shapes that answers and requests share. */
import type { JsonObject } from '../../core/json.ts'
import { argumentsJson } from '../tools/call-arguments.ts'
import type { Finish, ServiceTier, StopReason, TokenOdds, ToolCallPart } from '../neutral.ts'
import { writeOdds } from '../answer/token-odds.ts'

/** Our word → theirs; `batch` has none. */
export const TIER_WORDS: Readonly<Partial<Record<ServiceTier, string>>> = {
  auto: 'auto',
  standard: 'default',
  flex: 'flex',
  scale: 'scale',
  priority: 'priority',
  fast: 'fast',
}

export const STREAM_END = '[DONE]'

/** Host's word → ours. Beyond OpenAI's own: Together `eos`, Mistral `model_length`, Z.ai `sensitive`. */
const STOP_REASONS: ReadonlyMap<string, StopReason> = new Map(
  Object.entries<StopReason>({
    stop: 'stop',
    eos: 'stop',
    length: 'length',
    model_length: 'length',
    tool_calls: 'tool-calls',
    function_call: 'tool-calls',
    content_filter: 'refusal',
    sensitive: 'refusal',
  }),
)

/** Words by which a host says that the answer broke off: OpenRouter and Mistral `error`, Z.ai `network_error`. */
const BROKEN: ReadonlySet<string> = new Set(['error', 'network_error'])

const PLAIN_WORDS: ReadonlySet<string> = new Set(['stop', 'length', 'tool_calls', 'content_filter'])

const FINISH_WORDS: Readonly<Record<StopReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  context: 'length',
  refusal: 'content_filter',
  pause: 'stop',
  other: 'stop',
}

/** What an answer holds, as far as its reason to stop depends on it. */
export interface AnswerShape {
  readonly calls: boolean
  readonly refusal: boolean
}

export function saysBroken(word: string): boolean {
  return BROKEN.has(word)
}

/** Calls decide: many hosts say `stop` although they ask for a tool, and some the other way round. */
export function finishOf(word: string | undefined, shape: AnswerShape): Finish {
  if (word === undefined) return { reason: settled('stop', shape), inferred: true }
  const reason = settled(STOP_REASONS.get(word) ?? 'other', shape)
  return PLAIN_WORDS.has(word) ? { reason } : { reason, raw: word }
}

function settled(reason: StopReason, { calls, refusal }: AnswerShape): StopReason {
  if (calls && (reason === 'stop' || reason === 'other')) return 'tool-calls'
  if (!calls && reason === 'tool-calls') return 'stop'
  return refusal && reason === 'stop' ? 'refusal' : reason
}

/** A refusal that was said in words ends with `stop`, one without words with `content_filter`. */
export function finishWord(finish: Finish, shape: AnswerShape): string {
  return shape.refusal && finish.reason === 'refusal' ? 'stop' : FINISH_WORDS[finish.reason]
}

/** `calls` and `refusal` as far as the parts of one answer show. */
export function shapeOf(parts: readonly { readonly type: string }[]): AnswerShape {
  return {
    calls: parts.some((part) => part.type === 'tool-call'),
    refusal: parts.some((part) => part.type === 'refusal'),
  }
}

/** Clients and hosts parse the arguments without looking, so no arguments are an empty object. */
export function wireCall({ id, name, kind, argumentsText }: Omit<ToolCallPart, 'type'>): JsonObject {
  if (kind === 'custom') return { id, type: 'custom', custom: { name, input: argumentsText } }
  return { id, type: 'function', function: { name, arguments: argumentsJson(argumentsText) } }
}

/** `logprobs` of a choice: null where nothing is told. */
export function wireLogprobs(odds: readonly TokenOdds[]): JsonObject | null {
  return odds.length === 0 ? null : { content: writeOdds(odds), refusal: null }
}
