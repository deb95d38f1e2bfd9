import { failure, type Failure } from '../../core/failure.ts'
import { asArray, asString, type Json, type JsonObject } from '../../core/json.ts'
import { memberOf, scanArrayAt, scanObjectAt, type ScannedObject, textOf, valueOf } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { NO_USAGE } from '../../core/usage.ts'
import { emptyAnswer } from '../answer/broken-answer.ts'
import { shownUsage } from '../answer/shown-usage.ts'
import type { ClientContext, InspectedReply, ReplyContext } from '../dialect.ts'
import { foldEvents } from '../answer/fold.ts'
import type { ChatReply, TextPart } from '../neutral.ts'
import { Answer } from './answer.ts'
import { readChunk, usageOf } from './chunk.ts'
import { writeCitations } from './citations.ts'
import { failureInside, failureOfEvent } from './failure.ts'
import { newCompletionId } from './ids.ts'
import { sealedDetail } from './reasoning-details.ts'
import { tierMember, writeUsage } from './usage.ts'
import { finishOf, finishWord, saysBroken, shapeOf, wireCall, wireLogprobs } from './wire.ts'

/**
 * A plain reply, read as the stream that it could have been. A usage that the host did not give is marked as estimated. Failures: the error that a status of 200 hid, `server` for a body of
 * another shape, `empty`.
 */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  const failed = failureInside(body)
  if (failed !== undefined) return err(failed)
  if (asArray(body['choices']) === undefined) return err(failureOfEvent(body))
  const answer = new Answer(context)
  readChunk(answer, body, context, 'message')
  if (!answer.hasUsage && !answer.ended) answer.usage({ ...NO_USAGE, estimated: true })
  answer.end('plain')
  return foldEvents(answer.take())
}

export function encodeReply(reply: ChatReply, context: ClientContext): JsonObject {
  const shape = shapeOf(reply.parts)
  return {
    id: newCompletionId(context.random),
    object: 'chat.completion',
    created: context.createdAtS,
    model: context.model,
    choices: [
      {
        index: 0,
        message: messageOf(reply.parts),
        logprobs: wireLogprobs(reply.parts.flatMap((part) => (part.type === 'text' ? (part.odds ?? []) : []))),
        finish_reason: finishWord(reply.finish, shape),
      },
    ],
    usage: writeUsage(shownUsage(reply.usage, context, charactersOf(reply.parts))),
    ...tierMember(reply.usage),
  }
}

/** Order among kinds is lost here: this format has one text, one list of calls and one reasoning for an answer. */
function messageOf(parts: ChatReply['parts']): JsonObject {
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const details = reasoning.map(sealedDetail).filter((detail) => detail !== undefined)
  const texts = parts.filter((part) => part.type === 'text')
  const annotations = annotationsOf(texts)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const thought = reasoning.map((part) => part.text).join('')
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.map((part) => part.text).join(''),
    refusal: refusalOf(parts),
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
  }
}

/** Places are counted in the text of all parts together. */
function annotationsOf(texts: readonly TextPart[]): readonly JsonObject[] {
  let offset = 0
  return texts.flatMap((part) => {
    const from = offset
    offset += part.text.length
    return writeCitations(part.citations ?? [], from, offset)
  })
}

function charactersOf(parts: ChatReply['parts']): number {
  let characters = 0
  for (const part of parts) {
    if ('text' in part) characters += part.text.length
    else if (part.type === 'tool-call') characters += part.argumentsText.length
  }
  return characters
}

function refusalOf(parts: ChatReply['parts']): string | null {
  const refusals = parts.filter((part) => part.type === 'refusal')
  return refusals.length === 0 ? null : refusals.map((part) => part.text).join('')
}

/** Reads the few members that matter; the answer itself is not parsed. Failures: as `decodeReply`. */
export function inspectReply(body: ScannedObject, context: ReplyContext): Result<InspectedReply, Failure> {
  const outer = membersOf(body, ['error', 'object', 'usage', 'x_groq', 'service_tier'])
  const failed = failureInside(outer)
  if (failed !== undefined) return err(failed)
  const choices = memberOf(body, 'choices')
  const scanned = choices === undefined ? undefined : scanArrayAt(body.bytes, choices.valueStart)
  if (scanned === undefined || !scanned.ok) {
    return err(failureOfEvent(membersOf(body, ['message', 'detail', 'code', 'type'])))
  }
  const [first] = scanned.value.elements
  if (first === undefined) return err(emptyAnswer(usageOf(outer, [], context)))
  const choice = scanObjectAt(body.bytes, first.start)
  const inner = choice.ok ? membersOf(choice.value, ['error', 'finish_reason', 'usage']) : {}
  const broken = failureInside(inner) ?? brokenOff(inner)
  const usage = usageOf(outer, [inner], context)
  if (choice.ok && inner['finish_reason'] === 'stop' && saysNothing(choice.value)) return err(emptyAnswer(usage))
  return broken === undefined ? ok({ usage, stopReason: stopReasonOf(asString(inner['finish_reason'])) }) : err(broken)
}

/** A message longer than this holds something. */
const SILENT_BYTES_MAX = 512
const BLANK: ReadonlySet<string> = new Set(['null', '""', '[]'])
const CONTENT_MEMBERS = [
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'reasoning_details',
  'audio',
  'images',
]

function saysNothing(choice: ScannedObject): boolean {
  const member = memberOf(choice, 'message')
  if (member === undefined || member.valueEnd - member.valueStart > SILENT_BYTES_MAX) return false
  const message = scanObjectAt(choice.bytes, member.valueStart)
  return message.ok && CONTENT_MEMBERS.every((name) => isBlank(message.value, name))
}

function isBlank(message: ScannedObject, name: string): boolean {
  const member = memberOf(message, name)
  return member === undefined || BLANK.has(textOf(message.bytes, member.valueStart, member.valueEnd))
}

/** The reason as the request log shows it; undefined when the host gave none. */
export function stopReasonOf(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  // Whether the answer has calls is not looked at here, so the host's word is taken as it is.
  const finish = finishOf(word, { calls: word === 'tool_calls' || word === 'function_call', refusal: false })
  return finish.raw ?? finish.reason
}

function brokenOff(choice: JsonObject): Failure | undefined {
  const word = asString(choice['finish_reason'])
  return word !== undefined && saysBroken(word)
    ? failure('server', 'The provider broke off its answer.', { detail: word })
    : undefined
}

function membersOf(object: ScannedObject, names: readonly string[]): JsonObject {
  const members: Record<string, Json | undefined> = {}
  for (const name of names) members[name] = valueOf(object, name) as Json | undefined
  return members
}
