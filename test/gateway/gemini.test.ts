/** Google's own library against a listening gateway whose providers speak Gemini, Messages and Chat; and Gemini for other clients. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Anthropic } from '@anthropic-ai/sdk'
import { type Content, FunctionCallingConfigMode, GoogleGenAI, ThinkingLevel } from '@google/genai'
import { OpenAI } from 'openai'
import type { ChatReply } from '../../src/dialects/neutral.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { playProvider, type Provider } from '../support/provider.ts'
import { stream, text } from '../support/plays.ts'
import { asked, BY_ANTHROPIC, BY_CHAT, BY_GEMINI, fixture, play, type Recorded, user } from './recordings.ts'

let app: TestApp
let url: string
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1, google: 1, openai: 1 } })
  url = await app.listen()
})
afterAll(() => app[Symbol.asyncDispose]())

const library = (apiVersion?: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: app.key.secret, ...(apiVersion && { apiVersion }), httpOptions: { baseUrl: url } })

interface Said {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly object[]
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What was said, and the content that the client keeps of it. */
interface Heard {
  readonly said: Said
  readonly content: Content
}

const TOOLS = [
  {
    functionDeclarations: [
      { name: 'get_current_temperature', parametersJsonSchema: { type: 'object', properties: { location: {} } } },
    ],
  },
]
const CONFIG = { tools: TOOLS, thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.LOW } }

async function ask(model: string, contents: Content[], isStream: boolean): Promise<Heard> {
  const { models } = library()
  const request = { model, contents, config: CONFIG }
  if (!isStream) return heard([await models.generateContent(request)])
  const chunks = []
  for await (const chunk of await models.generateContentStream(request)) chunks.push(chunk)
  return heard(chunks)
}

function heard(chunks: Awaited<ReturnType<GoogleGenAI['models']['generateContent']>>[]): Heard {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
  const usage = chunks.at(-1)?.usageMetadata
  const spoken = (isThought: boolean): string =>
    parts.map((part) => ((part.thought ?? false) === isThought ? (part.text ?? '') : '')).join('')
  const said = {
    text: spoken(false),
    thinking: spoken(true),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [{ name: functionCall.name, args: functionCall.args }],
    ),
    inputTokens: usage?.promptTokenCount ?? 0,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  }
  return { said, content: { role: 'model', parts } }
}

/** The recorded answer as the client should understand it. */
function meant(by: Recorded, exchange: string): Said {
  const { parts, usage } = JSON.parse(fixture(by, exchange, 'neutral.json')) as ChatReply
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    thinking: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, args: JSON.parse(part.argumentsText || '{}') }] : [],
    ),
    inputTokens: usage.inputUncached + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h,
    outputTokens: usage.output,
  }
}

function resultsOf({ parts = [] }: Content): Content {
  const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
  return user(
    ...calls.map(({ id, name }, index) => ({
      functionResponse: { ...(id && { id }), ...(name && { name }), response: { output: `result ${index}` } },
    })),
  )
}

for (const by of [BY_GEMINI, BY_ANTHROPIC, BY_CHAT]) {
  describe(`Google's library with a provider of ${by.dialect}`, () => {
    for (const isStream of [false, true]) {
      const how = isStream ? 'streamed' : 'plain'
      for (const exchange of by.exchanges) {
        test(`${exchange}, ${how}: says what was meant`, async () => {
          play(app, by, exchange, isStream)
          const { said } = await ask(by.model, [user({ text: 'Go on.' })], isStream)
          expect(said).toEqual(meant(by, exchange))
        })
      }

      test(`a round of tools, ${how}: calls and results come back to the provider`, async () => {
        play(app, by, by.exchanges[1], isStream)
        const question = user({ text: 'What is it like?' })
        const { content, said } = await ask(by.model, [question], isStream)
        play(app, by, 'text', isStream)
        await ask(by.model, [question, content, resultsOf(content)], isStream)
        const back = asked(app, by.provider).text()
        for (const [index] of said.calls.entries()) expect(back).toContain(`result ${index}`)
      })
    }

    test('an image and a document arrive', async () => {
      play(app, by, 'text', false)
      const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
      const paper = { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0xLjQ=' } }
      await ask(by.model, [user(image, paper, { text: 'What is this?' })], false)
      expect(asked(app, by.provider).text()).toContain('iVBORw0KGgo=')
      expect(asked(app, by.provider).text()).toContain('JVBERi0xLjQ=')
    })

    test('an answer under a schema is asked for', async () => {
      play(app, by, 'text', false)
      const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      const config = { responseMimeType: 'application/json', responseJsonSchema: schema }
      await library().models.generateContent({ model: by.model, contents: 'Where?', config })
      expect(asked(app, by.provider).text()).toContain('"city"')
    })

    test('a forced tool is forced', async () => {
      play(app, by, by.exchanges[1], false)
      const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY }
      const config = { tools: TOOLS, toolConfig: { functionCallingConfig } }
      await library().models.generateContent({ model: by.model, contents: 'Call.', config })
      const FORCED = { google: '"mode":"ANY"', anthropic: '"type":"any"', openai: '"tool_choice":"required"' }
      expect(asked(app, by.provider).text()).toContain(FORCED[by.provider as keyof typeof FORCED])
    })
  })
}

