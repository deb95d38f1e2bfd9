import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { failure } from '../../../src/core/failure.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { encodeStreamFailure } from '../../../src/dialects/openai-responses/failure.ts'
import { encodeReply } from '../../../src/dialects/openai-responses/reply-encode.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatEvent, ChatRequest, Tool } from '../../../src/dialects/neutral.ts'
import { clientContext, render, rendered } from './support.ts'

/** Serves `stream` to the official client, as a provider on loopback would. */
let stream = ''
let server: Bun.Server<undefined>
let client: OpenAI

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  })
  client = new OpenAI({ apiKey: 'test', baseURL: `http://127.0.0.1:${server.port}/v1`, maxRetries: 0 })
})
afterAll(() => server.stop(true))

async function read(events: readonly ChatEvent[], request: Partial<ChatRequest> = {}) {
  stream = render(events, request)
  return client.responses.stream({ model: 'm', input: 'hi' }).finalResponse()
}

const START: ChatEvent = { type: 'start', id: 'up_1', model: 'upstream-model' }
const USAGE: ChatEvent = {
  type: 'usage',
  usage: { ...NO_USAGE, inputUncached: 3, cacheRead: 4, cacheWrite5m: 2, output: 9, reasoning: 5 },
}

function end(reason: 'stop' | 'tool-calls' | 'length' | 'refusal'): readonly ChatEvent[] {
  return [USAGE, { type: 'finish', finish: { reason } }, { type: 'end' }]
}

function text(...deltas: readonly string[]): readonly ChatEvent[] {
  const middle = deltas.map((delta): ChatEvent => ({ type: 'text-delta', text: delta }))
  return [{ type: 'text-start' }, ...middle, { type: 'text-end' }]
}

function reasoning(textOf: string, blob?: string): readonly ChatEvent[] {
  const opaque = blob === undefined ? {} : { opaque: { vendor: 'openai', kind: 'encrypted' as const, blob } }
  const delta: readonly ChatEvent[] = textOf === '' ? [] : [{ type: 'reasoning-delta', text: textOf }]
  return [{ type: 'reasoning-start' }, ...delta, { type: 'reasoning-end', redacted: false, ...opaque }]
}

function call(id: string, name: string, parts: readonly string[], more: { kind?: 'custom'; complete?: false } = {}) {
  const deltas = parts.map((part): ChatEvent => ({ type: 'tool-call-delta', text: part }))
  const start: ChatEvent = { type: 'tool-call-start', id, name, kind: more.kind ?? 'function' }
  return [start, ...deltas, { type: 'tool-call-end', complete: more.complete ?? true } as ChatEvent]
}

test('the official client reads text and usage', async () => {
  const response = await read([START, ...text('Hel', 'lo'), ...end('stop')])
  expect(response.output_text).toBe('Hello')
  expect(response.status).toBe('completed')
  expect(response.model).toBe('openai/gpt-6')
  expect(response.usage).toEqual({
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 18,
  })
})

test('the official client reads reasoning, text and a call in their order', async () => {
  const events = [
    START,
    ...reasoning('Hm.', 'secret'),
    ...text('ok'),
    ...call('call_1', 'add', ['{"a":', '1}']),
    ...end('tool-calls'),
  ]
  const { output } = await read(events)
  expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
  expect(output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'secret' })
  expect(output[2]).toMatchObject({ call_id: 'call_1', name: 'add', arguments: '{"a":1}', status: 'completed' })
})

test('every response object repeats the model as the client wrote it', () => {
  const events = rendered([START, ...text('a'), ...end('stop')])
  const models = events.flatMap(({ response }) => (response === undefined ? [] : [response.model]))
  expect(models).toEqual(['openai/gpt-6', 'openai/gpt-6', 'openai/gpt-6'])
})

test('opaque reasoning is an item without a summary', async () => {
  const { output } = await read([START, ...reasoning('', 'secret'), ...text('ok'), ...end('stop')])
  expect(output[0]).toMatchObject({ type: 'reasoning', summary: [], encrypted_content: 'secret' })
})

test('foreign state travels in an envelope, and thinking that turns out empty is no item', async () => {
  const signed: readonly ChatEvent[] = [
    { type: 'reasoning-start' },
    { type: 'reasoning-end', redacted: false, opaque: { vendor: 'anthropic', kind: 'signature', blob: 'sig' } },
  ]
  const { output } = await read([START, ...reasoning(''), ...signed, ...text('ok'), ...end('stop')])
  expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
  expect(output[0]).toMatchObject({ encrypted_content: expect.stringMatching(/^gw1:/) })
})

