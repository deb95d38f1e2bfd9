/**
 * Ollama's own format, as clients speak it and as its servers do. This folder knows one wire format and the neutral form, never
 * another dialect. `/api/generate` is the same format with another outside, for clients alone: servers are asked by `/api/chat`.
 * Invariant: whatever a server sends, the decoders answer with legal events or a Failure, and every line that is written is one
 * JSON object. https://docs.ollama.com/api (read 2026-11-21)
 */
import { CLIENT_HEADERS } from '../client-headers.ts'
import type { ClientDialect, Dialect, PassThrough } from '../dialect.ts'
import { wholeCharacters } from '../answer/whole-characters.ts'
import { capOutputAt } from '../output-cap.ts'
import { decodeFailure, encodeFailure, encodeStreamFailure } from './failure.ts'
import { decodeReply, encodeReply, inspectReply } from './reply.ts'
import { decodeChat, decodeGenerate } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { OllamaStreamDecoder } from './stream-decode.ts'
import { KEEP_ALIVE, OllamaStreamEncoder } from './stream-encode.ts'
import { appendToChat, appendToGenerate } from './system.ts'
import { OllamaStreamWatcher } from './watch.ts'
import { type AnswerForm, CHAT_FORM, GENERATE_FORM, ID, NDJSON } from './wire.ts'

const chatPath = (): string => '/api/chat'

const CHAT_CLIENT = {
  ...clientSide(CHAT_FORM),
  decodeRequest: decodeChat,
  appendSystem: appendToChat,
  passThrough: passThroughTo(chatPath),
} satisfies ClientDialect

export const ollama: Dialect = {
  ...CHAT_CLIENT,
  framing: 'ndjson',
  chatPath,
  // Images are bytes alone.
  takesUrl: () => false,
  encodeRequest,
  decodeReply,
  streamDecoder: (context) => new OllamaStreamDecoder(context),
  decodeFailure,
}

/** Clients that send a prompt instead of a conversation. */
export const ollamaGenerate: ClientDialect = {
  ...clientSide(GENERATE_FORM),
  decodeRequest: decodeGenerate,
  appendSystem: appendToGenerate,
  passThrough: passThroughTo(() => '/api/generate'),
}

function clientSide(form: AnswerForm) {
  return {
    id: ID,
    streamContentType: NDJSON,
    carriesOpaque: false,
    encodeReply: (reply, context) => encodeReply(reply, context, form),
    streamEncoder: (context) => wholeCharacters(new OllamaStreamEncoder(context, form)),
    encodeFailure,
    encodeStreamFailure,
    keepAlive: () => KEEP_ALIVE,
  } as const satisfies Omit<ClientDialect, 'decodeRequest' | 'appendSystem'>
}

function passThroughTo(path: () => string): PassThrough {
  return {
    dialect: ID,
    framing: 'ndjson',
    chatPath: path,
    // The last line always has its counters.
    askForUsage: () => ({ splices: [], added: false }),
    capOutput: (body, tokensMax) => capOutputAt(body, [['options', 'num_predict']], tokensMax),
    forwardedHeaders: CLIENT_HEADERS,
    streamWatcher: () => new OllamaStreamWatcher(),
    // Reason and end are one line: a stream without it is no whole answer.
    streamEnd: '',
    inspectReply,
  }
}