describe('what passes through to Gemini', () => {
  const BODY =
    '{ "contents" : [ {"parts":[{"text":"é 1.0"}]} ],\n "generation_config": {"seed": 9007199254740993},"newField":[1.50] }'
  const EXCHANGE = 'thinking-parallel-calls'

  test('goes on byte by byte, and so does the answer', async () => {
    for (const [method, alt, file] of [
      ['generateContent', '', 'reply.json'],
      ['streamGenerateContent', '?alt=sse', 'stream.txt'],
    ] as const) {
      play(app, BY_GEMINI, EXCHANGE, method === 'streamGenerateContent')
      const path = `/v1beta/models/google/gemini-3.8-flash:${method}${alt}`
      const headers = { 'x-goog-api-key': app.key.secret, 'x-goog-api-client': 'google-genai-sdk/3.1.0' }
      const answer = await fetch(url + path, { method: 'POST', headers, body: BODY })
      expect(await answer.text()).toBe(fixture(BY_GEMINI, EXCHANGE, file))
      const { path: seen, headers: sent, ...request } = asked(app, 'google')
      expect(request.text()).toBe(BODY)
      expect(seen).toBe(`/v1/models/gemini-3.8-flash:${method}${alt}`)
      expect(sent['x-goog-api-key']).toBe(app.upstream('google').secret)
      expect(sent['x-goog-api-client']).toBe('google-genai-sdk/3.1.0')
    }
  })

  test('a client that does not ask for events gets the provider’s array as it is', async () => {
    const chunks = fixture(BY_GEMINI, EXCHANGE, 'stream.txt')
      .trim()
      .split('\r\n\r\n')
      .map((event) => event.slice('data: '.length))
    const array = `[${chunks.join('\r\n,\r\n')}\r\n]`
    app
      .upstream('google')
      .played.play(stream([array.slice(0, 700), array.slice(700)], { 'content-type': 'application/json' }))
    const path = '/v1beta/models/google%2Fgemini-3.8-flash:streamGenerateContent'
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'x-goog-api-key': app.key.secret },
      body: BODY,
    })
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.text()).toBe(array)
    expect(asked(app, 'google').path).toBe('/v1/models/gemini-3.8-flash:streamGenerateContent')
  })

  test('the key in the query is ours and stays here', async () => {
    play(app, BY_GEMINI, 'text', false)
    const path = `/v1beta/models/google/gemini-3.8-flash:generateContent?key=${app.key.secret}&prettyPrint=false`
    const answer = await fetch(url + path, { method: 'POST', body: BODY })
    expect(answer.status).toBe(200)
    expect(asked(app, 'google').path).toBe('/v1/models/gemini-3.8-flash:generateContent?prettyPrint=false')
    expect(app.log.join('\n')).not.toContain(app.key.secret)
  })

  test('what is used is written down', async () => {
    await using fresh = await makeApp({ accounts: { google: 1 } })
    fresh.upstream('google').played.play(stream([fixture(BY_GEMINI, EXCHANGE, 'stream.txt')]))
    const headers = { 'x-goog-api-key': fresh.key.secret, 'x-gateway-key': fresh.key.secret }
    const more = { generationConfig: { maxOutputTokens: 500, thinkingConfig: { thinkingLevel: 'LOW' } }, tools: TOOLS }
    const body = { contents: [user({ text: 'hi' })], ...more }
    await fresh.ask('/v1beta/models/google/gemini-3.8-flash:streamGenerateContent?alt=sse', { headers, body })
    expect(await fresh.rows()).toMatchObject([
      {
        status: 'ok',
        endpoint: 'gemini',
        dialect_in: 'gemini',
        dialect_out: 'gemini',
        stream: true,
        stop_reason: 'STOP',
        facts: { tools: 1, thinking: true, max_tokens: 500 },
        tokens: { input_uncached: 6, cache_read: 4, output: 76, reasoning: 40 },
        tokens_estimated: false,
      },
    ])
  })
})

