/** A plain reply, read as the stream that would have told it, so that both follow one set of rules. */
import type { Failure } from '../../core/failure.ts'
import { asArray, asObject, type JsonObject } from '../../core/json.ts'
import { err, type Result } from '../../core/result.ts'
import { brokenAnswer } from '../answer/broken-answer.ts'
import type { ReplyContext } from '../dialect.ts'
import { EventWriter } from '../answer/event-writer.ts'
import { foldEvents } from '../answer/fold.ts'
import type { ChatReply } from '../neutral.ts'
import { blockEvents, BlockTeller } from './block-decode.ts'
import { BROKEN_OUTPUT } from './failure.ts'
import { decodeFinish, isBroken, readStop } from './stop-reason.ts'
import { UNTOLD_USAGE, usageOf } from './usage.ts'

/** Failure: `server` when it is no answer of this format, or the model gave none. */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  const content = asArray(asObject(asObject(body['output'])?.['message'])?.['content'])
  const stop = readStop(body)
  if (content === undefined || stop === undefined) return err(brokenAnswer('has no message'))
  if (isBroken(stop)) return err(BROKEN_OUTPUT)
  const writer = new EventWriter(context)
  const teller = new BlockTeller(writer)
  writer.start()
  for (const event of content.flatMap(blockEvents)) teller.tell(event)
  writer.usage(usageOf(body) ?? UNTOLD_USAGE)
  writer.end(decodeFinish(stop, writer.hasCalls))
  return foldEvents(writer.take())
}
