/**
 * OpenAI Responses, for clients and for providers. One exchange is a list of items; a stream announces, fills and closes each
 * under one output index. Nothing here knows another dialect or keeps a conversation; `thread.ts` says what one is made of, for
 * those who do.
 */
import { EVENT_STREAM } from '../../core/framing/frame.ts'
import { KEEP_ALIVE } from '../answer/sse.ts'
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
import { threads } from './thread.ts'
import { decodeFailure } from './vendor-failure.ts'
import { inspectReply, streamWatcher } from './watch.ts'
import { ID } from './wire.ts'
import { holdsImageUrls } from '../media/image-urls.ts'
import { capOutputAt } from '../output-cap.ts'
import { editState } from './edit-state.ts'

const chatPath = (): string => '/responses'

export const openaiResponses: Dialect = {
  id: ID,
  streamContentType: EVENT_STREAM,
  carriesOpaque: true,
  decodeRequest,
  encodeReply,
  streamEncoder,
  encodeFailure,
  encodeStreamFailure,
  keepAlive: () => KEEP_ALIVE,
  appendSystem,
  threads,

  framing: 'sse',
  chatPath,
  takesUrl: (kind, _url, { quirks }) => kind !== 'audio' && quirks.noUrlMedia !== true,
  encodeRequest,
  decodeReply,
  streamDecoder,
  decodeFailure,

  passThrough: {
    dialect: ID,
    framing: 'sse',
    chatPath,
    // Usage comes with the terminal event, asked for or not.
    askForUsage: () => ({ splices: [], added: false }),
    editState,
    capOutput: (body, tokensMax) => capOutputAt(body, [['max_output_tokens']], tokensMax),
    holdsUnreadable: holdsImageUrls,
    forwardedHeaders: FORWARDED_HEADERS,
    streamWatcher,
    streamEnd: '',
    inspectReply,
  },
}