describe('an array for clients of other providers', () => {
  test('holds the answer, and is whole even when the answer breaks', async () => {
    const path = '/v1beta/models/anthropic/claude-sonnet-4-5:streamGenerateContent'
    const post = () =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'x-goog-api-key': app.key.secret },
        body: JSON.stringify({ contents: [user({ text: 'hi' })] }),
      })
    play(app, BY_ANTHROPIC, 'text', true)
    const whole = (await (await post()).json()) as { candidates: [{ content: Content; finishReason?: string }] }[]
    const words = whole.flatMap(({ candidates }) => candidates[0].content.parts ?? []).map((part) => part.text)
    expect(words.join('')).toBe(meant(BY_ANTHROPIC, 'text').text)
    expect(whole.at(-1)?.candidates[0].finishReason).toBe('STOP')
    const events = fixture(BY_ANTHROPIC, 'text', 'stream.txt').split('\n\n')
    const begun = events.slice(0, events.findLastIndex((event) => event.includes('content_block_delta')) + 1)
    app.upstream('anthropic').played.play(stream([`${begun.join('\n\n')}\n\n`, 'reset']))
    const broken = (await (await post()).json()) as { error?: { code: number; status: string } }[]
    expect(broken.at(-1)?.error).toMatchObject({ code: 502, status: 'INTERNAL' })
  })
})

/** A gateway with a provider of the operator's own that speaks nothing but Gemini. */
async function hostOfGemini(): Promise<AsyncDisposable & { readonly app: TestApp; readonly played: Provider }> {
  const own = await makeApp({ accounts: {} })
  const played = playProvider()
  const dialects = [{ dialect: 'gemini', base_url: `${played.url}/v1beta` }]
  const provider = { slug: 'host', name: 'Host', dialects, auth_scheme: 'x-goog-api-key', allow_private_network: true }
  await own.owner('POST', '/v1/custom-providers', provider)
  await own.owner('POST', '/v1/accounts', { provider: 'host', credentials: { api_key: 'AIza-of-the-host' } })
  return {
    app: own,
    played,
    [Symbol.asyncDispose]: async () => {
      await own[Symbol.asyncDispose]()
      played.stop()
    },
  }
}

