import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import OpenAI from 'openai'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { encodeReply } from '../../../src/dialects/openai-responses/reply-encode.ts'
import { decodeRequest } from '../../../src/dialects/openai-responses/request-decode.ts'
import { decodeReply } from '../../../src/dialects/openai-responses/stream-decode.ts'
import { exchangesOf } from '../exchanges.ts'
import { cutsOf } from '../streams.ts'
import { clientContext, decode, decodeChunks, render, replyContext } from './support.ts'

/** What a client is told besides: the model as it wrote it. */
function shown(reply: ChatReply): object {
  const { id: _, ...rest } = reply
  return { ...rest, model: 'openai/gpt-6' }
}

/** What the official client makes of `body`. */
let body = ''
let server: Bun.Server<undefined>
let client: OpenAI

beforeAll(() => {
  const reply = (type: string) => new Response(body, { headers: { 'content-type': type } })
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { stream } = (await request.json()) as { stream?: boolean }
      return reply(stream === true ? 'text/event-stream' : 'application/json')
    },
  })
  client = new OpenAI({ apiKey: 'test', baseURL: `http://127.0.0.1:${server.port}/v1`, maxRetries: 0 })
})
afterAll(() => server.stop(true))

for (const { name, stream, request, reply, neutral } of exchangesOf('openai-responses')) {
  test(`${name}: the stream folds to its neutral reply`, () => {
    expect(foldEvents(decode(stream.toString()))).toEqual({ ok: true, value: neutral })
  })

  test(`${name}: the plain reply decodes to the same`, () => {
    expect(decodeReply(reply, replyContext())).toEqual({ ok: true, value: neutral })
  })

  test(`${name}: where the network cuts the bytes never matters`, () => {
    const whole = decodeChunks([stream])
    fc.assert(fc.property(cutsOf(stream), (chunks) => expect(decodeChunks(chunks)).toEqual(whole)))
    expect(decodeChunks([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  test(`${name}: rendered for a client and read again it is the same reply`, () => {
    const again = foldEvents(decode(render(decode(stream.toString()))))
    expect(again.ok && shown(again.value)).toEqual(shown(neutral))
  })

  test(`${name}: the official client reads the rendered stream and the rendered reply alike`, async () => {
    body = render(decode(stream.toString()))
    const streamed = await client.responses.stream({ model: 'm', input: 'x' }).finalResponse()
    body = JSON.stringify(encodeReply(neutral, clientContext()))
    const plain = await client.responses.create({ model: 'm', input: 'x' })
    for (const response of [streamed, plain]) {
      expect(response.status).toBe(reply['status'] as never)
      expect(response.output.map(({ type }) => type)).toEqual(
        (reply['output'] as readonly { type: never }[]).map(({ type }) => type),
      )
    }
    expect(streamed.output_text).toBe(plain.output_text)
  })

  test(`${name}: the request is understood`, () => {
    const decoded = decodeRequest(request)
    expect(decoded.ok && decoded.value.unknownFields).toEqual([])
  })
}
