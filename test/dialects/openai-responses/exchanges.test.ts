import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import OpenAI from 'openai'
import type { JsonObject } from '../../../src/core/json.ts'
import { foldEvents } from '../../../src/dialects/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { encodeReply } from '../../../src/dialects/openai-responses/reply-encode.ts'
import { decodeRequest } from '../../../src/dialects/openai-responses/request-decode.ts'
import { decodeReply } from '../../../src/dialects/openai-responses/stream-decode.ts'
import { clientContext, decode, decodeChunks, render, replyContext } from './support.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/openai-responses')
const NAMES = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

function json(name: string, file: string): JsonObject {
  return JSON.parse(readFileSync(join(FIXTURES, name, file), 'utf8'))
}

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

for (const name of NAMES) {
  const stream = readFileSync(join(FIXTURES, name, 'stream.txt'))
  const neutral = json(name, 'neutral.json') as unknown as ChatReply

  test(`${name}: the stream folds to its neutral reply`, () => {
    expect(foldEvents(decode(stream.toString()))).toEqual({ ok: true, value: neutral })
  })

  test(`${name}: the plain reply decodes to the same`, () => {
    expect(decodeReply(json(name, 'reply.json'), replyContext())).toEqual({ ok: true, value: neutral })
  })

  test(`${name}: where the network cuts the bytes never matters`, () => {
    const whole = decodeChunks([stream])
    const places = fc.array(fc.nat(stream.length), { maxLength: 20 })
    fc.assert(
      fc.property(places, (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
        const chunks = edges.slice(1).map((end, index) => stream.subarray(edges[index], end))
        expect(decodeChunks(chunks)).toEqual(whole)
      }),
    )
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
    const original = json(name, 'reply.json')
    for (const response of [streamed, plain]) {
      expect(response.status).toBe(original['status'] as never)
      expect(response.output.map(({ type }) => type)).toEqual(
        (original['output'] as readonly { type: never }[]).map(({ type }) => type),
      )
    }
    expect(streamed.output_text).toBe(plain.output_text)
  })

  test(`${name}: the request is understood`, () => {
    const request = decodeRequest(json(name, 'request.json'))
    expect(request.ok && request.value.unknownFields).toEqual([])
  })
}