describe('signatures', () => {
  const SIGNATURE = 'CpcBAdHtim9kZWZhdWx0X2FwaTpnZXRfd2VhdGhlcg=='

  for (const isStream of [false, true]) {
    test(`of Gemini come back on the same call through a Messages client, ${isStream ? 'streamed' : 'plain'}`, async () => {
      const client = new Anthropic({ baseURL: url, apiKey: app.key.secret, maxRetries: 0 })
      const question = { role: 'user' as const, content: 'Check the weather.' }
      const turn = (messages: Anthropic.MessageParam[]) => {
        const request = { model: BY_GEMINI.model, max_tokens: 2_000, thinking: { type: 'adaptive' as const }, messages }
        return isStream ? client.messages.stream(request).finalMessage() : client.messages.create(request)
      }
      play(app, BY_GEMINI, 'thinking-parallel-calls', isStream)
      const { content, stop_reason } = await turn([question])
      expect(stop_reason).toBe('tool_use')
      const results = content.flatMap((block) =>
        block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'warm' }] : [],
      )
      play(app, BY_GEMINI, 'text', isStream)
      await turn([question, { role: 'assistant', content }, { role: 'user', content: results }])
      const { contents } = asked(app, 'google').json<{ contents: Content[] }>()
      expect(contents[1]?.parts).toEqual([
        { text: '**Checking two cities**\n\nI call the tool twice.', thought: true },
        {
          functionCall: { id: 'h4x1k2', name: 'get_current_temperature', args: { location: 'Paris' } },
          thoughtSignature: SIGNATURE,
        },
        { functionCall: { id: 'p9q8r7', name: 'get_current_temperature', args: { location: 'London' } } },
      ])
      expect(contents[2]?.parts).toEqual([
        { functionResponse: { id: 'h4x1k2', name: 'get_current_temperature', response: { output: 'warm' } } },
        { functionResponse: { id: 'p9q8r7', name: 'get_current_temperature', response: { output: 'warm' } } },
      ])
    })

    test(`of Anthropic come back through Google's library, ${isStream ? 'streamed' : 'plain'}`, async () => {
      play(app, BY_ANTHROPIC, 'thinking-interleaved', isStream)
      const question = user({ text: 'What time is it?' })
      const { content } = await ask(BY_ANTHROPIC.model, [question], isStream)
      play(app, BY_ANTHROPIC, 'text', isStream)
      await ask(BY_ANTHROPIC.model, [question, content, resultsOf(content)], isStream)
      const { messages } = asked(app, 'anthropic').json<{ messages: { content: object[] }[] }>()
      expect(messages[1]?.content.slice(0, 2)).toMatchObject([
        { type: 'thinking', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds4VcS5yqT8E1bQ==' },
        { type: 'redacted_thinking' },
      ])
    })

    test(`of Gemini come back unchanged through Google's library, ${isStream ? 'streamed' : 'plain'}`, async () => {
      play(app, BY_GEMINI, 'thinking-parallel-calls', isStream)
      const question = user({ text: 'What is it like?' })
      const { content } = await ask(BY_GEMINI.model, [question], isStream)
      play(app, BY_GEMINI, 'text', isStream)
      await ask(BY_GEMINI.model, [question, content, resultsOf(content)], isStream)
      expect(asked(app, 'google').text()).toContain(`"thoughtSignature":"${SIGNATURE}"`)
    })
  }

  for (const isStream of [false, true]) {
    test(`of Gemini come back for a Chat client, which has no place for them, ${isStream ? 'streamed' : 'plain'}`, async () => {
      await using host = await hostOfGemini()
      const client = new OpenAI({
        baseURL: `${await host.app.listen()}/v1`,
        apiKey: host.app.key.secret,
        maxRetries: 0,
      })
      const question = { role: 'user' as const, content: 'Check the weather.' }
      const turn = async (exchange: string, messages: OpenAI.ChatCompletionMessageParam[]) => {
        const reply = () =>
          text(fixture(BY_GEMINI, exchange, 'reply.json'), 200, { 'content-type': 'application/json' })
        host.played.play(isStream ? stream([fixture(BY_GEMINI, exchange, 'stream.txt')]) : reply())
        const request = { model: 'host/gemini-3.8-flash', messages }
        const { choices } = isStream
          ? await client.chat.completions.stream(request).finalChatCompletion()
          : await client.chat.completions.create(request)
        return choices[0]?.message
      }
      const calls = (await turn('thinking-parallel-calls', [question]))?.tool_calls ?? []
      const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'warm' }))
      await turn('text', [question, { role: 'assistant', tool_calls: calls }, ...results])
      const { contents } = host.played.requests.at(-1)?.json<{ contents: Content[] }>() ?? { contents: [] }
      const back = contents[1]?.parts?.filter((part) => part.functionCall !== undefined) ?? []
      expect(back.map(({ thoughtSignature }) => thoughtSignature)).toEqual([SIGNATURE, undefined])
    })
  }

  test('that Anthropic gave do not stop a conversation that moves to Gemini', async () => {
    play(app, BY_ANTHROPIC, 'thinking-interleaved', false)
    const question = user({ text: 'What time is it?' })
    const { content } = await ask(BY_ANTHROPIC.model, [question], false)
    play(app, BY_GEMINI, 'text', false)
    await ask(BY_GEMINI.model, [question, content, resultsOf(content)], false)
    const body = asked(app, 'google').text()
    const { contents } = JSON.parse(body) as { contents: Content[] }
    const calls = contents[1]?.parts?.filter((part) => part.functionCall !== undefined)
    expect(calls?.[0]?.thoughtSignature).toBe('skip_thought_signature_validator')
    expect(body).not.toContain('Z3cxO')
  })
})
