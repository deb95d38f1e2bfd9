/**
 * What a translation cannot carry, seen from outside: what would change the answer is refused, a quality hint is listed (or refused,
 * where the owner wants that), book-keeping goes without a word. Nothing is lost quietly.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { listedLosses, refusedLosses } from '../../src/gateway/translate/dropped.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { CHAT, type Client, MESSAGES, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

let lenient: TestApp
let strict: TestApp
beforeAll(async () => {
  lenient = await makeApp()
  strict = await makeApp({ settings: { routing: { strict_params: true } } })
})
afterAll(async () => {
  await lenient[Symbol.asyncDispose]()
  await strict[Symbol.asyncDispose]()
})

interface Outcome {
  readonly status: number
  readonly dropped: readonly string[]
  readonly message: string | undefined
  readonly id: string
}

async function check(app: TestApp, client: Client, more: object): Promise<Outcome> {
  const speaker = client === MESSAGES ? OPENAI_CHAT : ANTHROPIC
  app.upstream(speaker.provider).played.otherwise(json(speaker.reply('hi')))
  const answer = await app.ask(client.path, { body: { ...client.body(speaker.model), ...more } })
  return {
    status: answer.status,
    dropped: (answer.headers.get('x-gateway-dropped') ?? '').split(',').filter((name) => name !== ''),
    message: answer.body.error?.message,
    id: answer.headers.get('x-request-id') ?? '',
  }
}

const user = (content: unknown): object[] => [{ role: 'user', content }]
const TOOL = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
const MARK = { cache_control: { type: 'ephemeral' } }
const IMAGE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
const FOREIGN_THINKING = { type: 'thinking', thinking: 'x', signature: 'EuQBCkY' }

/** Quality hints: [client, what it sends, what is listed]. Its provider speaks another dialect. */
const HINTS: readonly (readonly [what: string, client: Client, more: object, listed: readonly string[]])[] = [
  ['seed', CHAT, { seed: 1 }, ['seed']],
  ['penalties', CHAT, { presence_penalty: 1, frequency_penalty: 1 }, ['presence_penalty', 'frequency_penalty']],
  ['a logit bias', CHAT, { logit_bias: { '1': 2 } }, ['logit_bias']],
  ['min_p', CHAT, { min_p: 0.1 }, ['min_p']],
  ['verbosity', CHAT, { verbosity: 'low' }, ['verbosity']],
  ['a prediction', CHAT, { prediction: { type: 'content', content: 'x' } }, ['prediction']],
  [
    'the detail of an image',
    CHAT,
    { messages: user([{ type: 'image_url', image_url: { url: IMAGE, detail: 'low' } }]) },
    ['detail'],
  ],
  ['the name of a speaker', CHAT, { messages: [{ role: 'user', name: 'anna', content: 'Hi' }] }, ['messages.name']],
  ['verbosity of Responses', RESPONSES, { text: { verbosity: 'high' } }, ['verbosity']],
  ['truncation', RESPONSES, { truncation: 'auto' }, ['truncation']],
  ['top_k', MESSAGES, { top_k: 5 }, ['top_k']],
  ['a cache mark on a block', MESSAGES, { messages: user([{ type: 'text', text: 'Hi', ...MARK }]) }, ['cache_control']],
  [
    'a cache mark on the system prompt',
    MESSAGES,
    { system: [{ type: 'text', text: 'Hi', ...MARK }] },
    ['cache_control'],
  ],
  ['a cache mark on the whole', MESSAGES, MARK, ['cache_control']],
  [
    'a cache mark on a tool',
    MESSAGES,
    { tools: [{ name: 'f', input_schema: { type: 'object' }, ...MARK }] },
    ['cache_control'],
  ],
  [
    'citations of a document',
    MESSAGES,
    {
      messages: user([
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'x' },
          citations: { enabled: true },
        },
      ]),
    },
    ['citations'],
  ],
  [
    'what the client says of a document',
    MESSAGES,
    {
      messages: user([
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjc=' },
          context: 'x',
        },
      ]),
    },
    ['context'],
  ],
]

describe('a quality hint that cannot be carried', () => {
  test.each(HINTS)('is listed, in the answer and in the request log: %s', async (_, client, more, listed) => {
    const { status, dropped, id } = await check(lenient, client, more)
    expect({ status, dropped: dropped.toSorted() }).toEqual({ status: 200, dropped: listed.toSorted() })
    const row = (await lenient.rows()).find((one) => one.id === id)
    expect(row?.['dropped'].toSorted()).toEqual(listed.toSorted())
  })

  test.each(HINTS)('is refused by name where the owner wants that: %s', async (_, client, more, listed) => {
    const { status, message } = await check(strict, client, more)
    expect(status).toBe(400)
    for (const name of listed) expect(message).toContain(name)
  })
})

