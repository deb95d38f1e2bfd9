/**
 * Gemini's `generateContent`, as the client's dialect and as the provider's. The wire's names live in this folder alone; it meets
 * the other dialects in `neutral.ts` only. Clients that ask for events get events, all others one JSON array that grows: two
 * dialects that differ in nothing else. Invariant: what decoders give is in the legal order whatever came in, and what encoders
 * give is what the official client accepts.
 */
import { EVENT_STREAM } from '../../core/framing/frame.ts'
import type { ClientDialect, Dialect, PassThrough } from '../dialect.ts'
import { wholeCharacters } from '../answer/whole-characters.ts'
import { capOutputAt, type LengthPlace } from '../output-cap.ts'
import { editState } from './edit-state.ts'
import { encodeFailure } from './failure.ts'
import { FORWARDED_HEADERS } from './headers.ts'
import { takesUrl } from './media-encode.ts'
import { decodeReply, encodeReply, inspectReply } from './reply.ts'
import { decodeRequest } from './request-decode.ts'
import { encodeRequest } from './request-encode.ts'
import { GeminiDecoder } from './stream-decode.ts'
import { ARRAY, EVENTS, GeminiEncoder, streamFailure } from './stream-encode.ts'
import { appendSystem } from './system.ts'
import { decodeFailure } from './vendor-failure.ts'
import { GeminiWatcher } from './watch.ts'
import { ID } from './wire.ts'

function methodPath(model: string, stream: boolean): string {
  return `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent' : 'generateContent'}`
}

function eventPath(model: string, stream: boolean): string {
  return methodPath(model, stream) + (stream ? '?alt=sse' : '')
}

/** Both spellings are understood, of each name by itself. */
const LENGTHS: readonly [LengthPlace, ...LengthPlace[]] = [
  ['generationConfig', 'maxOutputTokens'],
  ['generationConfig', 'max_output_tokens'],
  ['generation_config', 'maxOutputTokens'],
  ['generation_config', 'max_output_tokens'],
]

const passThrough: PassThrough = {
  dialect: ID,
  framing: 'sse',
  chatPath: eventPath,
  /** Streams of this format report their usage unasked. */
  askForUsage: () => ({ splices: [], added: false }),
  editState,
  capOutput: (body, tokensMax) => capOutputAt(body, LENGTHS, tokensMax),
  forwardedHeaders: FORWARDED_HEADERS,
  streamWatcher: () => new GeminiWatcher(),
  streamEnd: '',
  inspectReply,
}

export const gemini: Dialect = {
  id: ID,
  streamContentType: EVENT_STREAM,
  carriesOpaque: true,
  decodeRequest,
  encodeReply,
  streamEncoder: (context) => wholeCharacters(new GeminiEncoder(context, EVENTS)),
  encodeFailure,
  encodeStreamFailure: (failed) => streamFailure(EVENTS, failed, true),
  keepAlive: () => EVENTS.pause,
  appendSystem,

  framing: 'sse',
  chatPath: eventPath,
  takesUrl,
  encodeRequest,
  decodeReply,
  streamDecoder: (context) => new GeminiDecoder(context),
  decodeFailure,

  passThrough,
}

/** For clients that do not ask for events. */
export const geminiArray: ClientDialect = {
  ...gemini,
  streamContentType: 'application/json; charset=utf-8',
  streamEncoder: (context) => wholeCharacters(new GeminiEncoder(context, ARRAY)),
  encodeStreamFailure: (failed, _requestId, started) => streamFailure(ARRAY, failed, started),
  keepAlive: () => ARRAY.pause,
  passThrough: { ...passThrough, framing: 'json-array', chatPath: methodPath, streamEnd: ']' },
}
