/** Streams end once, in a legal order, and are never taken for whole when they are not. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatReply } from '../../../src/dialects/neutral.ts'
import type { Frame } from '../../../src/core/framing/frame.ts'
import { firstViolation } from '../../support/validator.ts'
import { replies } from '../arbitraries.ts'
import type { ClientSample, UpstreamSample } from '../samples/sample.ts'
import { asJson, clientContext, replyContext } from '../samples/wire.ts'
import { decodeAll, encodeAll, folded, framesOf } from '../streams.ts'
import { USAGE } from './compare.ts'

const NONSENSE = fc
  .tuple(fc.constantFrom('', 'message_delta', 'response.completed', 'error', 'contentBlockDelta'), fc.json())
  .map(([event, data]): Frame => ({ event, data, bytes: new Uint8Array() }))

/** The frames of a real stream, some of them lost, doubled, out of place or replaced by nonsense. */
export function damagedFrames({ upstream }: UpstreamSample): fc.Arbitrary<readonly Frame[]> {
  const { dialect, opaque, voice } = upstream
  return fc.tuple(replies(opaque), fc.infiniteStream(fc.nat(9)), NONSENSE).map(([reply, dice, odd]) =>
    framesOf(dialect.framing, voice.stream(reply)).flatMap((frame) => {
      const { value: roll = 9 } = dice.next()
      if (roll === 0) return []
      if (roll === 1) return [frame, frame]
      return roll === 2 ? [odd, frame] : [frame]
    }),
  )
}

export function streamsAreLegal(sample: UpstreamSample): void {
  const { dialect, vendor, opaque, voice } = sample.upstream

  test('whatever a provider sends, the events are legal and end once', () => {
    fc.assert(
      fc.property(damagedFrames(sample), (frames) => {
        expect(firstViolation(decodeAll(dialect, frames, replyContext(vendor)))).toBeUndefined()
      }),
    )
  })

  test('what follows the end changes nothing', () => {
    // Where nothing says that it is over, whatever comes belongs to the answer.
    if (sample.endsWithItsBytes === true) return
    fc.assert(
      fc.property(replies(opaque), replies(opaque), (reply, more) => {
        const frames = framesOf(dialect.framing, voice.stream(reply))
        const late = framesOf(dialect.framing, voice.stream(more))
        const told = decodeAll(dialect, frames, replyContext(vendor))
        expect(decodeAll(dialect, [...frames, ...late], replyContext(vendor))).toEqual(told)
      }),
    )
  })

  test('a stream that stops early is never taken for a whole one', () => {
    fc.assert(
      fc.property(replies(opaque), fc.nat(1_000), (reply, place) => {
        const frames = framesOf(dialect.framing, voice.stream(reply))
        const content = frames.findIndex((_, index) => sawPart(sample, frames.slice(0, index + 1)))
        const events = decodeAll(dialect, frames.slice(0, place % (content + 1)), replyContext(vendor))
        expect(firstViolation(events)).toBeUndefined()
        expect(events.at(-2)?.type).toBe('failure')
      }),
    )
  })
}

function sawPart({ upstream }: UpstreamSample, frames: readonly Frame[]): boolean {
  const decoder = upstream.dialect.streamDecoder(replyContext(upstream.vendor))
  return frames.some((frame) => decoder.push(frame).some(({ type }) => type.endsWith('-start')))
}

export function signsOfLifeAreSeen({ client: { dialect } }: ClientSample): void {
  test('a provider’s sign of life reaches the client in its own form', () => {
    const encoder = dialect.streamEncoder(clientContext())
    const begun: readonly ChatEvent[] = [{ type: 'start' }, { type: 'text-start' }, { type: 'text-delta', text: 'a' }]
    expect(begun.map((event) => encoder.push(event)).join('')).not.toBe('')
    expect(encoder.push({ type: 'ping' })).toBe(dialect.keepAlive(true))
  })
}

export function emptyAnswersEnd({ client: { dialect, ears } }: ClientSample): void {
  test('an answer without any content is one, and ends', () => {
    const reply: ChatReply = { parts: [], finish: { reason: 'stop' }, usage: USAGE }
    const shown = encodeAll(dialect, unfoldReply(reply), clientContext())
    for (const heard of [
      ears.stream(Buffer.from(shown)),
      ears.plain(asJson(dialect.encodeReply(reply, clientContext()))),
    ])
      expect(heard).toMatchObject({ parts: [], finish: { reason: 'stop' } })
  })
}

export function nothingIsWrittenEarly({ client }: ClientSample): void {
  test('nothing is written before there is content', () => {
    expect(encodeAll(client.dialect, [{ type: 'start', id: 'x', model: 'y' }], clientContext())).toBe('')
  })
}

/** JSON's escape of half a character, which stands by itself. */
const HALF = /\\ud[89a-f][0-9a-f]{2}/i

/** An answer of one part, whose deltas are `pieces`. */
function partOf(kind: 'text' | 'reasoning' | 'refusal' | 'tool-call', pieces: readonly string[]): readonly ChatEvent[] {
  const deltas = pieces.map((text): ChatEvent => ({ type: `${kind}-delta`, text }))
  const ended: readonly ChatEvent[] = [{ type: 'finish', finish: { reason: 'stop' } }, { type: 'end' }]
  switch (kind) {
    case 'tool-call': {
      const start = { type: 'tool-call-start', id: 'c', name: 'f', kind: 'function' } as const
      return [{ type: 'start' }, start, ...deltas, { type: 'tool-call-end', complete: true }, ...ended]
    }
    case 'reasoning':
      return [
        { type: 'start' },
        { type: 'reasoning-start' },
        ...deltas,
        { type: 'reasoning-end', redacted: false },
        ...ended,
      ]
    default:
      return [{ type: 'start' }, { type: `${kind}-start` }, ...deltas, { type: `${kind}-end` }, ...ended]
  }
}

export function charactersStayWhole({ client }: ClientSample): void {
  const { dialect, ears } = client

  test('no piece that a client gets holds half a character, wherever the provider cut', () => {
    const answers = [
      partOf('text', ['a\ud83d', '\ude00b', '\ud83d', '\ude00']),
      partOf('refusal', ['a\ud83d', '\ude00b']),
      partOf('reasoning', ['a\ud83d', '\ude00b']),
      partOf('tool-call', ['{"a":"\ud83d', '\ude00"}']),
    ]
    for (const events of answers) {
      const shown = encodeAll(dialect, events, clientContext())
      expect(shown).not.toMatch(HALF)
      const whole = encodeAll(dialect, unfoldReply(folded(events)), clientContext())
      expect(ears.stream(Buffer.from(shown)).parts).toEqual(ears.stream(Buffer.from(whole)).parts)
    }
  })

  test('what stays half is not held back for ever, and a ping does not part the halves', () => {
    const [start, opened, ...rest] = partOf('text', ['a\ud83d', '\ude00', '\ud83d'])
    const events = [start, opened, rest[0], { type: 'ping' } as const, ...rest.slice(1)].filter(
      (event) => event !== undefined,
    )
    const [part] = ears.stream(Buffer.from(encodeAll(dialect, events, clientContext()))).parts
    expect(part?.type === 'text' && part.text).toBe('a😀\ud83d')
  })
}
