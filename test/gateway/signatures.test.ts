/** Clients whose format has no place for vendor state: what a model thought before its calls comes back to it unchanged. */
import { describe, expect, test } from 'bun:test'
import { OpenAI } from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { HOUR_MS } from '../../src/core/duration.ts'
import { SignatureMemory } from '../../src/gateway/translate/signature-memory.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { sseFrame } from '../support/provider-bodies.ts'
import type { Play } from '../support/provider.ts'
import { ANTHROPIC, OPENAI_RESPONSES } from './upstreams.ts'

const SIGNATURE = 'EqQBCkYIBxgCKkD/+aé=='
const TOOLS = [
  { type: 'function' as const, function: { name: 'look', parameters: { type: 'object', properties: {} } } },
]

interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

const thinking = (n: number): Block => ({ type: 'thinking', thinking: `hm ${n}`, signature: `${SIGNATURE}${n}` })
const use = (n: number): Block => ({ type: 'tool_use', id: `toolu_${n}`, name: 'look', input: { n } })
const text = (words: string): Block => ({ type: 'text', text: words })

const DELTAS: Readonly<Record<string, (block: Block) => readonly object[]>> = {
  thinking: ({ thinking, signature }) => [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ],
  text: ({ text }) => [{ type: 'text_delta', text }],
  tool_use: ({ input }) => [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }],
}
const SKELETONS: Readonly<Record<string, object>> = {
  thinking: { thinking: '', signature: '' },
  text: { text: '' },
  tool_use: { input: {} },
}

/** Answers with these blocks, plainly or streamed as it was asked. */
function saying(...content: readonly Block[]): Play {
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const events = [
    { type: 'message_start', message: { ...ANTHROPIC.reply(''), content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: { ...block, ...SKELETONS[block.type] } },
      ...(DELTAS[block.type]?.(block) ?? []).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
  return (stage) =>
    stage.request.json<{ stream?: boolean }>().stream === true
      ? stream(events.map((event) => sseFrame(event.type, event)))(stage)
      : json({ ...ANTHROPIC.reply(''), content, stop_reason })(stage)
}

/** An agent as most are: it replays what its library calls a message, and nothing beside it. */
class Agent {
  readonly #client: OpenAI
  readonly #model: string
  readonly #streams: boolean
  readonly messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'look' }]

  constructor(url: string, secret: string, model: string, streams: boolean) {
    this.#client = new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 })
    this.#model = model
    this.#streams = streams
  }

  /** One turn; the results of its calls are in the conversation afterwards. */
  async turn(more: object = {}, model = this.#model): Promise<string | null> {
    const request = { model, messages: this.messages, tools: TOOLS, reasoning_effort: 'high' as const, ...more }
    const completion = this.#streams
      ? await this.#client.chat.completions.stream(request).finalChatCompletion()
      : await this.#client.chat.completions.create(request)
    const { content, tool_calls = [] } = completion.choices[0]?.message ?? { content: null }
    const calls = tool_calls.flatMap(({ id, ...call }) =>
      'function' in call
        ? [
            {
              id,
              type: 'function' as const,
              function: { name: call.function.name, arguments: call.function.arguments },
            },
          ]
        : [],
    )
    this.messages.push({ role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) })
    for (const { id } of calls) this.messages.push({ role: 'tool', tool_call_id: id, content: 'seen' })
    return content
  }
}

async function agentOf(app: TestApp, streams: boolean, model = ANTHROPIC.model): Promise<Agent> {
  return new Agent(await app.listen(), app.key.secret, model, streams)
}

/** What the model finds of its own turns in the last request. */
function ownTurns(app: TestApp): readonly (readonly Block[])[] {
  const { messages } = app.upstream('anthropic').played.requests.at(-1)?.json<{
    messages: { role: string; content: Block[] }[]
  }>() ?? { messages: [] }
  return messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
}

