/**
 * Converse of AWS Bedrock: one format for the models of many makers. Providers alone speak it. The wire's names live in this
 * folder; it meets the other dialects in `neutral.ts` only. Invariant: what decoders give is in the legal order whatever came
 * in, and a body never has a member that the model's family refuses.
 */
import type { UpstreamDialect } from '../dialect.ts'
import { decodeFailure } from './failure.ts'
import { decodeReply } from './reply.ts'
import { encodeRequest } from './request-encode.ts'
import { ConverseDecoder } from './stream-decode.ts'
import { ID } from './wire.ts'

export const bedrockConverse: UpstreamDialect = {
  id: ID,
  framing: 'event-stream',
  /** Ids hold colons and slashes, which must be encoded as a whole. */
  chatPath: (model, stream) => `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
  takesUrl: () => false,
  takesBegunAnswers: true,
  encodeRequest,
  decodeReply,
  streamDecoder: (context) => new ConverseDecoder(context),
  decodeFailure,
}
