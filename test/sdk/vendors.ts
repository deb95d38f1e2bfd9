/** What the played providers say to libraries, and what they have to find in what comes back. */
import { NO_USAGE } from '../../src/core/usage.ts'
import type { ChatReply, Opaque } from '../../src/dialects/neutral.ts'
import type { UpstreamSample } from '../dialects/samples/sample.ts'
import { framesOf } from '../dialects/streams.ts'
import { json, stream, type Step } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import type { Connection } from './bench.ts'

const USAGE = { ...NO_USAGE, inputUncached: 70, cacheRead: 20, output: 30, reasoning: 10 }
export const INPUT_TOKENS = 90
export const OUTPUT_TOKENS = 30

export const THOUGHT = 'Two cities are asked for, so both are looked up at once.'
/** Two calls at once. */
export const CALLS = [
  { id: 'call_rome0001', name: 'weather', input: { city: 'Rome' } },
  { id: 'call_oslo0002', name: 'clock', input: { city: 'Oslo' } },
] as const

export function text(said: string): ChatReply {
  return { parts: [{ type: 'text', text: said }], finish: { reason: 'stop' }, usage: USAGE }
}

/** Both calls, after a thought with the vendor's own state where it is asked for. */
export function calls({ upstream }: UpstreamSample, thinks: boolean): ChatReply {
  const thought = {
    type: 'reasoning',
    text: THOUGHT,
    redacted: false,
    ...opaqueOf(upstream.opaque),
  } as const
  const called = CALLS.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    id,
    name,
    kind: 'function' as const,
    argumentsText: JSON.stringify(input),
  }))
  return { parts: thinks ? [thought, ...called] : called, finish: { reason: 'tool-calls' }, usage: USAGE }
}

function opaqueOf(opaque: Opaque | undefined): { readonly opaque?: Opaque } {
  return opaque === undefined ? {} : { opaque }
}

/** Says a reply as its dialect does. */
export function say({ vendor, facts }: Connection, reply: ChatReply, streams: boolean): Play {
  if (!streams) return json(JSON.parse(bare(JSON.stringify(vendor.upstream.voice.plain(reply)))))
  return stream([voiced(vendor, reply)], { 'content-type': facts.contentType })
}

/** What a vendor gives for its state; what the gateway's own clients of the format are given is wrapped in an envelope. */
export const STATE = 'c2lnbmF0dXJlLW9mLWEtdmVuZG9y'
const ENVELOPE = /gw1:[\w-]+/g

function bare(wire: string): string {
  return wire.replaceAll(ENVELOPE, STATE)
}

function voiced({ upstream }: UpstreamSample, reply: ChatReply): Uint8Array {
  const bytes = upstream.voice.stream(reply)
  return upstream.dialect.framing === 'sse' ? Buffer.from(bare(Buffer.from(bytes).toString())) : bytes
}

/** Says the frames of a streamed reply up to the first that has `word` in it, and then does what `then` says. */
export function sayUntil(connection: Connection, reply: ChatReply, word: string, then: Step): Play {
  const { vendor, facts } = connection
  const frames = framesOf(vendor.upstream.dialect.framing, voiced(vendor, reply)).map(({ bytes }) => Buffer.from(bytes))
  const until = frames.findIndex((frame) => frame.includes(word)) + 1
  if (until === 0) throw new Error(`${vendor.id} never says ${word}`)
  return stream([...frames.slice(0, until), then], { 'content-type': facts.contentType })
}
