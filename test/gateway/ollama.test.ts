/** Ollama's own client, pinned, against a listening gateway: passed through to Ollama, translated to others. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ChatRequest, type ChatResponse, type Message, Ollama } from 'ollama'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream, text } from '../support/plays.ts'
import type { PlayedRequest } from '../support/provider.ts'
import { anthropicReply, anthropicStream, chatReply, chatStream, sseFrame } from '../support/provider-bodies.ts'

const OLLAMA = 'ollama/qwen3'
const ANTHROPIC = 'anthropic/claude-sonnet-4-5'
const OPENAI = 'openai/gpt-4.1'
const NDJSON = { 'content-type': 'application/x-ndjson' }
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'd',
    parameters: { type: 'object', properties: { city: { type: 'string', description: 'd' } }, required: ['city'] },
  },
}

let app: TestApp
let url: string
let client: Ollama
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1, ollama: 1, openai: 1 }, skills: ['Speak plainly.'] })
  url = await app.listen()
  client = new Ollama({ host: url, headers: { Authorization: `Bearer ${app.key.secret}` } })
})
afterAll(() => app[Symbol.asyncDispose]())

const played = (provider: string) => app.upstream(provider).played
const asked = (provider: string): PlayedRequest => {
  const request = played(provider).requests.at(-1)
  if (request === undefined) throw new Error(`${provider} was not asked`)
  return request
}
const user = (content: string): Message => ({ role: 'user', content })

function fixture(dialect: string, exchange: string, file: string): string {
  return readFileSync(join(import.meta.dir, '..', 'fixtures', dialect, exchange, file), 'utf8')
}

interface Heard {
  readonly content: string
  readonly thinking: string
  readonly calls: readonly { readonly name: string; readonly arguments: object }[]
  readonly last: ChatResponse
  readonly message: Message
}

/** What the client makes of a conversation, streamed or plain. */
async function ask(request: Omit<ChatRequest, 'stream'>, isStream: boolean): Promise<Heard> {
  const parts: ChatResponse[] = []
  if (isStream) for await (const part of await client.chat({ ...request, stream: true })) parts.push(part)
  else parts.push(await client.chat({ ...request, stream: false }))
  const last = parts.at(-1)
  if (last === undefined) throw new Error('nothing was said')
  const calls = parts.flatMap(({ message }) => message.tool_calls ?? [])
  const content = parts.map(({ message }) => message.content).join('')
  const thinking = parts.map(({ message }) => message.thinking ?? '').join('')
  return {
    content,
    thinking,
    calls: calls.map(({ function: { name, arguments: sent } }) => ({ name, arguments: sent })),
    last,
    message: { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
  }
}

describe('with a server of Ollama', () => {
  test('a stream comes back byte for byte, and the request goes on as it was written', async () => {
    const bytes = fixture('ollama', 'tool-call', 'stream.txt').replace('"done":false}', '"done":false , "x":1.0}')
    played('ollama').play(stream([bytes], NDJSON))
    const sent = `{"model":"${OLLAMA}", "options":{"num_ctx":8192,"temperature":1.0},"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}],"keep_alive":-1}`
    const answer = await app.request('/api/chat', { body: sent })
    expect(await answer.text()).toBe(bytes)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(asked('ollama').path).toBe('/api/chat')
    expect(asked('ollama').text()).toBe(
      sent.replace(OLLAMA, 'qwen3').replace('Be brief.', 'Be brief.\\n\\nSpeak plainly.'),
    )
    expect((await app.rows()).at(-1)).toMatchObject({ endpoint: 'ollama', dialect_in: 'ollama', dialect_out: 'ollama' })
  })

  test('a plain reply comes back byte for byte, and its counters are written down', async () => {
    const bytes = fixture('ollama', 'thinking', 'reply.json')
    played('ollama').play(text(bytes, 200, { 'content-type': 'application/json; charset=utf-8' }))
    const body = { model: OLLAMA, stream: false, messages: [user('hi')] }
    const answer = await app.request('/api/chat', { body })
    expect(await answer.text()).toBe(bytes)
    expect((await app.rows()).at(-1)).toMatchObject({ status: 'ok', tokens: { input_uncached: 9, output: 40 } })
  })

  test('a prompt goes to the endpoint for prompts', async () => {
    const last = { model: 'qwen3', response: '', done: true, done_reason: 'stop', eval_count: 3, prompt_eval_count: 2 }
    const lines = [{ model: 'qwen3', response: 'Hello', done: false }, last].map((line) => `${JSON.stringify(line)}\n`)
    played('ollama').play(stream(lines, NDJSON))
    let said = ''
    for await (const part of await client.generate({ model: OLLAMA, prompt: 'hi', raw: true, stream: true }))
      said += part.response
    expect(said).toBe('Hello')
    expect(asked('ollama').path).toBe('/api/generate')
    expect(asked('ollama').json()).toMatchObject({ model: 'qwen3', prompt: 'hi', raw: true, system: 'Speak plainly.' })
  })

  test('a model that was never pulled is not found, in the words of the server', async () => {
    const said = { error: 'model "nobody" not found, try pulling it first' }
    played('ollama').play(json(said, 404))
    const failed = client.chat({ model: 'ollama/nobody', messages: [user('hi')] })
    await expect(failed).rejects.toMatchObject({ status_code: 404 })
  })

  test('an error inside a stream ends it', async () => {
    const first = { model: 'qwen3', message: { role: 'assistant', content: 'Hel' }, done: false }
    played('ollama').play(stream([`${JSON.stringify(first)}\n`, '{"error":"llama runner crashed"}\n'], NDJSON))
    await expect(ask({ model: OLLAMA, messages: [user('hi')] }, true)).rejects.toThrow('The provider failed to answer.')
  })

  test('a stream that breaks off is no whole answer', async () => {
    const first = { model: 'qwen3', message: { role: 'assistant', content: 'Hel' }, done: false }
    played('ollama').play(stream([`${JSON.stringify(first)}\n`]))
    await expect(ask({ model: OLLAMA, messages: [user('hi')] }, true)).rejects.toThrow('before its answer was complete')
  })
})

interface Upstream {
  readonly provider: string
  readonly model: string
  reply(): ReturnType<typeof json>
  stream(): ReturnType<typeof json>
}

const BY_ANTHROPIC: Upstream = {
  provider: 'anthropic',
  model: ANTHROPIC,
  reply: () => json(anthropicReply('Hello 😀')),
  stream: () => stream(anthropicStream(['Hello', ' 😀'])),
}
const BY_CHAT: Upstream = {
  provider: 'openai',
  model: OPENAI,
  reply: () => json(chatReply('Hello 😀')),
  stream: () => stream(chatStream(['Hello', ' 😀'])),
}

for (const by of [BY_ANTHROPIC, BY_CHAT]) {
  describe(`with a provider of another format (${by.provider})`, () => {
    const play = (isStream: boolean) => played(by.provider).play(isStream ? by.stream() : by.reply())

    for (const isStream of [false, true]) {
      test(`a chat, ${isStream ? 'streamed' : 'plain'}: text, counters and the model as it was asked for`, async () => {
        play(isStream)
        const { content, last } = await ask({ model: by.model, messages: [user('hi')] }, isStream)
        expect(content).toBe('Hello 😀')
        expect(last).toMatchObject({ model: by.model, done: true, done_reason: 'stop' })
        expect(last).toMatchObject({ prompt_eval_count: 10, eval_count: 5 })
        expect(Number.isInteger(last.total_duration)).toBe(true)
        expect(asked(by.provider).text()).toContain('Speak plainly.')
      })

      test(`a prompt, ${isStream ? 'streamed' : 'plain'}`, async () => {
        play(isStream)
        const request = { model: by.model, prompt: 'hi', system: 'Be brief.' }
        let said = ''
        if (isStream)
          for await (const part of await client.generate({ ...request, stream: true })) said += part.response
        else said = (await client.generate({ ...request, stream: false })).response ?? ''
        expect(said).toBe('Hello 😀')
        expect(asked(by.provider).text()).toContain('Be brief.\\n\\nSpeak plainly.')
      })
    }

    test('an image arrives with its type', async () => {
      play(false)
      await ask({ model: by.model, messages: [{ ...user('What is it?'), images: [PNG] }] }, false)
      const sent = asked(by.provider).text()
      expect(sent).toContain(PNG)
      expect(sent).toContain('image/png')
    })

    test('options become what the provider knows, and those of the machine are listed as dropped', async () => {
      play(false)
      const options = { temperature: 0, num_predict: 77, num_ctx: 9_000, stop: ['END'] }
      const body = { model: by.model, stream: false, messages: [user('hi')], options, keep_alive: '5m' }
      const answer = await app.request('/api/chat', { body })
      expect(answer.headers.get('x-gateway-dropped')?.split(',').toSorted()).toEqual(['keep_alive', 'options.num_ctx'])
      const sent = asked(by.provider).text()
      for (const part of ['"temperature":0', ':77', '["END"]']) expect(sent).toContain(part)
    })

    test('an error before the answer is a status and a sentence', async () => {
      played(by.provider).play(json({ error: { type: 'invalid_request_error', message: 'so it is' } }, 400))
      const answer = await app.ask('/api/chat', { body: { model: by.model, messages: [user('hi')] } })
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('so it is') } })
    })

    test('what only Ollama can do is refused, naming the field', async () => {
      const answer = await app.ask('/api/generate', { body: { model: by.model, prompt: 'hi', raw: true } })
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('raw') } })
    })
  })
}

