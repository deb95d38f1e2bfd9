/**
 * Cohere's Chat v2, as providers speak it; no client does. This folder knows one wire format and the neutral form, never another
 * dialect. Invariant: whatever the provider sends, the decoders answer with legal events or a Failure.
 * https://docs.cohere.com/v2/reference/chat (read 2026-11-21)
 */
import type { UpstreamDialect } from '../dialect.ts'
import { decodeFailure } from './failure.ts'
import { decodeReply } from './reply-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { CohereStreamDecoder } from './stream-decode.ts'
import { ID } from './wire.ts'

export const cohereV2: UpstreamDialect = {
  id: ID,
  framing: 'sse',
  chatPath: () => '/chat',
  takesUrl: (kind) => kind === 'image',
  encodeRequest,
  decodeReply,
  streamDecoder: (context) => new CohereStreamDecoder(context),
  decodeFailure,
}
