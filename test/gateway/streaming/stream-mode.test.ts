import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { SseFramer } from '../../../src/core/framing/sse.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { StreamDecoder } from '../../../src/dialects/dialect.ts'
import type { ChatEvent } from '../../../src/dialects/neutral.ts'
import {
  ANSWER_BYTES_MAX,
  RawMode,
  RewrittenMode,
  type StreamMode,
  type StreamStep,
} from '../../../src/gateway/streaming/stream-mode.ts'
import { anthropicStream } from '../../support/provider-bodies.ts'
import { seededRandom } from '../../support/random.ts'
import { clientContext } from '../../dialects/samples/wire.ts'
import { framesOf } from '../../dialects/streams.ts'

const STREAM = Buffer.from(anthropicStream(['Hel', 'lo, ', 'wörld 🚦']).join(''), 'utf8')
const CONTEXT = { vendor: 'anthropic', quirks: {}, toolNames: new Map<string, string>(), random: seededRandom(1) }

function rawMode(): RawMode {
  return new RawMode(
    new SseFramer(),
    anthropicMessages.passThrough.streamWatcher(CONTEXT, false),
    anthropicMessages.passThrough.streamEnd,
  )
}

/** Feeds the pieces until the answer is over; the steps in order. */
function run(pieces: readonly Uint8Array[], mode: StreamMode = rawMode()): readonly StreamStep[] {
  const steps: StreamStep[] = []
  for (const piece of pieces) {
    const step = mode.push(piece)
    steps.push(step)
    if (step.ended || step.failure !== undefined) return steps
  }
  return [...steps, mode.finish()]
}

function bytesOf(steps: readonly StreamStep[]): string {
  return Buffer.concat(steps.map(({ bytes }) => bytes)).toString('utf8')
}

function cut(bytes: Uint8Array, at: readonly number[]): readonly Uint8Array[] {
  const edges = [...new Set([0, ...at.map((edge) => edge % bytes.length), bytes.length])].sort((a, b) => a - b)
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

describe('a stream that passes through', () => {
  test('comes out as it went in, wherever the network cut it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 40 }), (edges) => {
        const steps = run(cut(STREAM, edges))
        expect(bytesOf(steps)).toBe(STREAM.toString('utf8'))
        expect(steps.at(-1)).toMatchObject({ ended: true, failure: undefined })
      }),
    )
  })

  test('leaves in whole events, so that anything may be written between two pieces', () => {
    const steps = run([...STREAM].map((byte) => Uint8Array.of(byte)))
    const pieces = steps.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).filter((piece) => piece !== '')
    for (const piece of pieces) expect(piece).toEndWith('\n\n')
  })

  test('is copied only where an event was cut in two', () => {
    const mode = rawMode()
    const step = mode.push(STREAM.subarray(0, STREAM.indexOf('event: content_block_delta')))
    expect(step.bytes.buffer).toBe(STREAM.buffer)
  })

  test('is committed by its first content and not before', () => {
    const [start, ...deltas] = anthropicStream(['Hi']).map((frame) => Buffer.from(frame, 'utf8'))
    const mode = rawMode()
    expect(start && mode.push(start).content).toBe(false)
    expect(deltas.map((delta) => mode.push(delta).content)).toContain(true)
  })

  test('that stops too early is a failure, never an end', () => {
    for (let length = 1; length < STREAM.indexOf('event: message_delta'); length += 7) {
      const last = run([STREAM.subarray(0, length)]).at(-1)
      expect(last?.ended).toBe(false)
      expect(last?.failure?.kind).toBeOneOf(['cut', 'empty'])
    }
  })

  test('that names its reason to stop and leaves out its last event is completed for the client', () => {
    const stop = STREAM.indexOf('event: message_stop')
    const steps = run([STREAM.subarray(0, stop)])
    expect(bytesOf(steps)).toBe(STREAM.toString('utf8'))
    expect(steps.at(-1)).toMatchObject({ ended: true, failure: undefined })
  })

  test('ends at its end, whatever the provider sends after it', () => {
    const steps = run([Buffer.concat([STREAM, Buffer.from('data: more\n\n')])])
    expect(bytesOf(steps)).toBe(STREAM.toString('utf8'))
  })

  test('tells its usage', () => {
    const mode = rawMode()
    run([STREAM], mode)
    expect(mode.usage).toMatchObject({ inputUncached: 10, estimated: false })
    expect(mode.stopReason).toBe('end_turn')
  })

  test('stops before an error event, which is told in our own words', () => {
    const error = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'
    const head = anthropicStream(['Hi']).slice(0, 3).join('')
    const steps = run([Buffer.from(head + error)])
    expect(bytesOf(steps)).toBe(head)
    expect(steps.at(-1)?.failure?.kind).toBe('overloaded')
  })

  test('with an event beyond all measure fails instead of filling the memory', () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const steps = run([Buffer.from('data: '), ...Array.from({ length: 17 }, () => chunk)])
    expect(steps.at(-1)?.failure?.kind).toBe('server')
  })
})