describe('tools', () => {
  for (const isStream of [false, true]) {
    test(`two turns with Anthropic, ${isStream ? 'streamed' : 'plain'}: the call's id comes back on the result`, async () => {
      const file = isStream ? 'stream.txt' : 'reply.json'
      const told = fixture('anthropic-messages', 'tool-use', file)
      played('anthropic').play(isStream ? stream([told]) : text(told, 200, { 'content-type': 'application/json' }))
      const question = user('What is the weather in San Francisco?')
      const request = { model: ANTHROPIC, messages: [question], tools: [WEATHER] }
      const { calls, message, last } = await ask(request, isStream)
      expect(calls).toEqual([{ name: 'get_weather', arguments: expect.objectContaining({}) }])
      expect(last.done_reason).toBe('stop')
      const id = /"id":\s*"(toolu_\w+)"/.exec(told)?.[1] ?? 'none'
      played('anthropic').play(json(anthropicReply('Warm.')))
      const result: Message = { role: 'tool', tool_name: 'get_weather', content: '15 degrees' }
      await ask({ ...request, messages: [question, message, result] }, false)
      const { messages } = asked('anthropic').json<{ messages: { role: string; content: object[] }[] }>()
      expect(messages[1]?.content.at(-1)).toMatchObject({ type: 'tool_use', id, name: 'get_weather' })
      expect(messages[2]?.content[0]).toMatchObject({ type: 'tool_result', tool_use_id: id })
    })

    test(`parallel calls of OpenAI, ${isStream ? 'streamed' : 'plain'}: each whole, in order, results paired by name`, async () => {
      const told = fixture('openai-chat', 'parallel-tools', isStream ? 'stream.txt' : 'reply.json')
      played('openai').play(isStream ? stream([told]) : text(told, 200, { 'content-type': 'application/json' }))
      const request = { model: OPENAI, messages: [user('Weather and time?')], tools: [WEATHER] }
      const { calls, message } = await ask(request, isStream)
      expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'get_weather', 'get_time'])
      expect(calls.at(-1)?.arguments).toEqual({})
      played('openai').play(json(chatReply('Done.')))
      const results = ['get_time', 'get_weather', 'get_weather'].map((name, index): Message => ({
        role: 'tool',
        tool_name: name,
        content: `result ${index}`,
      }))
      // Clients that keep no ids.
      const bare = {
        ...message,
        tool_calls: message.tool_calls?.map((call) => ({ function: call.function })),
      } as Message
      await ask({ ...request, messages: [...request.messages, bare, ...results] }, false)
      const { messages } = asked('openai').json<{ messages: { tool_call_id?: string; content: string }[] }>()
      expect(messages.filter((each) => each.tool_call_id !== undefined)).toMatchObject([
        { tool_call_id: 'call_0', content: 'result 1' },
        { tool_call_id: 'call_1', content: 'result 2' },
        { tool_call_id: 'call_2', content: 'result 0' },
      ])
    })
  }
})

