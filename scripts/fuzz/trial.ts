/**
 * One case: a damaged stream through framer, decoder and a client's encoder, and past a watcher; a damaged reply or request from one
 * side to the other. It finds what throws, what is out of order or without an end, and work out of proportion to the bytes.
 */
import type { ClientDialectId, DialectId } from '../../src/catalog/dialect-id.ts'
import { framerOf } from '../../src/core/framing/index.ts'
import type { FailureKind } from '../../src/core/failure.ts'
import type { Frame } from '../../src/core/framing/frame.ts'
import { unfoldReply } from '../../src/dialects/answer/fold.ts'
import type { ChatEvent } from '../../src/dialects/neutral.ts'
import { parseBody } from '../../src/gateway/exchange.ts'
import { CLIENTS, UPSTREAMS } from '../../test/dialects/samples/index.ts'
import { targetContext, type ClientSide } from '../../test/dialects/samples/sample.ts'
import { clientContext, replyContext } from '../../test/dialects/samples/wire.ts'
import { firstViolation } from '../../test/support/validator.ts'

/** What arrives damaged: a stream as bytes for the framer or frames for the decoder, a plain reply, or a client's request. */
export interface Fixture {
  readonly upstream: DialectId
  readonly client: ClientDialectId
  /** Base64, in the pieces in which they came. */
  readonly chunks?: readonly string[]
  readonly frames?: readonly Pick<Frame, 'event' | 'data'>[]
  readonly reply?: string
  readonly request?: string
}

/** However few bytes there are, an answer has a beginning, an end and a failure. */
const EVENTS_BESIDES_MAX = 64
/** No byte may make more than this many events, and no character of an answer more than this many of its rendering. */
const EVENTS_PER_BYTE_MAX = 4
const CHARACTERS_PER_BYTE_MAX = 64
const CHARACTERS_BESIDES_MAX = 65_536
/** A case takes microseconds; this long it is taken for hanging. */
const CASE_MS_MAX = 2_000

/** What is wrong, or undefined. */
export function faultOf(fixture: Fixture): string | undefined {
  const startedMs = performance.now()
  try {
    return faultInside(fixture) ?? slowness(startedMs)
  } catch (error) {
    return `throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
  }
}

function faultInside(fixture: Fixture): string | undefined {
  if (fixture.reply !== undefined) return replyFault(fixture, fixture.reply)
  return fixture.request === undefined ? orderFault(fixture) : requestFault(fixture, fixture.request)
}

/** As the gateway does it: what nests too deep never gets to a dialect. */
function replyFault(fixture: Fixture, text: string): string | undefined {
  const { upstream, client } = partsOf(fixture)
  const failed = upstream.dialect.decodeFailure(500, new Headers(), text)
  client.dialect.encodeFailure(failed, 'req_1')
  const body = parseBody(Buffer.from(text))
  if (!body.ok) return undefined
  const reply = upstream.dialect.decodeReply(body.value, replyContext(upstream.vendor))
  if (!reply.ok) return undefined
  JSON.stringify(client.dialect.encodeReply(reply.value, clientContext()))
  return firstViolation(unfoldReply(reply.value))
}

const REFUSALS: readonly FailureKind[] = ['malformed', 'unsupported']

function requestFault(fixture: Fixture, text: string): string | undefined {
  const { upstream, client } = partsOf(fixture)
  const body = parseBody(Buffer.from(text))
  if (!body.ok) return undefined
  const request = client.dialect.decodeRequest(body.value, new Headers())
  const result = request.ok ? upstream.dialect.encodeRequest(request.value, targetContext(upstream)) : request
  if (!result.ok) return REFUSALS.includes(result.error.kind) ? undefined : `refuses with ${result.error.kind}`
  if (request.ok) client.dialect.streamEncoder(clientContext(request.value)).push({ type: 'text-delta', text: 'a' })
  return undefined
}

function orderFault(fixture: Fixture): string | undefined {
  const { upstream, client } = partsOf(fixture)
  const { frames, bytes } = framesIn(fixture, upstream.dialect.framing)
  const decoder = upstream.dialect.streamDecoder(replyContext(upstream.vendor))
  const events: ChatEvent[] = []
  for (const frame of frames) for (const event of decoder.push(frame)) events.push(event)
  events.push(...decoder.finish())
  watch(fixture, frames)
  if (events.length > EVENTS_BESIDES_MAX + EVENTS_PER_BYTE_MAX * bytes)
    return `makes ${events.length} events of ${bytes} bytes`
  const violation = firstViolation(events)
  return violation ?? renderFault(client, events, bytes)
}

function partsOf({ upstream, client }: Fixture) {
  const speaking = UPSTREAMS.find(({ id }) => id === upstream)
  const listening = CLIENTS.find(({ id }) => id === client)
  if (speaking === undefined || listening === undefined) throw new Error(`no sample of ${upstream} or ${client}`)
  return { upstream: speaking.upstream, client: listening.client }
}

function framesIn(
  { chunks, frames }: Fixture,
  framing: Parameters<typeof framerOf>[0],
): { readonly frames: readonly Frame[]; readonly bytes: number } {
  if (chunks === undefined) {
    const made = (frames ?? []).map((frame) => ({ ...frame, bytes: Buffer.from(frame.data) }))
    return { frames: made, bytes: made.reduce((sum, { bytes }) => sum + bytes.length, 0) }
  }
  const framer = framerOf(framing)
  const pieces = chunks.map((chunk) => Buffer.from(chunk, 'base64'))
  const cut = pieces.flatMap((piece) => [...framer.push(piece)])
  const last = framer.finish()
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return { frames: last === undefined ? cut : [...cut, last], bytes }
}

/** What passes through is looked at as it is. */
function watch({ upstream }: Fixture, frames: readonly Frame[]): void {
  const native = CLIENTS.find(({ id }) => id === upstream)?.client.dialect.passThrough
  const vendor = UPSTREAMS.find(({ id }) => id === upstream)?.upstream.vendor ?? ''
  if (native === undefined) return
  const watcher = native.streamWatcher(replyContext(vendor), true)
  for (const frame of frames) watcher.push(frame)
  watcher.finish()
}

/** What the client gets must be a stream of its format, whole when the answer was. */
function renderFault({ dialect, ears }: ClientSide, events: readonly ChatEvent[], bytes: number): string | undefined {
  const encoder = dialect.streamEncoder(clientContext())
  let text = ''
  for (const event of events) {
    if (event.type === 'failure') return undefined
    text += encoder.push(event)
  }
  if (text.length > CHARACTERS_BESIDES_MAX + CHARACTERS_PER_BYTE_MAX * bytes)
    return `writes ${text.length} characters for ${bytes} bytes`
  if (events.some(isContent)) ears.stream(Buffer.from(text))
  return undefined
}

function isContent(event: ChatEvent): boolean {
  return event.type === 'tool-call-start' || (event.type === 'text-delta' && event.text.trim() !== '')
}

function slowness(startedMs: number): string | undefined {
  const tookMs = performance.now() - startedMs
  return tookMs > CASE_MS_MAX ? `takes ${Math.round(tookMs)} ms` : undefined
}
