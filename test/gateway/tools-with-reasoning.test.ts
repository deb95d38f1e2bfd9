/** Models that take functions on Chat Completions only while they do not reason, as clients of other formats and of Chat meet them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Anthropic } from '@anthropic-ai/sdk'
import { OpenAI } from 'openai'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { chatReply, sseFrame } from '../support/provider-bodies.ts'
import type { Play, PlayedRequest, Provider } from '../support/provider.ts'

const MODEL = 'gpt-5.6-sol'
const PARAMETERS = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'I should look.' }],
  encrypted_content: 'gAAAAA-thoughts',
}
const CALL = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_abc',
  name: 'weather',
  arguments: '{"city":"Rome"}',
}
const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'It is warm.', annotations: [], logprobs: [] }],
}
const USAGE = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 29,
}

// https://github.com/danny-avila/LibreChat/issues/14355 (read 2026-11-21)
const REFUSAL =
  "Function tools with reasoning_effort are not supported for gpt-5.6-sol in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."

interface Body {
  readonly stream?: boolean
  readonly tools?: readonly object[]
  readonly functions?: readonly object[]
  readonly reasoning_effort?: string
  readonly reasoning?: object
  readonly include?: readonly string[]
  readonly store?: boolean
  readonly input?: readonly { readonly type?: string; readonly [field: string]: unknown }[]
}

const bodyOf = (request: PlayedRequest): Body => JSON.parse(request.text())

/** OpenAI: calls the tool first, answers once it has a result, and refuses tools on Chat unless it need not reason. */
const openAi: Play = (stage) => {
  const body = bodyOf(stage.request)
  const offersTools = (body.tools ?? body.functions ?? []).length > 0
  if (stage.request.path.startsWith('/v1/chat/completions')) {
    if (!offersTools || body.reasoning_effort === 'none') return json(chatReply('By chat.'))(stage)
    return json(
      { error: { message: REFUSAL, type: 'invalid_request_error', param: 'reasoning_effort', code: null } },
      400,
    )(stage)
  }
  const hasResult = body.input?.some(({ type }) => type === 'function_call_output') === true
  return responses(hasResult ? [ANSWER] : [REASONING, CALL], body.stream === true)(stage)
}

function responses(output: readonly object[], isStream: boolean): Play {
  const head = { id: 'resp_1', object: 'response', created_at: 1_763_700_000, model: MODEL, error: null, metadata: {} }
  const whole = { ...head, status: 'completed', incomplete_details: null, output, usage: USAGE }
  if (!isStream) return json(whole)
  const events = [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [], usage: null } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]
  return stream(events.map((event, sequence_number) => sseFrame(event.type, { ...event, sequence_number })))
}

let app: TestApp
let url: string
let played: Provider
beforeAll(async () => {
  app = await makeApp({ accounts: { openai: 1 } })
  url = await app.listen()
  played = app.upstream('openai').played
  played.otherwise(openAi)
})
let before = 0
beforeEach(() => {
  before = played.requests.length
})
afterAll(() => app[Symbol.asyncDispose]())

const sent = () => played.requests.slice(before).map((request) => [request.path, bodyOf(request)] as const)

/** What the second turn gave back to the model. */
function carried(): readonly unknown[] {
  const input = sent().at(-1)?.[1].input ?? []
  return input.map(({ type, role, encrypted_content, call_id }) => encrypted_content ?? call_id ?? type ?? role)
}

const CARRIED = ['message', 'gAAAAA-thoughts', 'call_abc', 'call_abc']

/** Two turns by way of a library: what it called, and what was said in the end. */
interface Talk {
  readonly called: unknown
  readonly said: string
}

const CHAT_TOOLS = [{ type: 'function' as const, function: { name: 'weather', parameters: PARAMETERS } }]

async function talkByChat(isStream: boolean): Promise<Talk> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: app.key.secret, maxRetries: 0 })
  const ask = async (messages: OpenAI.ChatCompletionMessageParam[]) => {
    const request = { model: `openai/${MODEL}`, messages, tools: CHAT_TOOLS, reasoning_effort: 'high' as const }
    if (!isStream) return client.chat.completions.create(request)
    return client.chat.completions.stream(request).finalChatCompletion()
  }
  const question = { role: 'user', content: 'Weather in Rome?' } as const
  const message = (await ask([question])).choices[0]?.message
  const [call] = message?.tool_calls ?? []
  if (message === undefined || call?.type !== 'function') throw new Error('no tool was called')
  const result = { role: 'tool', tool_call_id: call.id, content: '31 degrees' } as const
  const last = await ask([question, message, result])
  return { called: JSON.parse(call.function.arguments), said: last.choices[0]?.message.content ?? '' }
}

async function talkByMessages(isStream: boolean): Promise<Talk> {
  const client = new Anthropic({ baseURL: url, apiKey: app.key.secret, maxRetries: 0 })
  const ask = async (messages: Anthropic.MessageParam[]) => {
    const tools = [{ name: 'weather', input_schema: PARAMETERS }]
    const request = {
      model: `openai/${MODEL}`,
      max_tokens: 4_096,
      messages,
      tools,
      thinking: { type: 'adaptive' as const },
    }
    return isStream ? client.messages.stream(request).finalMessage() : client.messages.create(request)
  }
  const question = { role: 'user', content: 'Weather in Rome?' } as const
  const { content } = await ask([question])
  const call = content.find((block) => block.type === 'tool_use')
  if (call?.type !== 'tool_use') throw new Error('no tool was called')
  const result = { type: 'tool_result', tool_use_id: call.id, content: '31 degrees' } as const
  const last = await ask([question, { role: 'assistant', content }, { role: 'user', content: [result] }])
  return { called: call.input, said: last.content.map((block) => (block.type === 'text' ? block.text : '')).join('') }
}