describe('thinking and format', () => {
  test('thinking is asked for and shown beside the text', async () => {
    const told = fixture('anthropic-messages', 'thinking-interleaved', 'stream.txt')
    played('anthropic').play(stream([told]))
    const { thinking } = await ask({ model: ANTHROPIC, messages: [user('27 * 453?')], think: 'high' }, true)
    expect(thinking).toContain('27 * 453 = 12231')
    expect(asked('anthropic').json()).toMatchObject({ thinking: { type: 'enabled' } })
  })

  test('a schema becomes the format of the provider, and "json" its JSON mode', async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
    played('openai').play(json(chatReply('{"age":1}')), json(chatReply('{}')))
    await ask({ model: OPENAI, messages: [user('JSON?')], format: schema }, false)
    expect(asked('openai').json()).toMatchObject({ response_format: { json_schema: { schema } } })
    await ask({ model: OPENAI, messages: [user('JSON?')], format: 'json' }, false)
    expect(asked('openai').json()).toMatchObject({ response_format: { type: 'json_object' } })
  })
})

describe('other routes', () => {
  test('the models that the key may use are listed with what they can do', async () => {
    const { models } = await client.list()
    const found = models.find(({ name }) => name === 'anthropic/claude-haiku-4-5')
    expect(found).toMatchObject({
      model: found?.name,
      capabilities: ['completion', 'tools', 'vision', 'thinking'],
    } as object)
    expect(models.map(({ name }) => name)).toContain('demo/echo')
  })

  test('one model is shown, by its full name and by its bare one', async () => {
    for (const model of ['anthropic/claude-haiku-4-5', 'claude-haiku-4-5']) {
      const shown = await client.show({ model })
      expect(shown.capabilities).toContain('vision')
      expect(shown.model_info as unknown).toMatchObject({ 'general.architecture': 'anthropic' })
    }
    await expect(client.show({ model: 'nobody/nothing' })).rejects.toMatchObject({ status_code: 404 })
  })

  test('the version is one that clients accept', async () => {
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  const REFUSED: readonly (readonly [path: string, method: string, status: number])[] = [
    ['/api/embed', 'POST', 404],
    ['/api/embeddings', 'POST', 404],
    ['/api/pull', 'POST', 404],
    ['/api/ps', 'GET', 404],
    ['/api/tags', 'POST', 405],
    ['/api/chat', 'GET', 405],
  ]
  for (const [path, method, status] of REFUSED) {
    test(`${method} ${path} is ${status} with a sentence that names it`, async () => {
      const answer = await app.ask(path, { method, ...(method === 'POST' ? { body: {} } : {}) })
      expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(path) } })
    })
  }

  test('the probe of another client stays', async () => {
    expect((await app.request('/api/hello')).status).toBe(200)
  })

  test('a wrong key is refused in the same form', async () => {
    const answer = await app.ask('/api/tags', { headers: { authorization: 'Bearer wrong' } })
    expect(answer).toMatchObject({ status: 401, body: { error: expect.stringContaining('not valid') } })
  })

  test('a key that may not use the endpoint is refused', async () => {
    await using narrow = await makeApp({ accounts: {}, key: { endpoints_allow: ['chat'] } })
    for (const path of ['/api/tags', '/api/version']) expect((await narrow.ask(path)).status).toBe(403)
    const body = { model: 'demo/echo', messages: [user('hi')] }
    expect((await narrow.ask('/api/chat', { body })).status).toBe(403)
  })
})

