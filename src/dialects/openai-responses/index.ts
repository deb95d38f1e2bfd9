/**
 * OpenAI Responses, for clients and for providers. One exchange is a list of items; a stream announces, fills and closes each
 * under one output index. Nothing here knows another dialect or keeps a conversation: what only the vendor's own store could
 * continue is refused.
 */
import type { Dialect } from '../dialect.ts'
import { encodeFailure } from '../openai-errors.ts'
import { encodeStreamFailure } from './failure.ts'
import { FORWARDED_HEADERS } from './headers.ts'
import { encodeReply } from './reply-encode.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { decodeReply, streamDecoder } from './stream-decode.ts'
import { streamEncoder } from './stream-encode.ts'
import { appendSystem } from './system.ts'
import { decodeFailure } from './vendor-failure.ts'
import { inspectReply, streamWatcher } from './watch.ts'
import { ID, KEEP_ALIVE } from './wire.ts'

export const openaiResponses: Dialect = {
  id: ID,
  chatPath: '/responses',
  streamEnd: '',
  decodeRequest,
  encodeReply,
  streamEncoder,
  encodeFailure,
  encodeStreamFailure,
  keepAlive: () => KEEP_ALIVE,
  appendSystem,
  encodeRequest,
  decodeReply,
  streamDecoder,
  decodeFailure,
  // Usage comes with the terminal event, asked for or not.
  askForUsage: () => ({ splices: [], added: false }),
  forwardedHeaders: FORWARDED_HEADERS,
  streamWatcher,
  inspectReply,
}