const TALKS = [
  ['Chat', talkByChat],
  ['Messages', talkByMessages],
] as const

for (const [name, talk] of TALKS) {
  for (const isStream of [false, true]) {
    test(`${name}, ${isStream ? 'streamed' : 'plain'}: both turns are asked by Responses, and thoughts come back`, async () => {
      expect(await talk(isStream)).toEqual({ called: { city: 'Rome' }, said: 'It is warm.' })
      expect(sent().map(([path]) => path)).toEqual(['/v1/responses', '/v1/responses'])
      for (const [, body] of sent())
        expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
      expect(carried()).toEqual(CARRIED)
    })
  }
}

test('the effort that a Chat client asked for goes with it', async () => {
  await talkByChat(false)
  expect(sent()[0]?.[1].reasoning).toMatchObject({ effort: 'high' })
})

describe('by Chat Completions itself go', () => {
  const ask = (body: object) =>
    app.ask('/v1/chat/completions', {
      body: { model: `openai/${MODEL}`, messages: [{ role: 'user', content: 'Hi' }], ...body },
    })

  const cases: readonly (readonly [string, object, string])[] = [
    ['requests without tools', { reasoning_effort: 'high' }, '/v1/chat/completions'],
    ['tools with reasoning ruled out', { tools: CHAT_TOOLS, reasoning_effort: 'none' }, '/v1/chat/completions'],
    ['not the deprecated functions', { functions: [{ name: 'weather', parameters: PARAMETERS }] }, '/v1/responses'],
    ['not tools that may be reasoned about', { tools: CHAT_TOOLS }, '/v1/responses'],
  ]
  for (const [what, body, path] of cases) {
    test(what, async () => {
      expect((await ask(body)).status).toBe(200)
      expect(sent().map(([asked]) => asked)).toEqual([path])
    })
  }

  test('tools of models before, reasoning or not', async () => {
    await ask({ model: 'openai/gpt-5.2', tools: CHAT_TOOLS, reasoning_effort: 'none' })
    await ask({ model: 'openai/gpt-5.2', tools: CHAT_TOOLS, reasoning_effort: 'high' })
    expect(sent().map(([asked]) => asked)).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
  })
})

describe('a provider that has Chat Completions alone', () => {
  let model: string
  beforeAll(async () => {
    const address = { dialect: 'openai_chat', base_url: `${played.url}/v1` }
    const provider = { slug: 'chat-alone', dialects: [address], allow_private_network: true, models_mode: 'static' }
    await app.owner('POST', '/v1/custom-providers', provider)
    await app.owner('POST', '/v1/accounts', { provider: 'chat-alone', credentials: { api_key: 'sk-0123456789abcdef' } })
    model = 'chat-alone/gpt-5.6-sol'
  })

  const ask = (body: object) =>
    app.ask('/v1/chat/completions', {
      body: { model, messages: [{ role: 'user', content: 'Hi' }], tools: CHAT_TOOLS, ...body },
    })

  test('is asked not to reason, and the client is told', async () => {
    const answer = await ask({ reasoning_effort: 'high' })
    expect([answer.status, answer.headers.get('x-gateway-dropped')]).toEqual([200, 'reasoning_effort'])
    expect(sent()).toMatchObject([['/v1/chat/completions', { reasoning_effort: 'none' }]])
  })

  test('so is a client of Messages', async () => {
    const body = {
      model,
      max_tokens: 99,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ name: 'weather', input_schema: PARAMETERS }],
    }
    const answer = await app.ask('/v1/messages', { body })
    expect([answer.status, answer.headers.get('x-gateway-dropped')]).toEqual([200, 'reasoning_effort'])
    expect(sent()).toMatchObject([['/v1/chat/completions', { reasoning_effort: 'none' }]])
  })

  test('cannot be asked at all where the model always reasons', async () => {
    const answer = await ask({ model: 'chat-alone/gpt-6-astra' })
    expect([answer.status, answer.body.error.param]).toEqual([400, 'tools'])
    expect(sent()).toEqual([])
  })
})

test('what an operator says of a model counts from the next request on', async () => {
  const ask = () =>
    app.ask('/v1/messages', {
      body: { model: 'openai/gpt-4o', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], temperature: 0.5 },
    })
  const temperature = () => JSON.parse(played.requests.at(-1)?.text() ?? '{}').temperature
  expect((await ask()).headers.get('x-gateway-dropped')).toBeNull()
  expect(temperature()).toBe(0.5)
  await app.owner('PUT', '/v1/capability-overrides/openai/gpt-4o', {
    sampling: { temperature: false },
    context_window: 64_000,
  })
  expect((await ask()).headers.get('x-gateway-dropped')).toBe('temperature')
  expect(temperature()).toBeUndefined()
  const listed = await app.ask('/v1/models/openai/gpt-4o', { method: 'GET' })
  expect(listed.body.context_length).toBe(64_000)
  await app.owner('DELETE', '/v1/capability-overrides/openai/gpt-4o')
  expect((await ask()).headers.get('x-gateway-dropped')).toBeNull()
})