test.each<[string, Client, object]>([
  ['metadata', CHAT, { metadata: { a: 'b' } }],
  ['the user', CHAT, { user: 'u1', safety_identifier: 'u2' }],
  ['whether to store', CHAT, { store: true }],
  ['the key and the life of a cache', CHAT, { prompt_cache_key: 'k', prompt_cache_retention: '24h' }],
  ['options of a stream', RESPONSES, { stream_options: { include_obfuscation: false } }],
  ['metadata of Responses', RESPONSES, { metadata: { a: 'b' }, user: 'u', store: false }],
  ['metadata of Messages', MESSAGES, { metadata: { user_id: 'u', session: 's' } }],
])('book-keeping is left out without a word: %s', async (_, client, more) => {
  for (const app of [lenient, strict])
    expect(await check(app, client, more)).toMatchObject({ status: 200, dropped: [] })
})

test.each<[string, Client, object, readonly string[]]>([
  ['a field that nobody here knows', CHAT, { x_new: 1 }, ['x_new']],
  ['a field that nobody here knows', MESSAGES, { container: { id: 'c' } }, ['container']],
  ['a field that nobody here knows', RESPONSES, { max_tool_calls: 3 }, ['max_tool_calls']],
  [
    'thinking of another vendor',
    MESSAGES,
    {
      messages: [
        ...user('Hi'),
        { role: 'assistant', content: [FOREIGN_THINKING, { type: 'text', text: 'x' }] },
        ...user('And?'),
      ],
    },
    ['thinking'],
  ],
])('%s is listed and never an error', async (_, client, more, listed) => {
  for (const app of [lenient, strict]) {
    expect(await check(app, client, more)).toMatchObject({ status: 200, dropped: listed })
  }
})

test.each(['x_new', 'seed', 'metadata'])('a field that is null is none: %s', async (name) => {
  expect(await check(strict, CHAT, { [name]: null })).toMatchObject({ status: 200, dropped: [] })
})

test.each<[string, Client, object, string]>([
  ['several answers', CHAT, { n: 2 }, 'n'],
  ['log-probabilities', CHAT, { logprobs: true }, 'logprobs'],
  ['sound for an answer', CHAT, { modalities: ['audio'] }, 'modalities'],
  ['sound', CHAT, { messages: user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]) }, 'audio'],
  ['an unknown part', CHAT, { messages: user([{ type: 'x_new' }]) }, 'messages.0.content.0.type'],
  ['a stored file', CHAT, { messages: user([{ type: 'file', file: { file_id: 'file_1' } }]) }, 'file'],
  ['a stored prompt', RESPONSES, { prompt: { id: 'p' } }, 'prompt'],
  ['a stored conversation', RESPONSES, { conversation: 'conv_1' }, 'conversation'],
  ['work in the background', RESPONSES, { background: true }, 'background'],
  [
    'a tool of the vendor',
    RESPONSES,
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    'tools.0',
  ],
  [
    'a tool of the vendor',
    MESSAGES,
    { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] },
    'tools.0',
  ],
  ['an answer of no tokens', MESSAGES, { max_tokens: 0 }, 'max_tokens'],
])('what would change the answer is refused by name, whatever the setting: %s', async (_, client, more, field) => {
  for (const app of [lenient, strict]) {
    const { status, message } = await check(app, client, more)
    expect(status).toBe(400)
    expect(message).toContain(field)
  }
})

test('between clients and providers of one dialect nothing is dropped, however strict', async () => {
  strict.upstream('openai').played.play(json(OPENAI_CHAT.reply('hi')))
  const body = { ...CHAT.body(OPENAI_CHAT.model), seed: 1, x_new: 1, tools: [TOOL], top_k: 3 }
  const answer = await strict.ask(CHAT.path, { body })
  expect({ status: answer.status, dropped: answer.headers.get('x-gateway-dropped') }).toEqual({
    status: 200,
    dropped: null,
  })
})

/** What dialects report as left out, by the literals in their sources. */
async function namesReported(): Promise<readonly string[]> {
  const dialects = new URL('../../src/dialects/', import.meta.url).pathname
  const names = new Set<string>()
  for await (const file of new Glob('**/*.ts').scan(dialects)) {
    const source = await Bun.file(dialects + file).text()
    for (const [, name] of source.matchAll(/\b(?:drop|dropped\.(?:add|push))\('([^']+)'\)/g)) names.add(name ?? '')
  }
  return [...names]
}

test('every name that a dialect reports has its class; only thinking is a matter of the conversation', async () => {
  const names = await namesReported()
  expect(names.length).toBeGreaterThan(10)
  const unclassed = names.filter((name) => refusedLosses([name]) === undefined && listedLosses([name]).length > 0)
  expect(unclassed).toEqual(['thinking'])
})
