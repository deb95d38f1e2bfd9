/** What official libraries ask beside chats, and what they leave to a server to remember. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Anthropic } from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { NotFoundError, OpenAI } from 'openai'
import { UPSTREAMS } from '../dialects/samples/index.ts'
import { Bench, type Connection, NOWHERE, START_MS_MAX } from './bench.ts'
import { LIBRARIES } from './libraries/index.ts'
import { say, text } from './vendors.ts'

let bench: Bench
const connections: Connection[] = []
beforeAll(async () => {
  bench = await Bench.open()
  for (const vendor of UPSTREAMS) connections.push(await bench.connect(vendor))
}, START_MS_MAX)
afterAll(() => bench?.[Symbol.asyncDispose]())

function connectionOf(id: string): Connection {
  const connection = connections.find(({ vendor }) => vendor.id === id)
  if (connection === undefined) throw new Error(`${id} is not played`)
  return connection
}

for (const libraryOf of LIBRARIES) {
  const { name, lacks } = libraryOf(NOWHERE)
  if (lacks.models === undefined)
    test(`${name} lists the models of all providers, in as many pages as it likes`, async () => {
      const listed = await libraryOf(bench.site('demo/echo')).models?.()
      for (const { model } of connections) expect(listed).toContain(model)
      expect(new Set(listed).size).toBe(listed?.length ?? 0)
    })

  if (lacks.countTokens === undefined)
    test(`${name} counts tokens: more for more`, async () => {
      const library = libraryOf(bench.site(connectionOf('openai-chat').model))
      const [few = 0, many = 0] = [
        await library.countTokens?.('hello'),
        await library.countTokens?.('hello '.repeat(99)),
      ]
      expect(few).toBeGreaterThan(0)
      expect(many).toBeGreaterThan(few)
    })
}

describe('a key is taken in every place where a library puts it:', () => {
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const ask = (client: Anthropic) => client.messages.create({ model: 'demo/echo', max_tokens: 9, messages })

  test('as Anthropic’s key and as its token', async () => {
    const key = new Anthropic({ baseURL: bench.url, apiKey: bench.secret })
    const token = new Anthropic({ baseURL: bench.url, authToken: bench.secret, apiKey: null })
    for (const client of [key, token]) expect((await ask(client)).role).toBe('assistant')
  })

  test('as Google’s, under each version of its API', async () => {
    for (const apiVersion of ['v1', 'v1beta']) {
      const client = new GoogleGenAI({ apiKey: bench.secret, apiVersion, httpOptions: { baseUrl: bench.url } })
      const { text: said } = await client.models.generateContent({ model: 'demo/echo', contents: 'hello' })
      expect(said).toContain('hello')
    }
  })
})

for (const vendor of UPSTREAMS) {
  for (const streams of [true, false]) {
    const how = streams ? 'streamed' : 'plain'
    test(`a message thread of @anthropic-ai/sdk → ${vendor.id}, ${how}: nothing said before is missing`, async () => {
      const connection = connectionOf(vendor.id)
      const { played, model } = connection
      const client = new Anthropic({ baseURL: bench.url, apiKey: bench.secret, maxRetries: 0 })
      const thread = client.beta.messages.thread({ model, max_tokens: 99, system: 'Be brief.' })
      for (const question of ['My name is Ada.', 'What is my name?', 'And backwards?']) {
        played.play(say(connection, text(`Heard: ${question}`), streams))
        const turn = { role: 'user' as const, content: question }
        const said = streams ? await thread.stream(turn).finalMessage() : await thread.send(turn)
        expect(said.content).toMatchObject([{ type: 'text', text: `Heard: ${question}` }])
      }
      const sent = played.requests.at(-1)?.text() ?? ''
      for (const words of ['Be brief.', 'My name is Ada.', 'Heard: What is my name?', 'And backwards?'])
        expect(sent).toContain(words)
    })
  }
}

describe('responses that are kept', () => {
  const client = (): OpenAI => new OpenAI({ baseURL: `${bench.url}/v1`, apiKey: bench.secret, maxRetries: 0 })

  for (const vendor of UPSTREAMS.filter(({ id }) => id !== 'openai-responses')) {
    for (const streams of [true, false]) {
      test(`→ ${vendor.id}, ${streams ? 'streamed' : 'plain'}: gone on from, read again, and forgotten`, async () => {
        const connection = connectionOf(vendor.id)
        const { played, model } = connection
        const { responses } = client()
        const ask = async (input: string, previous_response_id: string | null): Promise<OpenAI.Responses.Response> => {
          played.otherwise(say(connection, text(`Heard: ${input}`), streams))
          const request = { model, input, previous_response_id }
          return streams ? responses.stream(request).finalResponse() : responses.create(request)
        }
        const first = await ask('My name is Ada.', null)
        const second = await ask('What is my name?', first.id)
        const sent = played.requests.at(-1)?.text() ?? ''
        for (const words of ['My name is Ada.', 'Heard: My name is Ada.', 'What is my name?'])
          expect(sent).toContain(words)
        expect(second.previous_response_id).toBe(first.id)
        expect(second.output).toMatchObject((await responses.retrieve(second.id)).output)
        expect((await responses.inputItems.list(second.id)).data.length).toBeGreaterThan(0)
        await responses.delete(second.id)
        for (const gone of [() => responses.retrieve(second.id), () => ask('Still there?', second.id)])
          await expect((async () => gone())()).rejects.toBeInstanceOf(NotFoundError)
      })
    }
  }

  test('→ openai-responses: asked of the provider that keeps them', async () => {
    const connection = connectionOf('openai-responses')
    const { played, model } = connection
    const { responses } = client()
    played.play(say(connection, text('Hi, Ada.'), false))
    const { id } = await responses.create({ model, input: 'My name is Ada.' })
    played.play(say(connection, text('Ada.'), false))
    await responses.create({ model, input: 'What is my name?', previous_response_id: id })
    expect(played.requests.at(-1)?.json()).toMatchObject({ previous_response_id: id, input: 'What is my name?' })
    played.play(say(connection, text('Hi, Ada.'), false))
    expect((await responses.retrieve(id)).output_text).toBe('Hi, Ada.')
    expect(played.requests.at(-1)).toMatchObject({ method: 'GET', path: `/v1/responses/${id}` })
    played.play(say(connection, text(''), false))
    await responses.delete(id)
    expect(played.requests.at(-1)).toMatchObject({ method: 'DELETE', path: `/v1/responses/${id}` })
  })
})
