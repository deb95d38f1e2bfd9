/** The odds of a text's words reach a client that asked for them, from every format that has them to every other one. */
import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { ChatReply, TokenOdds } from '../../../src/dialects/neutral.ts'
import { ollamaSample } from '../samples/ollama.ts'
import { chat } from '../samples/openai-chat.ts'
import { responses } from '../samples/openai-responses.ts'
import { asJson, clientContext, replyContext } from '../samples/wire.ts'
import { decodeAll, encodeAll, folded, framesOf } from '../streams.ts'

const ODDS: readonly TokenOdds[] = [
  {
    token: 'Hé',
    logprob: -0.5,
    bytes: [72, 195, 169],
    alternatives: [{ token: 'Ho', logprob: -1.25, bytes: [72, 111] }],
  },
  { token: '!', logprob: 0, bytes: [33], alternatives: [] },
]
const REPLY: ChatReply = {
  parts: [{ type: 'text', text: 'Hé!', odds: ODDS }],
  finish: { reason: 'stop' },
  usage: { ...NO_USAGE, inputUncached: 1, output: 2 },
}
const SPEAKERS = [chat, responses, ollamaSample] as const

for (const { id, client, upstream } of SPEAKERS) {
  describe(id, () => {
    const { dialect } = upstream
    const context = replyContext(upstream.vendor)

    test('a plain answer keeps them', () => {
      const wire = asJson(client.dialect.encodeReply(REPLY, clientContext()))
      const heard = dialect.decodeReply(wire, context)
      expect(heard.ok && heard.value.parts).toEqual([{ type: 'text', text: 'Hé!', odds: ODDS }])
    })

    test('so does a stream', () => {
      const events = decodeAll(dialect, framesOf(dialect.framing, upstream.voice.stream(REPLY)), context)
      const shown = encodeAll(client.dialect, events, clientContext())
      expect(client.ears.stream(Buffer.from(shown)).parts).toEqual([{ type: 'text', text: 'Hé!', odds: ODDS }])
    })
  })
}

/** Chunks as OpenAI streams them: the odds of each piece beside it. */
function chunk(delta: JsonObject, content?: readonly JsonObject[]): string {
  const logprobs = content === undefined ? null : { content, refusal: null }
  return `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, logprobs, finish_reason: null }] })}\n\n`
}

const STOP = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

function heardOf(stream: string): ChatReply {
  return folded(decodeAll(chat.upstream.dialect, framesOf('sse', Buffer.from(stream)), replyContext('acme')))
}

test('the odds that come with each piece of a stream are those of the whole text, in order', () => {
  const piece = (token: string) => ({ token, logprob: -1, bytes: null, top_logprobs: [] })
  const stream = chunk({ content: 'a' }, [piece('a')]) + chunk({ content: 'b' }, [piece('b')]) + STOP
  expect(heardOf(stream).parts).toMatchObject([{ text: 'ab', odds: [{ token: 'a' }, { token: 'b' }] }])
})

test('what is no token has no odds, and thinking has none either', () => {
  const odd = [{ token: 7 }, { logprob: -1 }, { token: 'x', logprob: 'low' }]
  const stream =
    chunk({ reasoning_content: 'hm' }, [{ token: 'hm', logprob: -1 }]) + chunk({ content: 'a' }, odd) + STOP
  const [, said] = heardOf(stream).parts
  expect(said).toEqual({ type: 'text', text: 'a' })
})
