/**
 * OpenAI Responses, for clients and for providers. One exchange is a list of items; a stream announces, fills and closes each
 * under one `output_index`. Nothing here knows another dialect or keeps a conversation.
 */
import { failure } from '../../core/failure.ts'
import { err } from '../../core/result.ts'
import type { Dialect } from '../dialect.ts'
import { encodeFailure, encodeStreamFailure } from './failure.ts'
import { FORWARDED_HEADERS } from './headers.ts'
import { appendSystem } from './system.ts'
import { decodeFailure } from './vendor-failure.ts'
import { inspectReply, streamWatcher } from './watch.ts'

const untranslated = () => err(failure('unsupported', 'Responses are not translated yet.'))

export const openaiResponses: Dialect = {
  id: 'openai-responses',
  chatPath: '/responses',
  decodeRequest: untranslated,
  encodeReply: () => ({}),
  streamEncoder: () => ({ push: () => '' }),
  encodeFailure,
  encodeStreamFailure,
  keepAlive: () => ': keepalive\n\n',
  appendSystem,
  encodeRequest: untranslated,
  decodeReply: untranslated,
  streamDecoder: () => ({ push: () => [], finish: () => [] }),
  decodeFailure,
  askForUsage: () => ({ splices: [], added: false }),
  forwardedHeaders: FORWARDED_HEADERS,
  streamWatcher,
  inspectReply,
}