describe('a client that waits and one that leaves', () => {
  test('an answer that is late begins with white space, which the client does not notice', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    played('anthropic').play(async (stage) => {
      await promise
      await stream(anthropicStream(['Hello']))(stage)
    })
    const seen = played('anthropic').requests.length
    const answer = fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { 'x-api-key': app.key.secret },
      body: JSON.stringify({ model: ANTHROPIC, messages: [user('hi')] }),
    })
    await played('anthropic').request(seen)
    app.clock.advance(15_100)
    const { body, status } = await answer
    const reader = body?.getReader()
    const first = await reader?.read()
    expect({ status, first: new TextDecoder().decode(first?.value) }).toEqual({ status: 200, first: ' ' })
    resolve()
    let rest = ''
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      rest += new TextDecoder().decode(piece.value)
    expect(
      rest
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .at(-1),
    ).toMatchObject({ done: true })
  })

  test('white space between and before lines is no news for the official client', async () => {
    const line = (content: string, done: boolean) =>
      `  ${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done })}\n`
    played('ollama').play(stream([line('a', false), line('', true)], NDJSON))
    expect((await ask({ model: OLLAMA, messages: [user('hi')] }, true)).content).toBe('a')
  })

  test('the provider is let go when the client aborts', async () => {
    const told = anthropicStream(['Hello', ' you'])
    const until = told.findIndex((event) => event.includes('Hello')) + 1
    played('anthropic').play(stream([...told.slice(0, until), 'silence']))
    const answer = await client.chat({ model: ANTHROPIC, messages: [user('hi')], stream: true })
    const heard: string[] = []
    const reading = (async () => {
      for await (const part of answer) {
        heard.push(part.message.content)
        answer.abort()
      }
    })()
    await expect(reading).rejects.toThrow()
    await asked('anthropic').hungUp
    expect(heard).toEqual(['Hello'])
  })
})

test('a refusal ends with its words', async () => {
  const refusal = { index: 0, delta: { refusal: 'I will not.' }, finish_reason: null }
  const events = [refusal, { index: 0, delta: {}, finish_reason: 'stop' }].map((choice) =>
    sseFrame(undefined, { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] }),
  )
  played('openai').play(stream([...events, 'data: [DONE]\n\n']))
  const { content, last } = await ask({ model: OPENAI, messages: [user('hi')] }, true)
  expect({ content, reason: last.done_reason }).toEqual({ content: 'I will not.', reason: 'stop' })
})
