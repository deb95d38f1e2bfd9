import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Part } from '../../../src/dialects/neutral.ts'
import { chatRequest, exchanges, NEWEST, OLDER, targetContext } from './support.ts'
import { assistant, encode, expectBody, text, TOOL, user } from './request-encoding.ts'

function refusal(more: Partial<ChatRequest>, target: TargetContext = targetContext()): object | undefined {
  const result = anthropicMessages.encodeRequest(chatRequest(more), target)
  return result.ok ? undefined : result.error
}

describe('the body', () => {
  test('the least there is', () => {
    expect(encode({})).toEqual({
      body: { model: 'claude-target', max_tokens: 8192, messages: [{ role: 'user', content: 'Hello' }], stream: true },
      headers: [['anthropic-version', '2023-06-01']],
      dropped: [],
      toolNames: new Map(),
    })
  })

  const bodies: readonly [
    name: string,
    more: Partial<ChatRequest>,
    target: TargetContext,
    body: object,
    dropped?: readonly string[],
  ][] = [
    ['a limit that the model caps', {}, targetContext({ ...NEWEST, maxOutputTokens: 4096 }), { max_tokens: 4096 }],
    ["the client's own limit", { maxTokens: 0 }, targetContext(), { max_tokens: 0 }],
    ['system text', { system: [{ type: 'text', text: 'S' }] }, targetContext(), { system: 'S' }],
    [
      'system text with a mark',
      {
        system: [
          { type: 'text', text: 'S', cache: { ttl: '12h' } },
          { type: 'text', text: ' ' },
        ],
      },
      targetContext(),
      { system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    ],
    [
      'sampling for a model that has it',
      { sampling: { temperature: 1.7, topK: 3, stop: ['x', ' '] } },
      targetContext(OLDER),
      { temperature: 1, top_k: 3, stop_sequences: ['x'] },
      ['stop'],
    ],
    [
      'temperature before top_p',
      { sampling: { temperature: 0.2, topP: 0.9 } },
      targetContext(OLDER),
      { temperature: 0.2, top_p: undefined },
      ['top_p'],
    ],
    [
      'no sampling for a model that has none',
      { sampling: { temperature: 1, topP: 1, seed: 1, minP: 0.1, logitBias: {} } },
      targetContext(),
      { temperature: undefined, top_p: undefined, seed: undefined },
      ['temperature', 'top_p', 'min_p', 'seed', 'logit_bias'],
    ],
    [
      'a user and a tier',
      { user: 'u', serviceTier: 'priority' },
      targetContext(),
      { metadata: { user_id: 'u' }, service_tier: 'auto' },
    ],
    [
      'a tier that is unknown here',
      { serviceTier: 'flex' },
      targetContext(),
      { service_tier: undefined },
      ['service_tier'],
    ],
    [
      'speed where betas are taken',
      { serviceTier: 'fast' },
      targetContext(NEWEST, { acceptsBetas: true }),
      { speed: 'fast' },
    ],
    [
      'fields that the host refuses',
      { user: 'u' },
      targetContext(NEWEST, { stripFields: ['metadata'] }),
      { metadata: undefined },
      ['metadata'],
    ],
    [
      'a JSON object',
      { output: { kind: 'json-object' } },
      targetContext(),
      { system: expect.stringContaining('JSON') },
    ],
    [
      'only system text',
      { system: [{ type: 'text', text: 'S' }], messages: [] },
      targetContext(),
      { messages: [{ role: 'user', content: '.' }] },
    ],
    [
      'an assistant that begins',
      { messages: [assistant(text('Hi')), user(text('Hello'))] },
      targetContext(),
      {
        messages: [
          { role: 'user', content: '.' },
          { role: 'assistant', content: 'Hi' },
          { role: 'user', content: 'Hello' },
        ],
      },
    ],
    [
      'system text on the way',
      { messages: [user(text('a')), { role: 'system', parts: [text('be calm')] }] },
      targetContext(),
      {
        messages: [
          { role: 'user', content: [{ text: 'a' }, { text: '<system-reminder>\nbe calm\n</system-reminder>' }] },
        ],
      },
    ],
    [
      'a refusal in the history',
      { messages: [user(text('a')), assistant({ type: 'refusal', text: 'No.' }), user(text('b'))] },
      targetContext(),
      { messages: [{}, { content: 'No.' }, {}] },
    ],
    [
      'a prefilled answer, without its last space',
      { messages: [user(text('a')), assistant(text('Sure: '))] },
      targetContext(OLDER),
      { messages: [{}, { content: 'Sure:' }] },
    ],
  ]
  for (const [name, more, target, body, dropped = []] of bodies) {
    test(name, () => {
      const encoded = encode(more, target)
      expectBody(encoded.body, body)
      expect(encoded.dropped).toEqual(dropped)
    })
  }

  const refused: readonly [param: string, more: Partial<ChatRequest>, target?: TargetContext][] = [
    ['n', { sampling: { n: 2 } }],
    ['logprobs', { sampling: { logprobs: 3 } }],
    ['tools.1', { tools: [TOOL, { kind: 'hosted', name: 'web', raw: { origin: 'openai-responses', body: {} } }] }],
    ['messages', { messages: [user(text('a')), assistant(text('Sure'))] }],
    [
      'messages.0.parts.0',
      { messages: [user({ type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: '' } })] },
    ],
    [
      'messages.0.parts.0',
      { messages: [user({ type: 'image', source: { kind: 'base64', mime: 'image/tiff', data: 'SUkq' } })] },
    ],
    [
      'messages.0.parts.0',
      { messages: [user({ type: 'image', source: { kind: 'file', id: 'f', origin: 'openai-responses' } })] },
    ],
    [
      'messages.0.parts.0',
      { messages: [user({ type: 'image', source: { kind: 'url', url: 'https://a.example' } })] },
      targetContext({ ...NEWEST, images: false }),
    ],
    [
      'messages.0.parts.0',
      { messages: [user({ type: 'document', source: { kind: 'base64', mime: 'application/zip', data: 'UEsD' } })] },
    ],
  ]
  for (const [param, more, target] of refused) {
    test(`refused: ${param} of ${JSON.stringify(more).slice(0, 70)}`, () => {
      expect(refusal(more, target)).toMatchObject({ kind: 'unsupported', param })
    })
  }
})

