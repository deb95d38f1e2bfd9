/**
 * OpenAI Chat Completions, as clients speak it and as many hosts do. This folder knows one wire format and the neutral form,
 * never another dialect and never a provider: hosts differ by the quirks of their endpoint alone. Invariant: whatever a host
 * sends, the decoders answer with legal events or a Failure, and whatever is neutral, the encoders write what the official
 * client accepts. https://platform.openai.com/docs/api-reference/chat (read 2026-11-21)
 */
import { EVENT_STREAM } from '../../core/framing/frame.ts'
import { KEEP_ALIVE } from '../answer/sse.ts'
import type { Dialect } from '../dialect.ts'
import { CLIENT_HEADERS } from '../client-headers.ts'
import { askForUsage } from './ask-usage.ts'
import { holdsImageUrls } from '../media/image-urls.ts'
import { editState } from './edit-state.ts'
import { encodeFailure, encodeStreamFailure } from '../openai-errors.ts'
import { wholeCharacters } from '../answer/whole-characters.ts'
import { capOutputAt, type LengthPlace } from '../output-cap.ts'
import { decodeFailure } from './failure.ts'
import { decodeReply, encodeReply, inspectReply } from './reply.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { ChatStreamDecoder } from './stream-decode.ts'
import { ChatStreamEncoder } from './stream-encode.ts'
import { appendSystem } from './system.ts'
import { ChatStreamWatcher } from './watch.ts'

const ID = 'openai-chat'
/** Either name may be used; hosts that lag behind know the old one alone. */
const LENGTHS: readonly [LengthPlace, LengthPlace] = [['max_completion_tokens'], ['max_tokens']]
const LENGTHS_OF_OLD: readonly [LengthPlace, LengthPlace] = [['max_tokens'], ['max_completion_tokens']]
const chatPath = (): string => '/chat/completions'

export const openaiChat: Dialect = {
  id: ID,
  streamContentType: EVENT_STREAM,
  carriesOpaque: false,
  decodeRequest: (body) => decodeRequest(body),
  encodeReply,
  streamEncoder: (context) => wholeCharacters(new ChatStreamEncoder(context)),
  encodeFailure,
  encodeStreamFailure,
  keepAlive: () => KEEP_ALIVE,
  appendSystem,

  framing: 'sse',
  chatPath,
  // Documents have no address in this format, and sound comes as bytes alone.
  takesUrl: (kind, _url, { quirks }) => kind === 'image' && quirks.noUrlMedia !== true,
  encodeRequest,
  decodeReply,
  streamDecoder: (context) => new ChatStreamDecoder(context),
  decodeFailure,

  passThrough: {
    dialect: ID,
    framing: 'sse',
    chatPath,
    askForUsage,
    editState,
    capOutput: (body, tokensMax, { maxTokensField }) =>
      capOutputAt(body, maxTokensField === 'max_tokens' ? LENGTHS_OF_OLD : LENGTHS, tokensMax),
    holdsUnreadable: holdsImageUrls,
    // What the official client and agents send about themselves; credentials and account headers are never among them.
    forwardedHeaders: [...CLIENT_HEADERS, 'openai-beta', 'session_id', 'conversation_id', 'originator'],
    streamWatcher: (context, omitUsage) => new ChatStreamWatcher(context, omitUsage),
    streamEnd: 'data: [DONE]\n\n',
    inspectReply,
  },
}
