import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { GoogleGenAI } from '@google/genai'
import * as fc from 'fast-check'
import { foldEvents, unfoldReply } from '../../../src/dialects/answer/fold.ts'
import { gemini, geminiArray } from '../../../src/dialects/gemini/index.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { exchangesOf } from '../exchanges.ts'
import { clientContext, replyContext } from '../samples/wire.ts'
import { cutsOf, decodeAll, encodeAll, folded, framesOf } from '../streams.ts'

const CONTEXT = replyContext('google')

function decodeChunks(chunks: readonly Uint8Array[]) {
  return decodeAll(gemini, framesOf('sse', ...chunks), CONTEXT)
}

/** What a client is told: the model as it wrote it. */
function shown(reply: ChatReply): ChatReply {
  return { ...reply, model: 'some/model' }
}

/** What the vendor counts beside the prompt, and that it searched, has no place of its own in what clients get. */
function heard(reply: ChatReply): ChatReply {
  return { ...shown(reply), usage: { ...reply.usage, webSearches: 0 } }
}

let body = ''
let server: Bun.Server<undefined>
let client: GoogleGenAI
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const type = url.includes('alt=sse') ? 'text/event-stream' : 'application/json'
      return new Response(body, { headers: { 'content-type': type } })
    },
  })
  client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: `http://127.0.0.1:${server.port}` } })
})
afterAll(() => server.stop(true))

describe('documented exchanges', () => {
  for (const { name, request, stream, reply, neutral } of exchangesOf('gemini')) {
    test(`${name}: the request is understood`, () => {
      const decoded = gemini.decodeRequest(request, new Headers())
      expect(decoded.ok && decoded.value.unknownFields).toEqual([])
    })

    test(`${name}: the stream folds to its neutral reply`, () => {
      expect(foldEvents(decodeChunks([stream]))).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: the plain reply decodes to the same`, () => {
      expect(gemini.decodeReply(reply, CONTEXT)).toEqual({ ok: true, value: neutral })
    })

    test(`${name}: where the network cuts the bytes never matters`, () => {
      const whole = decodeChunks([stream])
      fc.assert(fc.property(cutsOf(stream), (chunks) => expect(decodeChunks(chunks)).toEqual(whole)))
      expect(decodeChunks([...stream].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
    })

    test(`${name}: rendered for a client and read again it is the same reply, as events or as an array`, () => {
      const told = decodeChunks([stream])
      const asEvents = Buffer.from(encodeAll(gemini, told, clientContext()))
      const asArray = Buffer.from(encodeAll(geminiArray, told, clientContext()))
      expect(folded(decodeChunks([asEvents]))).toEqual(heard(neutral))
      expect(folded(decodeAll(gemini, framesOf('json-array', asArray), CONTEXT))).toEqual(heard(neutral))
      expect(Array.isArray(JSON.parse(asArray.toString()))).toBe(true)
    })

    test(`${name}: the official client reads the rendered stream and the rendered reply alike`, async () => {
      body = encodeAll(gemini, unfoldReply(neutral), clientContext())
      const streamed = []
      const asked = { model: 'm', contents: 'x' }
      for await (const chunk of await client.models.generateContentStream(asked)) streamed.push(chunk)
      body = JSON.stringify(gemini.encodeReply(neutral, clientContext()))
      const plain = await client.models.generateContent(asked)
      const parts = streamed.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
      const said = parts.filter((part) => part.text !== '' || part.thoughtSignature !== undefined)
      expect(said).toEqual(plain.candidates?.[0]?.content?.parts ?? [])
      expect(streamed.at(-1)?.candidates?.[0]?.finishReason).toBe(plain.candidates?.[0]?.finishReason as never)
      expect(streamed.at(-1)?.usageMetadata).toEqual(plain.usageMetadata)
      expect(streamed.at(-1)?.candidates?.[0]?.groundingMetadata).toEqual(
        plain.candidates?.[0]?.groundingMetadata as never,
      )
    })
  }
})
