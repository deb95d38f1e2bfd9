import { SECOND_MS } from '../../core/duration.ts'
import type { Failure } from '../../core/failure.ts'
import { asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { type ScannedObject, valueOf } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { NO_USAGE } from '../../core/usage.ts'
import { shownUsage } from '../answer/shown-usage.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import type { ClientContext, InspectedReply, ReplyContext } from '../dialect.ts'
import { EventWriter } from '../answer/event-writer.ts'
import { foldEvents } from '../answer/fold.ts'
import type { ChatReply } from '../neutral.ts'
import { writeOdds } from '../answer/token-odds.ts'
import { readLine } from './answer.ts'
import { failureInside, failureOfLine } from './failure.ts'
import { readUsage, writeCounters } from './usage.ts'
import { type AnswerForm, doneReason, wireCall } from './wire.ts'

/**
 * A plain reply is the only line of its stream. Failures: the error that a status of 200 hid, `server` for a body of another
 * shape, `cut`.
 */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  const failed = failureInside(body)
  if (failed !== undefined) return err(failed)
  if (!isObject(body['message'])) return err(failureOfLine(body))
  const writer = new EventWriter(context)
  if (readUsage(body) === undefined) writer.usage({ ...NO_USAGE, estimated: true })
  readLine(writer, body)
  return foldEvents(writer.take())
}

/** Order among kinds is lost here: an answer has one thinking, one text and one list of calls. */
export function encodeReply(reply: ChatReply, context: ClientContext, form: AnswerForm): JsonObject {
  const { parts, finish, usage } = reply
  const thinking = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  const text = parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
  const calls = parts.filter((part) => part.type === 'tool-call')
  const wire = calls.map((call, index) => wireCall(call.id, call.name, index, argumentsObject(call)))
  const odds = parts.flatMap((part) => (part.type === 'text' ? (part.odds ?? []) : []))
  const endMs = context.elapsedMs?.() ?? 0
  return {
    ...headOf(context),
    ...form.write({
      text,
      ...(thinking === '' ? {} : { thinking }),
      ...(wire.length === 0 ? {} : { calls: wire }),
    }),
    ...(odds.length === 0 ? {} : { logprobs: writeOdds(odds) }),
    done: true,
    done_reason: doneReason(finish),
    ...writeCounters(shownUsage(usage, context, text.length + thinking.length), { firstMs: 0, endMs }),
  }
}

/** What every line begins with. */
export function headOf({ model, createdAtS }: ClientContext): JsonObject {
  return { model, created_at: new Date(createdAtS * SECOND_MS).toISOString() }
}

const COUNTERS = ['prompt_eval_count', 'eval_count'] as const

/** Reads the few members that matter; the answer itself is not parsed. Failures: as `decodeReply`. */
export function inspectReply(body: ScannedObject): Result<InspectedReply, Failure> {
  const members = membersOf(body, ['error', 'done_reason', ...COUNTERS])
  const failed = failureInside(members)
  if (failed !== undefined) return err(failed)
  if (!body.members.some(({ name }) => name === 'message' || name === 'response')) return err(failureOfLine(members))
  return ok({ usage: readUsage(members), stopReason: asString(members['done_reason']) })
}

function membersOf(body: ScannedObject, names: readonly string[]): JsonObject {
  // What a scan returns was checked to be JSON when it is parsed.
  return Object.fromEntries(names.map((name) => [name, valueOf(body, name) as Json | undefined]))
}