function called(
  text: string,
  { kind = 'function', complete = true }: { kind?: 'function' | 'custom'; complete?: boolean } = {},
): readonly ChatEvent[] {
  return [
    { type: 'tool-call-start', id: 'c', name: 'f', kind },
    { type: 'tool-call-delta', text },
    { type: 'tool-call-end', complete },
  ]
}

describe('a stream that is rewritten', () => {
  /** A decoder that gives these events, each for a frame of its own. */
  function rewritten(events: readonly ChatEvent[]): {
    readonly mode: RewrittenMode
    readonly steps: readonly StreamStep[]
  } {
    const left = events.map((event) => [event])
    const decoder: StreamDecoder = { push: () => left.shift() ?? [], finish: () => [] }
    const mode = new RewrittenMode(new SseFramer(), decoder, anthropicMessages.streamEncoder(clientContext()))
    const steps = events.map(() => mode.push(Buffer.from('data: {}\n\n')))
    return { mode, steps: [...steps, mode.finish()] }
  }

  test('reaches the client in order although its decoder lost it, and says what was mended', () => {
    const { mode, steps } = rewritten([
      { type: 'text-delta', text: 'a' },
      { type: 'refusal-delta', text: 'b' },
      { type: 'finish', finish: { reason: 'stop' } },
      { type: 'end' },
    ])
    const told = framesOf('sse', Buffer.from(bytesOf(steps))).flatMap(({ event }) => (event === 'ping' ? [] : [event]))
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(told).toEqual(['message_start', ...block, ...block, 'message_delta', 'message_stop'])
    expect(mode.repairs).toEqual(['text-delta while before-start', 'refusal-delta while text', 'finish while refusal'])
    expect(steps.at(-2)).toMatchObject({ ended: true, failure: undefined })
  })

  test('breaks honestly where nobody knows what was meant', () => {
    const { steps } = rewritten([{ type: 'start' }, { type: 'tool-call-delta', text: '{' }])
    expect(steps.find(({ failure }) => failure !== undefined)?.failure?.kind).toBe('server')
    expect(bytesOf(steps)).not.toContain('message_stop')
  })

  test('that its decoder leaves open is cut, never ended', () => {
    const { steps } = rewritten([{ type: 'text-start' }, { type: 'text-delta', text: 'a' }])
    expect(steps.at(-1)).toMatchObject({ ended: false, failure: { kind: 'cut' } })
  })

  const CALLS: readonly (readonly [what: string, count: number, ...events: readonly ChatEvent[]])[] = [
    ['whole', 0, ...called('{"a":1}')],
    ['empty', 0, ...called('')],
    ['broken', 1, ...called('{"a":')],
    ['broken in two calls', 2, ...called('{"a":'), ...called('oops')],
    ['cut by a limit', 0, ...called('{"a":', { complete: false })],
    ['of a tool that takes any text', 0, ...called('oops', { kind: 'custom' })],
    ['longer than anybody looks into', 0, ...called('x'.repeat(100_000))],
  ]
  for (const [what, count, ...events] of CALLS) {
    test(`tells how many calls had arguments that are no JSON: ${what}`, () => {
      const { mode } = rewritten([{ type: 'start' }, ...events, { type: 'finish', finish: { reason: 'tool-calls' } }])
      expect(mode.brokenCalls).toBe(count)
    })
  }

  test('fails once it is longer than an answer may be, whatever it says', () => {
    const frame = Buffer.concat([Buffer.from('data: '), Buffer.alloc(8 * 1024 * 1024, 'x'), Buffer.from('\n\n')])
    const decoder: StreamDecoder = { push: () => [], finish: () => [] }
    const mode = new RewrittenMode(new SseFramer(), decoder, anthropicMessages.streamEncoder(clientContext()))
    const pieces = Array.from({ length: ANSWER_BYTES_MAX / (8 * 1024 * 1024) + 1 }, () => frame)
    const steps = run(pieces, mode)
    expect(steps.at(-1)?.failure?.kind).toBe('server')
    expect(steps.length).toBeLessThan(pieces.length)
  })
})
