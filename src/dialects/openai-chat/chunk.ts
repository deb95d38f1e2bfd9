/** What one chunk of a stream, or the body of a plain reply, says to an Answer. Every field may be missing, null or odd. */
import { failure } from '../../core/failure.ts'
import { asArray, asNumber, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import type { ReplyContext } from '../dialect.ts'
import { readOdds } from '../answer/token-odds.ts'
import type { Answer } from './answer.ts'
import { readCitation } from './citations.ts'
import { failureInside } from './failure.ts'
import type { ToolFragment } from './tool-fragments.ts'
import { readUsage } from './usage.ts'
import { saysBroken } from './wire.ts'

/** `message` of a plain reply has whole tool calls, each in its place; `delta` of a stream has fragments. */
export type ChunkForm = 'delta' | 'message'

export function readChunk(answer: Answer, chunk: JsonObject, context: ReplyContext, form: ChunkForm): void {
  const failed = failureInside(chunk)
  if (failed !== undefined) return answer.fail(failed)
  answer.start(asString(chunk['id']), asString(chunk['model']))
  const choices = choicesOf(chunk, context)
  for (const choice of choices) readChoice(answer, choice, form)
  const usage = usageOf(chunk, choices, context)
  if (usage !== undefined && !answer.ended) answer.usage(usage)
}

/** One answer is the first choice alone, except on hosts that spread it over several. */
export function choicesOf(chunk: JsonObject, context: ReplyContext): readonly JsonObject[] {
  const choices = (asArray(chunk['choices']) ?? []).filter(isObject)
  if (context.quirks.mergeChoices === true) return choices
  return choices.filter((choice) => (asNumber(choice['index']) ?? 0) === 0)
}

/** Usage stands beside the choices, inside one (Moonshot) or in a corner of its own (Groq). */
export function usageOf(
  chunk: JsonObject,
  choices: readonly JsonObject[],
  { quirks }: ReplyContext,
): Usage | undefined {
  const candidates = [chunk['usage'], asObject(chunk['x_groq'])?.['usage'], ...choices.map((choice) => choice['usage'])]
  const wire = candidates.find(isObject)
  return wire && readUsage(wire, quirks, chunk['service_tier'])
}

function readChoice(answer: Answer, choice: JsonObject, form: ChunkForm): void {
  const failed = failureInside(choice)
  if (failed !== undefined) return answer.fail(failed)
  const delta = asObject(choice['delta']) ?? asObject(choice['message'])
  if (delta !== undefined) {
    readDelta(answer, delta, form)
    // Some hosts weigh their thinking, too, which is nobody's text.
    if (reasoningText(delta) === undefined) answer.weigh(readOdds(asObject(choice['logprobs'])?.['content']))
  }
  const word = asString(choice['finish_reason'])
  if (word === undefined || word === '') return
  if (saysBroken(word)) answer.fail(failure('server', 'The provider broke off its answer.', { detail: word }))
  else answer.stop(word)
}

function readDelta(answer: Answer, delta: JsonObject, form: ChunkForm): void {
  answer.reasoning(reasoningText(delta) ?? '')
  if (delta['reasoning_details'] !== undefined) answer.reasoningDetails(delta['reasoning_details'])
  readContent(answer, delta['content'])
  answer.refusal(asString(delta['refusal']) ?? '')
  const annotations = (asArray(delta['annotations']) ?? []).filter(isObject)
  if (annotations.length > 0) answer.cite(annotations.map(readCitation))
  for (const fragment of toolFragments(delta, form)) answer.tool(fragment)
}

/** Hosts name the field differently; it is never said twice in one delta. */
export function reasoningText(delta: JsonObject): string | undefined {
  for (const name of ['reasoning_content', 'reasoning', 'reasoning_text']) {
    const text = asString(delta[name])
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

function readContent(answer: Answer, content: Json | undefined): void {
  if (typeof content === 'string') return answer.content(content)
  for (const part of asArray(content) ?? []) {
    if (!isObject(part)) continue
    // https://docs.mistral.ai/capabilities/reasoning (read 2026-11-21)
    if (part['type'] === 'thinking') answer.reasoning(nestedText(part['thinking']))
    else if (part['type'] === 'refusal') answer.refusal(asString(part['refusal']) ?? '')
    else answer.content(asString(part['text']) ?? '')
  }
}

function nestedText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return (asArray(value) ?? []).map((part) => (isObject(part) ? (asString(part['text']) ?? '') : '')).join('')
}

export function toolFragments(delta: JsonObject, form: ChunkForm): readonly ToolFragment[] {
  const calls = (asArray(delta['tool_calls']) ?? []).filter(isObject)
  const fragments = calls.map((call, position) => toolFragment(call, form === 'message' ? String(position) : undefined))
  const legacy = asObject(delta['function_call'])
  return legacy === undefined ? fragments : [...fragments, toolFragment({ function: legacy }, 'function_call')]
}

function toolFragment(call: JsonObject, place: string | undefined): ToolFragment {
  const custom = asObject(call['custom'])
  const body = custom ?? asObject(call['function']) ?? {}
  const index = call['index']
  return {
    index: place ?? (typeof index === 'number' || typeof index === 'string' ? String(index) : undefined),
    id: filled(call['id']),
    name: filled(body['name']),
    kind: custom === undefined ? 'function' : 'custom',
    text: argumentsText(custom === undefined ? body['arguments'] : body['input']),
  }
}

function filled(value: Json | undefined): string | undefined {
  return value === '' ? undefined : asString(value)
}

/** Arguments are text; some hosts send the object itself. */
function argumentsText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
