/** A plain reply is what its stream would end with. */
import type { JsonObject } from '../../core/json.ts'
import type { ClientContext } from '../dialect.ts'
import { unfoldReply } from '../answer/fold.ts'
import type { ChatReply } from '../neutral.ts'
import { ResponseEncoder } from './stream-encode.ts'

export function encodeReply(reply: ChatReply, context: ClientContext): JsonObject {
  const encoder = new ResponseEncoder(context)
  for (const event of unfoldReply(reply)) encoder.push(event)
  return encoder.answer
}
