/** Structured output of models that know no schemas: their answers come as the call of a tool and reach the client as text. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OpenAI } from 'openai'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { sseFrame } from '../support/provider-bodies.ts'
import type { Play, Provider } from '../support/provider.ts'

const MODEL = 'anthropic/claude-opus-4-1-20250805'
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const FORMAT = { type: 'json_schema' as const, json_schema: { name: 'place', schema: SCHEMA } }
const WEATHER = { type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }
const USAGE = { input_tokens: 12, output_tokens: 7 }

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: object }

/** A Claude that answers with these blocks. */
function claude(blocks: readonly Block[], stopReason: string, isStream: boolean): Play {
  const content = blocks.map((block, at) => (block.type === 'text' ? block : { ...block, id: `toolu_${at}` }))
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null }
  if (!isStream) return json({ ...message, content, stop_reason: stopReason, usage: USAGE })
  const events = [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
    },
    ...content.flatMap((block, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} },
      },
      ...halves(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  ]
  return stream(events.map((event) => sseFrame(event.type, event)))
}

function halves(block: Block): readonly object[] {
  if (block.type === 'text') return [{ type: 'text_delta', text: block.text }]
  const whole = JSON.stringify(block.input)
  const middle = Math.floor(whole.length / 2)
  return [whole.slice(0, middle), whole.slice(middle)].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }))
}

let app: TestApp
let client: OpenAI
let played: Provider
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1 } })
  client = new OpenAI({ baseURL: `${await app.listen()}/v1`, apiKey: app.key.secret, maxRetries: 0 })
  played = app.upstream('anthropic').played
})
afterAll(() => app[Symbol.asyncDispose]())

const sent = () => JSON.parse(played.requests.at(-1)?.text() ?? '{}')

type Asked = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>

const requestOf = (more: Asked) => ({
  model: MODEL,
  messages: [{ role: 'user' as const, content: 'Where?' }],
  response_format: FORMAT,
  ...more,
})

interface Heard {
  readonly text: string | null
  readonly calls: readonly { readonly name: string; readonly input: string }[]
  readonly reason: string | null | undefined
}

const ask = (isStream: boolean, more: Asked = {}): Promise<Heard> => (isStream ? askStream(more) : askPlain(more))

async function askPlain(more: Asked): Promise<Heard> {
  const { choices } = await client.chat.completions.create({ ...requestOf(more), stream: false })
  const [choice] = choices
  const calls = (choice?.message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call.function] : []))
  return {
    text: choice?.message.content ?? null,
    calls: calls.map(({ name, arguments: input }) => ({ name, input })),
    reason: choice?.finish_reason,
  }
}

/** Chunk by chunk: the library's own stream refuses an answer that is no JSON before it can be looked at. */
async function askStream(more: Asked): Promise<Heard> {
  const texts: string[] = []
  const calls: { name: string; input: string }[] = []
  let reason: string | null = null
  for await (const { choices } of await client.chat.completions.create({ ...requestOf(more), stream: true })) {
    const [choice] = choices
    if (choice?.delta.content) texts.push(choice.delta.content)
    for (const { index, function: called } of choice?.delta.tool_calls ?? []) {
      const call = (calls[index] ??= { name: '', input: '' })
      call.name += called?.name ?? ''
      call.input += called?.arguments ?? ''
    }
    reason = choice?.finish_reason ?? reason
  }
  return { text: texts.length === 0 ? null : texts.join(''), calls, reason }
}

const ANSWER = { type: 'tool_use', name: 'json', input: { city: 'Rome' } } as const

for (const isStream of [false, true]) {
  describe(isStream ? 'streamed' : 'plain', () => {
    test('the answer is the JSON that the tool was called with, and the model has stopped', async () => {
      played.play(claude([{ type: 'text', text: 'Here you are:' }, ANSWER], 'tool_use', isStream))
      expect(await ask(isStream)).toEqual({ text: '{"city":"Rome"}', calls: [], reason: 'stop' })
      expect(sent()).toMatchObject({
        tools: [{ name: 'json', input_schema: SCHEMA }],
        tool_choice: { type: 'tool', name: 'json', disable_parallel_tool_use: true },
      })
      expect(sent()).not.toHaveProperty('output_config')
      expect(sent()).not.toHaveProperty('thinking')
    })

    test('a second answer is none', async () => {
      played.play(claude([ANSWER, { ...ANSWER, input: { city: 'Oslo' } }], 'tool_use', isStream))
      expect(await ask(isStream)).toEqual({ text: '{"city":"Rome"}', calls: [], reason: 'stop' })
    })

    test('a model that says something else is heard', async () => {
      played.play(claude([{ type: 'text', text: 'I will not.' }], 'end_turn', isStream))
      expect(await ask(isStream)).toEqual({ text: 'I will not.', calls: [], reason: 'stop' })
    })

    test('a call of the client’s own tool stays a call, and what is said beside it is no answer', async () => {
      played.play(
        claude(
          [
            { type: 'text', text: 'Let me see.' },
            { ...ANSWER, name: 'weather' },
          ],
          'tool_use',
          isStream,
        ),
      )
      const calls = [{ name: 'weather', input: '{"city":"Rome"}' }]
      expect(await ask(isStream, { tools: [WEATHER] })).toEqual({ text: null, calls, reason: 'tool_calls' })
      expect(sent().tool_choice).toMatchObject({ type: 'any' })
    })

    test('an answer that a limit cut off says so', async () => {
      played.play(claude([ANSWER], 'max_tokens', isStream))
      expect(await ask(isStream)).toMatchObject({ reason: 'length' })
    })
  })
}

test('the library’s own stream reads the answer', async () => {
  played.play(claude([{ type: 'text', text: 'Here you are:' }, ANSWER], 'tool_use', true))
  const completion = await client.chat.completions.stream({ ...requestOf({}), stream: true }).finalChatCompletion()
  expect(completion.choices[0]?.message).toMatchObject({ content: '{"city":"Rome"}' })
})

test('a model that knows schemas is bound by its own', async () => {
  played.play(claude([{ type: 'text', text: '{"city":"Rome"}' }], 'end_turn', false))
  expect((await ask(false, { model: 'anthropic/claude-sonnet-4-5' })).text).toBe('{"city":"Rome"}')
  expect(sent()).toMatchObject({ output_config: { format: { type: 'json_schema' } } })
  expect(sent()).not.toHaveProperty('tools')
})

test('thinking makes way for the answer, and the client is told', async () => {
  played.play(claude([ANSWER], 'tool_use', false))
  const body = {
    model: MODEL,
    messages: [{ role: 'user', content: 'Where?' }],
    response_format: FORMAT,
    reasoning_effort: 'high',
  }
  const answer = await app.ask('/v1/chat/completions', { body })
  expect(answer.headers.get('x-gateway-dropped')).toBe('thinking')
})