test('the official client reads a custom tool’s free text', async () => {
  const { output } = await read([
    START,
    ...call('call_1', 'patch', ['*** Begin', ' Patch'], { kind: 'custom' }),
    ...end('tool-calls'),
  ])
  expect(output[0]).toMatchObject({ type: 'custom_tool_call', name: 'patch', input: '*** Begin Patch' })
})

const PATCH: Tool = { kind: 'custom', name: 'patch' }

test('a custom tool that was offered as a function of one string is unwrapped', async () => {
  const events = [START, ...call('call_1', 'patch', ['{"input":"a', '\\nb"}']), ...end('tool-calls')]
  const { output } = await read(events, { tools: [PATCH] })
  expect(output[0]).toMatchObject({ type: 'custom_tool_call', input: 'a\nb' })
})

test('a tool of a namespace comes back under its own two names', async () => {
  const namespace = { name: 'crm', description: 'd', member: 'find' }
  const tools: readonly Tool[] = [{ kind: 'function', name: 'crm__find', namespace }]
  const events = [START, ...call('call_1', 'crm__find', ['{}']), ...end('tool-calls')]
  const { output, tools: echoed } = await read(events, { tools })
  expect(output[0]).toMatchObject({ name: 'find', namespace: 'crm' })
  expect(echoed).toMatchObject([{ type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] }])
})

test('a cut by the limit is incomplete, with the arguments as far as they came', async () => {
  const cut = [START, ...text('so'), ...call('c', 'f', ['{"a":'], { complete: false }), ...end('length')]
  expect(rendered(cut).some(({ type }) => type === 'response.function_call_arguments.done')).toBe(false)
  const response = await read(cut)
  expect(response.status).toBe('incomplete')
  expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' })
  expect(response.output[1]).toMatchObject({ status: 'incomplete', arguments: '{"a":' })
})

test('a filtered answer is incomplete, a refusal in words is complete', async () => {
  const filtered = await read([START, ...text('I ca'), ...end('refusal')])
  expect(filtered.incomplete_details).toEqual({ reason: 'content_filter' })
  const words: readonly ChatEvent[] = [
    { type: 'refusal-start' },
    { type: 'refusal-delta', text: 'No.' },
    { type: 'refusal-end' },
  ]
  const refused = await read([START, ...words, ...end('refusal')])
  expect(refused.status).toBe('completed')
  expect(refused.output[0]).toMatchObject({ content: [{ type: 'refusal', refusal: 'No.' }] })
})

test('a failure after content leaves what was said', async () => {
  const broken: readonly ChatEvent[] = [
    START,
    ...text('one'),
    ...call('c', 'f', ['{}']),
    { type: 'text-start' },
    { type: 'text-delta', text: 'tw' },
    { type: 'failure', failure: failure('cut', 'The answer stopped before its end.') },
    { type: 'end' },
  ]
  const response = await read(broken)
  expect(response.status).toBe('failed')
  expect(response.error).toMatchObject({ code: 'server_error' })
  expect(response.output.map((item) => 'status' in item && item.status)).toEqual([
    'completed',
    'completed',
    'incomplete',
  ])
})

test('the official client throws on an error event', async () => {
  stream = encodeStreamFailure(failure('overloaded', 'Busy.'))
  expect(client.responses.stream({ model: 'm', input: 'hi' }).finalResponse()).rejects.toThrow('Busy.')
})

test('no content at all is a completed response without items', async () => {
  const response = await read([START, ...end('stop')])
  expect(response).toMatchObject({ status: 'completed', output: [], output_text: '' })
})

const MIXED = [
  START,
  ...reasoning('Hm.', 'secret'),
  ...text('a'),
  ...call('c1', 'f', []),
  ...text('b', 'c'),
  ...call('c2', 'g', ['{"x":1}']),
  ...end('tool-calls'),
]