describe.each([false, true])('a Chat client, streaming: %p,', (streams) => {
  test('gives Claude its signed thinking back in every later turn', async () => {
    await using app = await makeApp()
    const turns = [
      [thinking(1), text('I look.'), use(1)],
      [thinking(2), use(2)],
    ]
    app
      .upstream('anthropic')
      .played.play(...turns.map((blocks) => saying(...blocks)), saying(text('Done.')), saying(text('Yes.')))
    const agent = await agentOf(app, streams)
    await agent.turn()
    await agent.turn()
    expect(ownTurns(app)).toEqual(turns.slice(0, 1))
    expect(await agent.turn()).toBe('Done.')
    expect(ownTurns(app)).toEqual(turns)
    agent.messages.push({ role: 'user', content: 'Sure?' })
    await agent.turn()
    expect(ownTurns(app).slice(0, 2)).toEqual(turns)
  })

  test('gives it back where it was, between parallel calls and in redacted form', async () => {
    await using app = await makeApp()
    const redacted = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3' }
    const blocks = [thinking(1), redacted, use(1), thinking(2), use(2), use(3)]
    app.upstream('anthropic').played.play(saying(...blocks), saying(text('Done.')))
    const agent = await agentOf(app, streams)
    await agent.turn()
    await agent.turn()
    expect(ownTurns(app)).toEqual([blocks])
  })

  test('may leave for another vendor and come back', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(saying(thinking(1), use(1)), saying(text('Done.')))
    app.upstream('openai').played.otherwise((stage) => stage.reply(500, {}, ''))
    const agent = await agentOf(app, streams)
    await agent.turn()
    await agent.turn({}, 'openai/gpt-4o-mini').catch(() => undefined)
    const elsewhere = app.upstream('openai').played.requests[0]?.text()
    expect(elsewhere).toContain('toolu_1')
    expect(elsewhere).not.toContain(SIGNATURE)
    await agent.turn()
    expect(ownTurns(app)).toEqual([[thinking(1), use(1)]])
  })
})

test('a client that replays its state is believed', async () => {
  await using app = await makeApp()
  app.upstream('anthropic').played.play(saying(thinking(1), use(1)), saying(text('Done.')), saying(text('Done.')))
  const ask = (messages: readonly object[]) =>
    app.ask('/v1/chat/completions', {
      body: { model: ANTHROPIC.model, messages, tools: TOOLS, reasoning_effort: 'high' },
    })
  const user = { role: 'user', content: 'look' }
  const { message } = (await ask([user])).body.choices[0]
  expect(message.reasoning_details).toMatchObject([{ type: 'reasoning.text', text: 'hm 1' }])
  const result = { role: 'tool', tool_call_id: 'toolu_1', content: 'seen' }
  await ask([user, message, result])
  expect(ownTurns(app)).toEqual([[thinking(1), use(1)]])

  const sealed = message.reasoning_details[0]
  const edited = { ...message, reasoning_details: [{ ...sealed, text: 'mine' }] }
  await ask([user, edited, result])
  expect(ownTurns(app)).toEqual([[{ ...thinking(1), thinking: 'mine' }, use(1)]])
})

test('encrypted reasoning goes back to the vendor that made it', async () => {
  await using app = await makeApp()
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABm+/=' }
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'look',
    arguments: '{}',
    status: 'completed',
  }
  app
    .upstream('openai')
    .played.play(json({ ...OPENAI_RESPONSES.reply(''), output: [item, call] }), json(OPENAI_RESPONSES.reply('Done.')))
  const agent = await agentOf(app, false, 'openai/gpt-6-sol')
  await agent.turn()
  await agent.turn()
  const { input } = app.upstream('openai').played.requests[1]?.json<{ input: object[] }>() ?? { input: [] }
  expect(input.slice(1, 3)).toMatchObject([
    { type: 'reasoning', encrypted_content: 'gAAAAABm+/=' },
    { type: 'function_call', call_id: 'call_1' },
  ])
})

test('a client of Ollama gives Gemini its thought signature back, on the call that it belongs to', async () => {
  await using app = await makeApp({ accounts: { google: 1 } })
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 }
  const saying = (...parts: readonly object[]) =>
    json({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata })
  const calls = [
    { functionCall: { name: 'look', args: { n: 1 } }, thoughtSignature: 'U0lHKzE=' },
    { functionCall: { name: 'look', args: { n: 2 } } },
  ]
  app.upstream('google').played.play(saying(...calls), saying({ text: 'Done.' }))
  const ask = (messages: readonly object[]) =>
    app.ask('/api/chat', { body: { model: 'google/gemini-3.8-flash', messages, tools: TOOLS, stream: false } })
  const user = { role: 'user', content: 'look' }
  const { body } = await ask([user])
  const results = [1, 2].map((n) => ({ role: 'tool', tool_name: 'look', content: `seen ${n}` }))
  expect(JSON.stringify(body)).not.toContain('U0lHKzE=')
  expect((await ask([user, body.message, ...results])).status).toBe(200)
  const { contents } = app.upstream('google').played.requests[1]?.json<{ contents: { parts: Block[] }[] }>() ?? {
    contents: [],
  }
  expect(contents[1]?.parts).toMatchObject(calls)
  expect(contents[1]?.parts[1]).not.toHaveProperty('thoughtSignature')
})

