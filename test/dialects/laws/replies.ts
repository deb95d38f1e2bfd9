/** Replies keep what they hold, streamed or plain, wherever the network cuts their bytes. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Framing } from '../../../src/core/framing/frame.ts'
import type { ChatEvent } from '../../../src/dialects/neutral.ts'
import { replies } from '../arbitraries.ts'
import type { ClientSample, UpstreamSample } from '../samples/sample.ts'
import { asJson, clientContext, replyContext } from '../samples/wire.ts'
import { cutAt, decodeAll, encodeAll, folded, framesOf } from '../streams.ts'
import { unfoldReply } from '../../../src/dialects/answer/fold.ts'
import { comparable } from './compare.ts'

const PLACES = fc.array(fc.nat(100_000), { maxLength: 12 })

export function repliesArrive(sample: UpstreamSample): void {
  const { dialect, vendor, opaque, voice } = sample.upstream

  test('what a provider says arrives, streamed or plain', () => {
    fc.assert(
      fc.property(replies(opaque), (reply) => {
        const plain = dialect.decodeReply(voice.plain(reply), replyContext(vendor))
        if (!plain.ok) throw new Error(plain.error.message)
        const frames = framesOf(dialect.framing, voice.stream(reply))
        const streamed = folded(decodeAll(dialect, frames, replyContext(vendor)))
        expect(comparable(sample, plain.value)).toEqual(comparable(sample, reply))
        expect(comparable(sample, streamed)).toEqual(comparable(sample, reply))
      }),
    )
  })

  test('where the network cuts the bytes never matters', () => {
    const eventsOf = (chunks: readonly Uint8Array[]) =>
      decodeAll(dialect, framesOf(dialect.framing, ...chunks), replyContext(vendor))
    fc.assert(
      fc.property(replies(opaque), PLACES, (reply, places) => {
        const bytes = voice.stream(reply)
        expect(eventsOf(cutAt(bytes, places))).toEqual(eventsOf([bytes]))
      }),
    )
  })
}

export function repliesAreHeard(sample: ClientSample): void {
  const { dialect, ears } = sample.client

  test('what a client is told it hears, streamed or plain', () => {
    fc.assert(
      fc.property(replies(sample.upstream?.opaque), (reply) => {
        const plain = ears.plain(asJson(dialect.encodeReply(reply, clientContext())))
        const streamed = ears.stream(Buffer.from(encodeAll(dialect, unfoldReply(reply), clientContext())))
        expect(comparable(sample, plain)).toEqual(comparable(sample, reply))
        expect(comparable(sample, streamed)).toEqual(comparable(sample, reply))
      }),
    )
  })
}

/** Ways to write the same stream that the framing allows, alone or together. */
const SPELLINGS: Readonly<Partial<Record<Framing, readonly ((text: string) => string)[]>>> = {
  sse: [
    (text) => text.replaceAll('\n', '\r\n'),
    (text) => text.replaceAll('\n', '\r'),
    (text) => text.replaceAll('\n\n', '\n\n: OPENROUTER PROCESSING\n\n'),
    (text) => text.replaceAll('data: ', 'data:'),
    (text) => text.replaceAll(/^data: /gm, 'id: 1\nretry: 3000\ndata: '),
    (text) => `\uFEFF${text}`,
  ],
  ndjson: [(text) => text.replaceAll('\n', '\r\n'), (text) => text.replaceAll('\n', '\n\n')],
}

export function spellingsMeanTheSame(sample: UpstreamSample): void {
  const { dialect, vendor, opaque, voice } = sample.upstream
  const spellings = SPELLINGS[dialect.framing]
  if (spellings === undefined) return

  test('line ends, comments, spaces and a byte order mark change nothing, wherever the bytes are cut', () => {
    const eventsOf = (chunks: readonly Uint8Array[]): readonly ChatEvent[] =>
      decodeAll(dialect, framesOf(dialect.framing, ...chunks), replyContext(vendor)).filter(
        ({ type }) => type !== 'ping',
      )
    fc.assert(
      fc.property(replies(opaque), fc.constantFrom(...spellings), PLACES, (reply, spell, places) => {
        const bytes = voice.stream(reply)
        const spelled = Buffer.from(spell(Buffer.from(bytes).toString('utf8')))
        expect(eventsOf(cutAt(spelled, places))).toEqual(eventsOf([bytes]))
      }),
    )
  })
}