test('every delta has its item and its part, under one id', () => {
  const known = new Set<string>()
  for (const event of rendered(MIXED)) {
    if (event.type === 'response.output_item.added') known.add(event.item.id)
    if (event.type === 'response.content_part.added') known.add(`${event.item_id}.${event.content_index}`)
    if (event.type === 'response.reasoning_summary_part.added') known.add(`${event.item_id}.${event.summary_index}`)
    const part = event.content_index ?? event.summary_index
    if (event.item_id !== undefined) expect(known.has(event.item_id)).toBe(true)
    if (part !== undefined) expect(known.has(`${event.item_id}.${part}`)).toBe(true)
  }
})

test('one counter numbers all items, and one all events', () => {
  const events = rendered(MIXED)
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
  const added = events.filter((event) => event.type === 'response.output_item.added')
  expect(added.map((event) => event.output_index)).toEqual([0, 1, 2, 3, 4])
})

test('a call is done exactly once, with its arguments', () => {
  const events = rendered(MIXED)
  const done = events.filter((event) => event.type === 'response.function_call_arguments.done')
  expect(done.map((event) => event.arguments)).toEqual(['{}', '{"x":1}'])
  const items = events.filter((event) => event.type === 'response.output_item.done')
  expect(items.map((event) => event.item.type)).toEqual([
    'reasoning',
    'message',
    'function_call',
    'message',
    'function_call',
  ])
})

test('the empty arrays and both usage details are there', () => {
  const events = rendered(MIXED)
  for (const event of events) {
    if (event.type === 'response.output_text.delta') expect(event.logprobs).toEqual([])
    if (event.type === 'response.output_text.done') expect(event.logprobs).toEqual([])
    if (event.type === 'response.content_part.added') expect(event.part.annotations).toEqual([])
  }
  const { response } = events.at(-1)
  expect(response.usage.input_tokens_details).toBeDefined()
  expect(response.usage.output_tokens_details).toBeDefined()
  expect(response.output[1].content[0]).toMatchObject({ annotations: [], logprobs: [] })
})

test('the terminal snapshot holds the very items that were done', () => {
  const events = rendered(MIXED)
  const done = events.filter((event) => event.type === 'response.output_item.done').map((event) => event.item)
  expect(events.at(-1).response.output).toEqual(done)
})

test('the message inside which the answer was cut is incomplete', async () => {
  const { output } = await read([START, ...text('so far'), ...end('length')])
  expect(output).toMatchObject([{ type: 'message', status: 'incomplete' }])
})

test('citations become links, or are left out; its own are what they were', () => {
  const file = { type: 'file_citation', file_id: 'f', filename: 'a.txt', index: 1 }
  const citations = [
    { url: 'https://example.com', title: 'T', quote: 'x' },
    { url: 'https://example.com', span: { start: 1, end: 2 } },
    { title: 'a file', quote: 'y' },
    { title: 'a.txt', raw: { origin: 'openai-responses' as const, body: file } },
  ]
  const cited: readonly ChatEvent[] = [
    { type: 'text-start' },
    { type: 'text-delta', text: 'abc' },
    { type: 'text-end', citations },
  ]
  const { response } = rendered([START, ...cited, ...end('stop')]).at(-1)
  expect(response.output[0].content[0].annotations).toEqual([
    { type: 'url_citation', start_index: 0, end_index: 3, url: 'https://example.com', title: 'T' },
    { type: 'url_citation', start_index: 1, end_index: 2, url: 'https://example.com', title: '' },
    file,
  ])
})

test('nothing is written before the first content', () => {
  expect(render([START, USAGE])).toBe('')
  expect(render([START, { type: 'text-start' }])).toBe('')
  expect(render([{ type: 'ping' }])).toBe(': keepalive\n\n')
})

test('half a character waits for its other half', () => {
  const events = rendered([START, ...text('a\ud83d', '\ude00b'), ...text('\ud83d'), ...end('stop')])
  const deltas = events.filter((event) => event.type === 'response.output_text.delta').map((event) => event.delta)
  expect(deltas).toEqual(['a', '😀b', '\ud83d'])
})

test('two texts in a row are two parts of one message', () => {
  const { response } = rendered([START, ...text('a'), ...text('b'), ...end('stop')]).at(-1)
  expect(response.output).toMatchObject([{ content: [{ text: 'a' }, { text: 'b' }] }])
})

test('a plain reply is the snapshot with which the stream ends', () => {
  const reply = foldEvents(MIXED)
  if (!reply.ok) throw new Error(reply.error.message)
  expect(encodeReply(reply.value, clientContext())).toEqual(rendered(MIXED).at(-1).response)
})
