/**
 * OpenAI's legacy Completions, thin: a prompt in, its answer out, for clients that never learnt to chat. No provider is spoken to
 * in it; a request is always translated, so nothing of it passes through unread. This folder knows one wire format and the
 * neutral form, never another dialect. https://platform.openai.com/docs/api-reference/completions (read 2026-11-21)
 */
import { EVENT_STREAM } from '../../core/framing/frame.ts'
import { KEEP_ALIVE } from '../answer/sse.ts'
import type { ClientDialect } from '../dialect.ts'
import { encodeFailure, encodeStreamFailure } from '../openai-errors.ts'
import { wholeCharacters } from '../answer/whole-characters.ts'
import { CompletionStreamEncoder, encodeReply } from './encode.ts'
import { decodeRequest } from './request-decode.ts'
import { appendSystem } from './system.ts'

export const openaiCompletions: ClientDialect = {
  id: 'openai-completions',
  streamContentType: EVENT_STREAM,
  carriesOpaque: false,
  decodeRequest,
  encodeReply,
  streamEncoder: (context) => wholeCharacters(new CompletionStreamEncoder(context)),
  encodeFailure,
  encodeStreamFailure,
  keepAlive: () => KEEP_ALIVE,
  appendSystem,
}
