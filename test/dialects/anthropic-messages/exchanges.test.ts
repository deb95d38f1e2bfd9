import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { cutsOf } from '../streams.ts'
import { clientContext, decodeStream, decodeText, encodeStream, exchanges, replyContext } from './support.ts'

describe('documented exchanges', () => {
  for (const { name, stream, reply, neutral } of exchanges()) {
    test(`${name}: the stream folds to its neutral reply`, () => {
      expect(foldEvents(decodeStream([stream]))).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: the plain reply decodes to the same, but for the spacing of arguments`, () => {
      const decoded = anthropicMessages.decodeReply(reply, replyContext())
      expect(decoded).toEqual({ ok: true, value: compactArguments(neutral) })
    })

    test(`${name}: where the network cuts the bytes never matters`, () => {
      const whole = decodeStream([stream])
      fc.assert(fc.property(cutsOf(stream), (chunks) => expect(decodeStream(chunks)).toEqual(whole)))
      expect(decodeStream([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
    })

    test(`${name}: rendered for a client and read again it is the same reply`, () => {
      const rendered = encodeStream(decodeStream([stream]))
      expect(foldEvents(decodeText(rendered))).toEqual({ ok: true, value: shown(neutral) })
    })

    test(`${name}: plain and streamed answers to a client say the same`, () => {
      const plain = anthropicMessages.encodeReply(neutral, clientContext())
      const streamed = foldEvents(decodeText(encodeStream(unfoldReply(neutral))))
      const read = anthropicMessages.decodeReply(plain, replyContext())
      expect(read).toEqual(streamed.ok ? { ok: true, value: compactArguments(streamed.value) } : streamed)
    })
  }
})

/** Arguments as a plain reply carries them: an object, so their spacing is lost and `{}` is no text. */
function compactArguments(reply: ChatReply): ChatReply {
  const parts = reply.parts.map((part) => {
    if (part.type !== 'tool-call' || part.argumentsText === '') return part
    return { ...part, argumentsText: JSON.stringify(JSON.parse(part.argumentsText)) }
  })
  return { ...reply, parts }
}

/** What a client is told besides: the model as it wrote it, and a tier, which it expects to see. */
function shown(reply: ChatReply): ChatReply {
  return { ...reply, model: 'my-alias', usage: { tier: 'standard', ...reply.usage } }
}
