/** What is looked at in the answers, and how much each of it weighs: the one place that says what a score is made of. */
import type { DialectId } from '../../catalog/dialect-id.ts'
import { isObject, type Json, parseJson } from '../../core/json.ts'
import { ok, type Result } from '../../core/result.ts'
import { inputTokens } from '../../core/usage.ts'
import type { ChatReply, ToolCallPart } from '../../dialects/neutral.ts'
import type { ChatAnswer } from '../accounts/chat-call.ts'
import type { CheckId, CheckResult, Conformance, EndpointResult } from './conformance.ts'
import { CLOCK, type QuestionId, SYSTEM_WORD, TOOL_ANSWER, WEATHER } from './questions.ts'
import { refusalWords } from './words.ts'

export interface Check {
  readonly id: CheckId
  /** Out of 100. */
  readonly weight: number
  /** The question whose answer it looks at. */
  readonly of: QuestionId
  /** What is wrong, in plain words; null when nothing is. */
  readonly judge: (answer: ChatAnswer) => string | null
}

/** What agents live on weighs most. */
export const CHECKS: readonly Check[] = [
  { id: 'text', weight: 15, of: 'text', judge: answered(saysSomething) },
  { id: 'usage', weight: 5, of: 'text', judge: tellsUsage },
  { id: 'stream', weight: 15, of: 'stream', judge: streamed(saysSomething) },
  { id: 'stream_usage', weight: 5, of: 'stream', judge: tellsUsage },
  { id: 'system_prompt', weight: 10, of: 'system', judge: answered(obeysSystem) },
  { id: 'tool', weight: 15, of: 'tool', judge: answered((reply) => callProblem(reply, hasCity)) },
  { id: 'tool_result', weight: 8, of: 'tool_result', judge: answered(readsResult) },
  {
    id: 'tool_without_arguments',
    weight: 5,
    of: 'tool_without_arguments',
    judge: streamed((reply) => callProblem(reply, isEmpty, CLOCK.name)),
  },
  { id: 'parallel_tools', weight: 8, of: 'parallel_tools', judge: streamed(callsTwice) },
  { id: 'structured_output', weight: 6, of: 'structured', judge: answered(fitsSchema) },
  { id: 'stop_sequence', weight: 3, of: 'stop', judge: answered(stopsThere) },
  { id: 'image', weight: 3, of: 'image', judge: answered(seesRed) },
  { id: 'unknown_model', weight: 2, of: 'unknown_model', judge: refusesModel },
]

/** 0 to 100: the weight of what went well, of all that could be tried. 100 only when everything did. */
export function scoreOf(endpoints: readonly EndpointResult[], applied: boolean): number {
  const tried = endpoints.flatMap(({ checks }) => checks).filter(({ outcome }) => outcome !== 'skipped')
  const all = weightOf(tried)
  return all === 0 ? 0 : Math.floor((100 * weightOf(tried.filter((one) => isGood(one, applied)))) / all)
}

/** A check that does not hold for the provider as it is described now. */
export interface FailedCheck {
  readonly dialect: DialectId
  readonly check: CheckId
  readonly why: string
}

export function failedOf({ endpoints, applied }: Pick<Conformance, 'endpoints' | 'applied'>): readonly FailedCheck[] {
  return endpoints.flatMap(({ dialect, checks }) =>
    checks
      .filter((result) => result.outcome !== 'skipped' && !isGood(result, applied))
      .map(({ check, why }) => ({ dialect, check, why: why ?? '' })),
  )
}

function isGood({ outcome }: CheckResult, applied: boolean): boolean {
  return outcome === 'passed' || (outcome === 'remedied' && applied)
}

function weightOf(results: readonly CheckResult[]): number {
  return results.reduce((sum, { check }) => sum + (CHECKS.find(({ id }) => id === check)?.weight ?? 0), 0)
}

type JudgeReply = (reply: ChatReply) => string | null

function answered(judge: JudgeReply): Check['judge'] {
  return ({ reply, status }) => (reply.ok ? judge(reply.value) : refusalWords(reply.error, status))
}

function streamed(judge: JudgeReply): Check['judge'] {
  return (answer) => {
    if (!answer.reply.ok) return refusalWords(answer.reply.error, answer.status)
    if (answer.whole) return 'answered in one piece where a stream was asked for'
    const [repair] = answer.repairs
    return repair === undefined ? judge(answer.reply.value) : `sent the events of its stream out of order (${repair})`
  }
}

