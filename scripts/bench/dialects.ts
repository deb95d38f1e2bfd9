/**
 * `bun run bench dialects`: what reading and writing each format costs, in this process and without a network, beside what parsing
 * and writing the same JSON costs by itself; then a translated stream beside a passed-through one, through the executable.
 */
import { framerOf } from '../../src/core/framing/index.ts'
import type { Frame } from '../../src/core/framing/frame.ts'
import { unfoldReply } from '../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../src/dialects/neutral.ts'
import { EventGuard } from '../../src/dialects/validator.ts'
import { NO_USAGE } from '../../src/core/usage.ts'
import { CLIENTS, UPSTREAMS } from '../../test/dialects/samples/index.ts'
import type { Sample, UpstreamSide } from '../../test/dialects/samples/sample.ts'
import { clientContext, replyContext } from '../../test/dialects/samples/wire.ts'
import { heading, number, row, type Verdict } from './report.ts'

/** Deltas of one answer, as many as a long one has. */
const DELTAS = 4_000
const DELTA = ' token'
/** The network's pieces when nothing waits; the other extreme is an event at a time. */
const PIECE_BYTES = 16 * 1024
const WARM_UP_ROUNDS = 30
const ROUNDS = 15
const MB = 1_000_000

const REPLY: ChatReply = {
  parts: [{ type: 'text', text: DELTA }],
  finish: { reason: 'stop' },
  usage: { ...NO_USAGE, inputUncached: 20, output: DELTAS },
}

export function measureDialects(): readonly Verdict[] {
  const guarding = guardSeconds()
  const reading = new Map(UPSTREAMS.map(({ id, upstream }) => [id, readingOf(upstream)]))
  const writing = new Map(CLIENTS.map(({ id, client }) => [id, writingOf(client.dialect)]))
  heading(`Decoders, ${DELTAS} deltas in pieces of ${PIECE_BYTES / 1024} KB, and one at a time`)
  row('', 'MB/s', 'events/s', 'of JSON', 'singly')
  for (const [id, { bytes, seconds, json, singly }] of reading)
    row(id, rate(bytes, seconds), perSecond(seconds), ratio(seconds / json), ratio(singly / json))
  heading('Renderers')
  row('', 'MB/s', 'events/s', 'of JSON')
  for (const [id, { bytes, seconds, json }] of writing)
    row(id, rate(bytes, seconds), perSecond(seconds), ratio(seconds / json))
  heading('Guard between them')
  row('legal events', '', perSecond(guarding), `${number((guarding / DELTAS) * 1e9, ' ns')} each`)
  return verdictsOf(reading, writing, guarding)
}

type Costs<C> = ReadonlyMap<Sample['id'], C>

interface Cost {
  readonly bytes: number
  readonly seconds: number
  /** What the engine's own JSON needs for the same events. */
  readonly json: number
}

interface ReadingCost extends Cost {
  /** When each event arrives by itself. */
  readonly singly: number
}

/**
 * The pair that most agents need, Chat Completions for a client of Messages. What a naive translator needs for an event is the bound,
 * measured on a machine like ours.
 */
function verdictsOf(reading: Costs<ReadingCost>, writing: Costs<Cost>, guarding: number): readonly Verdict[] {
  const [decoder, renderer] = [reading.get('openai-chat'), writing.get('anthropic-messages')]
  if (decoder === undefined || renderer === undefined) throw new Error('a sample is missing')
  const micros = (seconds: number): number => ((seconds + renderer.seconds) / DELTAS) * 1e6
  const share = (guarding / (decoder.seconds + renderer.seconds)) * 100
  return [
    { name: 'an event translated', measured: micros(decoder.seconds), bound: 1.6, unit: ' us' },
    { name: 'an event translated by itself', measured: micros(decoder.singly), bound: 3.2, unit: ' us' },
    { name: 'the guard’s share of it', measured: share, bound: 5, unit: ' %' },
  ]
}

function readingOf(side: UpstreamSide): ReadingCost {
  const frames = longStream(side)
  const whole = Buffer.concat(frames.map(({ bytes }) => bytes))
  const pieces = Array.from({ length: Math.ceil(whole.length / PIECE_BYTES) }, (_, index) =>
    whole.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  )
  const json = secondsOf(() => {
    for (const { data } of frames) if (data.startsWith('{')) JSON.parse(data)
  })
  const seconds = secondsOf(() => decode(side, pieces))
  const singly = secondsOf(() =>
    decode(
      side,
      frames.map(({ bytes }) => bytes),
    ),
  )
  return { bytes: whole.length, seconds, json, singly }
}

function decode(side: UpstreamSide, pieces: readonly Uint8Array[]): void {
  const framer = framerOf(side.dialect.framing)
  const decoder = side.dialect.streamDecoder(replyContext(side.vendor))
  for (const piece of pieces) for (const frame of framer.push(piece)) decoder.push(frame)
  decoder.finish()
}

/** The frame that brings the text of a short answer, over and over: every format has one. */
function longStream({ dialect, vendor, voice }: UpstreamSide): readonly Frame[] {
  const frames = framerOf(dialect.framing).push(voice.stream(REPLY))
  const decoder = dialect.streamDecoder(replyContext(vendor))
  const at = frames.findIndex((frame) => decoder.push(frame).some(({ type }) => type === 'text-delta'))
  const delta = frames[at]
  if (delta === undefined) throw new Error(`no text in a stream of ${dialect.id}`)
  return [...frames.slice(0, at), ...Array.from({ length: DELTAS }, () => delta), ...frames.slice(at + 1)]
}

function writingOf(dialect: (typeof CLIENTS)[number]['client']['dialect']): Cost {
  const events = longAnswer()
  const render = (): string => {
    const encoder = dialect.streamEncoder(clientContext())
    let text = ''
    for (const event of events) text += encoder.push(event)
    return text
  }
  const text = render()
  const values = text.split('\n').flatMap((line) => jsonOf(line))
  const json = secondsOf(() => {
    for (const value of values) JSON.stringify(value)
  })
  return { bytes: Buffer.byteLength(text), seconds: secondsOf(() => Buffer.from(render())), json }
}

/** The value that a line of a rendered stream carries, in whatever frame. */
function jsonOf(line: string): readonly unknown[] {
  const start = line.indexOf('{')
  if (start < 0) return []
  try {
    return [JSON.parse(line.slice(start))]
  } catch {
    return [] // an end mark
  }
}

function longAnswer(): readonly ChatEvent[] {
  return unfoldReply(REPLY).flatMap((event): readonly ChatEvent[] =>
    event.type === 'text-delta' ? Array.from({ length: DELTAS }, () => event) : [event],
  )
}

function guardSeconds(): number {
  const reads = longAnswer().map((event) => [event])
  return secondsOf(() => {
    const guard = new EventGuard()
    for (const events of reads) if (guard.pass(events) !== events) throw new Error('a legal answer was mended')
  })
}

/** The best of several: what else the machine does can only make it longer. */
function secondsOf(work: () => unknown): number {
  for (let round = 0; round < WARM_UP_ROUNDS; round++) work()
  const times = Array.from({ length: ROUNDS }, () => {
    const startedMs = performance.now()
    work()
    return (performance.now() - startedMs) / 1_000
  })
  return Math.min(...times)
}

function rate(bytes: number, seconds: number): string {
  return number(bytes / seconds / MB)
}

function perSecond(seconds: number): string {
  return number(DELTAS / seconds)
}

function ratio(value: number): string {
  return `${number(value)} times`
}
