/** What one line of a stream, or a plain reply, says. Every field may be missing, null or odd. */
import { asArray, asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import type { EventWriter } from '../answer/event-writer.ts'
import { readOdds } from '../answer/token-odds.ts'
import { failureInside } from './failure.ts'
import { readUsage } from './usage.ts'
import { finishOf, messageOf } from './wire.ts'

export function readLine(writer: EventWriter, line: JsonObject): void {
  const failed = failureInside(line)
  if (failed !== undefined) return writer.fail(failed)
  writer.start(undefined, asString(line['model']))
  const message = messageOf(line)
  writer.say('reasoning', asString(message['thinking']) ?? '')
  writer.say('text', asString(message['content']) ?? '')
  if (!asString(message['thinking'])) writer.weigh(readOdds(line['logprobs']))
  for (const call of (asArray(message['tool_calls']) ?? []).filter(isObject)) readCall(writer, call)
  const usage = readUsage(line)
  if (usage !== undefined) writer.usage(usage)
  if (line['done'] === true) writer.end(finishOf(asString(line['done_reason']), writer.hasCalls))
}

/** Calls arrive whole. */
function readCall(writer: EventWriter, call: JsonObject): void {
  const called = asObject(call['function']) ?? {}
  const value = called['arguments']
  writer.beginCall(asString(call['id']), asString(called['name']) ?? '')
  if (typeof value === 'string') writer.callText(value)
  else if (isObject(value) && Object.keys(value).length > 0) writer.callText(JSON.stringify(value))
  writer.endCall(true)
}