function tellsUsage({ usage, reply }: ChatAnswer): string | null {
  if (!reply.ok) return 'was not answered, so that there was nothing to count'
  if (usage === undefined) return 'did not say how many tokens it used'
  const counts = inputTokens(usage) > 0 && usage.output > 0
  return counts ? null : 'said that it used no tokens'
}

function textOf({ parts }: ChatReply): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function saysSomething(reply: ChatReply): string | null {
  const text = textOf(reply).trim()
  if (/<\/?think>/.test(text)) return 'wrote its thinking into the answer, between <think> tags'
  return text === '' ? silence(reply) : null
}

function silence({ finish }: ChatReply): string {
  return finish.reason === 'length' ? 'had used up its tokens before it said anything' : 'said nothing'
}

function obeysSystem(reply: ChatReply): string | null {
  return textOf(reply).toLowerCase().includes(SYSTEM_WORD) ? null : 'did not follow the system prompt'
}

function readsResult(reply: ChatReply): string | null {
  return textOf(reply).includes(TOOL_ANSWER) ? null : 'did not use the result of the tool that it was given'
}

function callsOf({ parts }: ChatReply): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'tool-call')
}

type JudgeArguments = (args: Readonly<Record<string, Json | undefined>>) => boolean

function callProblem(reply: ChatReply, judge: JudgeArguments, name = WEATHER.name): string | null {
  const calls = callsOf(reply)
  if (calls.length === 0) return reply.finish.reason === 'length' ? silence(reply) : 'did not call the tool'
  return calls.map((call) => problemOf(call, judge, name)).find((problem) => problem !== null) ?? null
}

function problemOf(call: ToolCallPart, judge: JudgeArguments, name: string): string | null {
  if (call.name !== name) return 'called a tool that it was not offered'
  const args = argumentsOf(call)
  if (!args.ok) return 'sent arguments of a tool that are not JSON'
  return judge(args.value) ? null : 'sent arguments that do not fit the schema of the tool'
}

function argumentsOf({ argumentsText }: ToolCallPart): Result<Readonly<Record<string, Json | undefined>>, null> {
  const parsed = argumentsText.trim() === '' ? {} : parseJson(argumentsText)
  return isObject(parsed) ? ok(parsed) : { ok: false, error: null }
}

function hasCity(args: Readonly<Record<string, Json | undefined>>): boolean {
  return typeof args['city'] === 'string'
}

function isEmpty(args: Readonly<Record<string, Json | undefined>>): boolean {
  return Object.keys(args).length === 0
}

function callsTwice(reply: ChatReply): string | null {
  const problem = callProblem(reply, hasCity)
  if (problem !== null) return problem
  const asked = new Set(callsOf(reply).map(({ argumentsText }) => argumentsText))
  return asked.size >= 2 ? null : 'made one call in an answer that needed two'
}

function fitsSchema(reply: ChatReply): string | null {
  const person = parseJson(textOf(reply))
  if (!isObject(person)) return 'gave an answer that is not JSON'
  const { name, age, ...others } = person
  const fits = typeof name === 'string' && Number.isInteger(age) && Object.keys(others).length === 0
  return fits ? null : 'gave an answer that does not fit the schema'
}

function stopsThere(reply: ChatReply): string | null {
  const text = textOf(reply)
  if (text.includes('5')) return 'went on after the stop sequence'
  return text.includes('3') ? null : 'did not answer up to the stop sequence'
}

function seesRed(reply: ChatReply): string | null {
  return /\bred\b/i.test(textOf(reply)) ? null : 'did not see what is in the image'
}

const HONEST_KINDS: ReadonlySet<string> = new Set(['rejected', 'not_entitled', 'unknown_model', 'unsupported'])

function refusesModel({ reply, status }: ChatAnswer): string | null {
  if (reply.ok) return 'answered in the name of a model that does not exist'
  if (status < 400) return 'hid the refusal of a model that does not exist in an answer with status 200'
  return HONEST_KINDS.has(reply.error.kind) && status < 500
    ? null
    : `did not say that a model does not exist (status ${status})`
}
