/**
 * Anthropic Messages, as the client's dialect and as the provider's. The wire's names live in this folder alone; it meets the
 * other dialects in `neutral.ts` only. Invariant: what decoders give is in the legal order whatever came in, and what encoders
 * give is what the official client accepts.
 */
import { EVENT_STREAM } from '../../core/framing/frame.ts'
import { KEEP_ALIVE } from '../answer/sse.ts'
import type { Dialect } from '../dialect.ts'
import { wholeCharacters } from '../answer/whole-characters.ts'
import { decodeFailure, encodeFailure, encodeStreamFailure } from './failure.ts'
import { FORWARDED_HEADERS } from './headers.ts'
import { holdsUnreadable, hostEdits } from './hosted.ts'
import { decodeReply, encodeReply, inspectReply } from './reply.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { MessagesDecoder } from './stream-decode.ts'
import { MessagesEncoder, PING } from './stream-encode.ts'
import { appendSystem } from './system.ts'
import { MessagesWatcher } from './watch.ts'
import { ID } from './wire.ts'
import { capOutput } from './cap-output.ts'
import { editState } from './edit-state.ts'

/** Before the answer has begun an event would mean that it has. */

const chatPath = (): string => '/messages'

/**
 * Documents by address are PDFs, so what is text by its name has to come with the request.
 * https://platform.claude.com/docs/en/api/messages (read 2026-11-21)
 */
function isText(url: string): boolean {
  return /\.(txt|text|md|markdown|csv|tsv|json|xml|ya?ml|html?|log)$/i.test(URL.parse(url)?.pathname ?? '')
}

export const anthropicMessages: Dialect = {
  id: ID,
  streamContentType: EVENT_STREAM,
  carriesOpaque: true,
  decodeRequest,
  encodeReply,
  streamEncoder: (context) => wholeCharacters(new MessagesEncoder(context)),
  encodeFailure,
  encodeStreamFailure,
  keepAlive: (started) => (started ? PING : KEEP_ALIVE),
  appendSystem,

  framing: 'sse',
  chatPath,
  takesUrl: (kind, url, { quirks }) => quirks.noUrlMedia !== true && (kind !== 'document' || !isText(url)),
  takesBegunAnswers: true,
  encodeRequest,
  hostEdits,
  decodeReply,
  streamDecoder: (context) => new MessagesDecoder(context),
  decodeFailure,

  passThrough: {
    dialect: ID,
    framing: 'sse',
    chatPath,
    /** Streams of this format report their usage unasked. */
    askForUsage: () => ({ splices: [], added: false }),
    editState,
    capOutput,
    holdsUnreadable,
    forwardedHeaders: FORWARDED_HEADERS,
    streamWatcher: () => new MessagesWatcher(),
    streamEnd: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    inspectReply,
  },
}