describe('pictures and documents', () => {
  const source = (part: Part): unknown => {
    const [message] = encode({ messages: [user(part)] }).body['messages'] as JsonObject[]
    const [block] = (message?.['content'] ?? []) as JsonObject[]
    return block
  }
  test('the bytes say what a picture is', () => {
    expect(source({ type: 'image', source: { kind: 'base64', mime: 'image/*', data: '/9j/4AAQ' } })).toEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4AAQ' },
    })
  })
  test('a picture by address', () => {
    expect(source({ type: 'image', source: { kind: 'url', url: 'https://a.example' }, cache: {} })).toEqual({
      type: 'image',
      source: { type: 'url', url: 'https://a.example' },
      cache_control: { type: 'ephemeral' },
    })
  })
  test('a document of text, and one whose bytes are text', () => {
    const expected = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'hi' },
      title: 'a.txt',
    }
    expect(
      source({ type: 'document', title: 'a.txt', source: { kind: 'text', text: 'hi', mime: 'text/plain' } }),
    ).toEqual(expected)
    expect(
      source({
        type: 'document',
        source: { kind: 'base64', mime: 'text/plain; charset=utf-8', data: 'aGk=', filename: 'a.txt' },
      }),
    ).toEqual(expected)
  })
  test('a picture in an answer of the model is only named', () => {
    const { body } = encode({
      messages: [user(text('a')), assistant({ type: 'image', source: { kind: 'url', url: 'x' } }), user(text('b'))],
    })
    expect(body['messages']).toMatchObject([{}, { content: '[image]' }, {}])
  })
})

for (const { name, request } of exchanges()) {
  test(`the request of ${name} survives decoding and encoding`, () => {
    const decoded = anthropicMessages.decodeRequest(request, new Headers())
    if (!decoded.ok) throw new Error(decoded.error.message)
    const encoded = anthropicMessages.encodeRequest(decoded.value, {
      ...targetContext(name.startsWith('thinking') ? OLDER : NEWEST),
      model: String(request['model']),
    })
    expect(encoded).toMatchObject({ ok: true, value: { dropped: [] } })
    expect(encoded.ok && encoded.value.body).toMatchObject(request as never)
  })
}

test('the transcript of a hosted search goes back verbatim and in its order, sources and sealed fields included', () => {
  const found = {
    type: 'web_search_result',
    url: 'https://a.example',
    title: 'A',
    encrypted_content: 'x',
    page_age: null,
  }
  const location = {
    type: 'web_search_result_location',
    url: 'https://a.example',
    title: 'A',
    cited_text: 'warm',
    encrypted_index: 'i',
  }
  const content = [
    { type: 'text', text: 'Let me look.' },
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Rome' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
    { type: 'text', text: 'It is warm.', citations: [location] },
  ]
  const question = (words: string): JsonObject => ({ role: 'user', content: words })
  const messages = [question('Weather?'), { role: 'assistant', content }, question('And now?')]
  const decoded = anthropicMessages.decodeRequest({ model: 'm', max_tokens: 9, messages }, new Headers())
  if (!decoded.ok) throw new Error(decoded.error.message)
  expect(encode(decoded.value).body['messages']).toEqual(messages)
})
