import type { Failure } from '../../core/failure.ts'
import { asArray, asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import { err, type Result } from '../../core/result.ts'
import { NO_USAGE } from '../../core/usage.ts'
import type { ReplyContext } from '../dialect.ts'
import { foldEvents } from '../answer/fold.ts'
import type { ChatReply } from '../neutral.ts'
import { Answer } from './answer.ts'
import { failureInside } from './failure.ts'
import { readUsage } from './usage.ts'

/**
 * A plain reply, read as the stream that it could have been: thinking, the plan, the text, then the calls. Failures: the error
 * that a status of 200 hid, `server` for a body of another shape.
 */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  const message = asObject(body['message'])
  if (message === undefined) return err(failureInside(body))
  const answer = new Answer(context)
  answer.writer.start(asString(body['id']))
  if (readUsage(body['usage']) === undefined) answer.writer.usage({ ...NO_USAGE, estimated: true })
  const content = (asArray(message['content']) ?? []).filter(isObject)
  for (const part of content) if (part['type'] === 'thinking') answer.say(part)
  answer.text(asString(message['tool_plan']) ?? '')
  for (const part of content) if (part['type'] !== 'thinking') answer.say(part)
  answer.cite(message['citations'])
  for (const call of (asArray(message['tool_calls']) ?? []).filter(isObject)) {
    answer.beginCall(call)
    answer.endCall()
  }
  answer.end(asString(body['finish_reason']), body['error'], body['usage'])
  return foldEvents(answer.writer.take())
}