test('a Messages client that asks for no thinking gives back what it was never shown', async () => {
  await using app = await makeApp()
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABm+/=' }
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' }
  const { played } = app.upstream('openai')
  played.play(json({ ...OPENAI_RESPONSES.reply(''), output: [item, call] }), json(OPENAI_RESPONSES.reply('Done.')))
  const tools = [{ name: 'look', input_schema: { type: 'object', properties: {} } }]
  const ask = (messages: readonly object[]) =>
    app.ask('/v1/messages', { body: { model: 'openai/gpt-6-sol', max_tokens: 99, tools, messages } })
  const user = { role: 'user', content: 'look' }
  const { content } = (await ask([user])).body
  expect(content).toEqual([expect.objectContaining({ type: 'tool_use', id: 'call_1' })])
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'seen' }] }
  expect((await ask([user, { role: 'assistant', content }, result])).status).toBe(200)
  expect(played.requests[1]?.json<{ input: object[] }>().input.slice(1, 3)).toMatchObject([
    { type: 'reasoning', encrypted_content: 'gAAAAABm+/=' },
    { type: 'function_call', call_id: 'call_1' },
  ])
})

test('another key that names the same call gets nothing', async () => {
  await using app = await makeApp()
  app.upstream('anthropic').played.play(saying(thinking(1), use(1)), saying(text('Done.')))
  const agent = await agentOf(app, false)
  await agent.turn()
  const { body } = await app.owner('POST', '/v1/keys', { name: 'other' })
  const request = { model: ANTHROPIC.model, messages: agent.messages, tools: TOOLS }
  await app.ask('/v1/chat/completions', { body: request, headers: { 'x-api-key': body.data.secret } })
  expect(app.upstream('anthropic').played.requests[1]?.text()).not.toContain(SIGNATURE)
})

describe('the memory is bounded', () => {
  const thought = (blob: string) => ({
    lead: [],
    before: [
      {
        type: 'reasoning' as const,
        text: '',
        redacted: false,
        opaque: { vendor: 'v', kind: 'signature' as const, blob },
      },
    ],
  })

  test('in entries for each key, which cannot crowd out another', () => {
    const memory = new SignatureMemory({ entriesPerOwnerMax: 3, bytesMax: 1e6, ttlMs: HOUR_MS })
    memory.remember('quiet', 'call', thought('x'), 0)
    for (let index = 0; index < 100; index++) memory.remember('busy', `call_${index}`, thought('x'), 0)
    expect(memory.size).toBe(4)
    expect(memory.recall('quiet', 'call', 0)).toBeDefined()
    expect(memory.recall('busy', 'call_96', 0)).toBeUndefined()
    expect(memory.recall('busy', 'call_97', 0)).toBeDefined()
  })

  test('in bytes for all keys together, whatever they send', () => {
    const memory = new SignatureMemory({ entriesPerOwnerMax: 1e6, bytesMax: 100_000, ttlMs: HOUR_MS })
    for (let index = 0; index < 1_000; index++) {
      memory.remember(`key_${index % 7}`, `call_${index}`, thought('x'.repeat(index)), 0)
      expect(memory.bytes).toBeLessThanOrEqual(100_000)
    }
    memory.remember('key', 'huge', thought('x'.repeat(100_001)), 0)
    expect(memory.recall('key', 'huge', 0)).toBeUndefined()
  })

  test('in time since the last use', () => {
    const memory = new SignatureMemory({ entriesPerOwnerMax: 10, bytesMax: 1e6, ttlMs: HOUR_MS })
    memory.remember('key', 'used', thought('x'), 0)
    memory.remember('key', 'unused', thought('x'), 0)
    expect(memory.recall('key', 'used', HOUR_MS / 2)).toBeDefined()
    expect(memory.recall('key', 'used', HOUR_MS)).toBeDefined()
    expect(memory.size).toBe(1)
  })
})
