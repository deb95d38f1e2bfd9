import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { ModelCapabilities, Quirks } from '../../../src/catalog/provider.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { EncodedRequest } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part, Tool } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { chatRequest, targetContext } from './support.ts'

interface Host {
  readonly quirks?: Quirks
  readonly can?: Partial<ModelCapabilities>
}

function encoded(request: Partial<ChatRequest>, { quirks, can }: Host = {}): EncodedRequest {
  const result = openaiChat.encodeRequest(chatRequest(request), targetContext(quirks, can))
  if (!result.ok) throw new Error(`${result.error.kind} ${result.error.param}: ${result.error.message}`)
  return result.value
}

function refusalOf(request: Partial<ChatRequest>, { quirks, can }: Host = {}): string {
  const result = openaiChat.encodeRequest(chatRequest(request), targetContext(quirks, can))
  return result.ok ? 'accepted' : `${result.error.kind} ${result.error.param}`
}

function messagesOf(request: Partial<ChatRequest>, host: Host = {}): Json | undefined {
  return encoded(request, host).body['messages']
}

const text = (words: string): Part & { type: 'text' } => ({ type: 'text', text: words })
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
const call = (id: string, name = 'f', argumentsText = '{}'): Part => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})
const result = (callId: string, ...parts: readonly (Part & { type: 'text' | 'image' | 'document' })[]): Part => ({
  type: 'tool-result',
  callId,
  parts,
  isError: false,
})
const image: Part & { type: 'image' } = { type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'AAAA' } }
const wireImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const wireCall = (id: string, name = 'f', args = '{}'): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

describe('messages', () => {
  interface Case {
    readonly name: string
    readonly request: Partial<ChatRequest>
    readonly host?: Host
    readonly messages: readonly JsonObject[]
  }

  const cases: readonly Case[] = [
    {
      name: 'system text is joined to one message',
      request: { system: [text('a'), text('b')] },
      messages: [
        { role: 'system', content: 'a\n\nb' },
        { role: 'user', content: 'Hello' },
      ],
    },
    {
      name: 'a model that knows `developer` gets it',
      request: { system: [text('a')] },
      host: { can: { developerRole: true } },
      messages: [
        { role: 'developer', content: 'a' },
        { role: 'user', content: 'Hello' },
      ],
    },
    {
      name: 'a host that does not know it, not',
      request: { system: [text('a')] },
      host: { can: { developerRole: true }, quirks: { noDeveloperRole: true } },
      messages: [
        { role: 'system', content: 'a' },
        { role: 'user', content: 'Hello' },
      ],
    },
    {
      name: 'without a system role its text opens the first user message',
      request: { system: [text('a')], messages: [user(text('x'), image), { role: 'system', parts: [text('b')] }] },
      host: { quirks: { noSystemRole: true } },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'x' }, wireImage] },
        { role: 'user', content: 'b' },
      ],
    },
    {
      name: 'text alone is a string, with media it is parts',
      request: { messages: [user(text('a'), text('b')), assistant(text('c'), text('d')), user(text('e'), image)] },
      messages: [
        { role: 'user', content: 'a\n\nb' },
        { role: 'assistant', content: 'cd' },
        { role: 'user', content: [{ type: 'text', text: 'e' }, wireImage] },
      ],
    },
    {
      name: 'content is null beside calls alone',
      request: { messages: [user(text('a')), assistant(call('1', 'f', '')), user(result('1', text('ok')))] },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
      ],
    },
    {
      name: 'text behind a call still is content',
      request: {
        messages: [user(text('a')), assistant(text('b'), call('1'), text('c')), user(result('1', text('ok')))],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'bc', tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
      ],
    },
    {
      name: 'results in the order of the calls, their images behind all of them',
      request: {
        messages: [
          user(text('a')),
          assistant(call('1'), call('2')),
          user(result('2', image), result('1', text('one'), image), text('look')),
        ],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1'), wireCall('2')] },
        { role: 'tool', tool_call_id: '1', content: 'one\n\n(image attached)' },
        { role: 'tool', tool_call_id: '2', content: '(image attached)' },
        { role: 'user', content: [wireImage, wireImage, { type: 'text', text: 'look' }] },
      ],
    },
    {
      name: 'an image of a result without anything behind it',
      request: { messages: [user(text('a')), assistant(call('1')), user(result('1', image))] },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: '(image attached)' },
        { role: 'user', content: [wireImage] },
      ],
    },
    {
      name: 'of two results for one call the last counts; an error says so; an empty one is told',
      request: {
        messages: [
          user(text('a')),
          assistant(call('1'), call('2')),
          user(
            result('1', text('old')),
            { type: 'tool-result', callId: '1', parts: [text('new')], isError: true },
            result('2'),
          ),
        ],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1'), wireCall('2')] },
        { role: 'tool', tool_call_id: '1', content: '[error] new' },
        { role: 'tool', tool_call_id: '2', content: '(no output)' },
      ],
    },
    {
      name: 'a call that nobody answered, and a result that nobody asked for',
      request: { messages: [user(text('a')), assistant(call('1')), user(result('9', text('stray')), text('b'))] },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: '[error] (no result)' },
        { role: 'user', content: 'stray\n\nb' },
      ],
    },
    {
      name: 'results behind a system message still go to their calls',
      request: {
        messages: [
          user(text('a')),
          assistant(call('1')),
          { role: 'system', parts: [text('s')] },
          user(result('1', text('ok'))),
        ],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
        { role: 'system', content: 's' },
      ],
    },
    {
      name: 'a refusal keeps its own form',
      request: { messages: [user(text('a')), assistant(text('b'), { type: 'refusal', text: 'no' }), user(text('c'))] },
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'b' },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { role: 'user', content: 'c' },
      ],
    },
    {
      name: 'documents: text inline under its title, a PDF as a file',
      request: {
        messages: [
          user(
            { type: 'document', source: { kind: 'text', text: 'body', mime: 'text/plain' }, title: 'T', context: 'C' },
            { type: 'document', source: { kind: 'base64', mime: 'application/pdf', data: 'JVBE' }, title: 'a.pdf' },
            { type: 'document', source: { kind: 'file', id: 'file-1', origin: 'openai-chat' } },
          ),
        ],
      },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'T\n\nC\n\nbody' },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
            { type: 'file', file: { file_id: 'file-1' } },
          ],
        },
      ],
    },
    {
      name: 'audio',
      request: { messages: [user({ type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'AA' } })] },
      messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }] }],
    },
    {
      name: 'blocks of another format are left out',
      request: {
        messages: [user(text('a'), { type: 'foreign', origin: 'anthropic-messages', kind: 'search_result', raw: {} })],
      },
      messages: [{ role: 'user', content: 'a' }],
    },
  ]
  for (const { name, request, host, messages } of cases) {
    test(name, () =>
      expect(JSON.parse(JSON.stringify(messagesOf(request, host)))).toEqual(JSON.parse(JSON.stringify(messages))),
    )
  }

  test('what cannot be carried at all refuses the request and names its place', () => {
    const image_ = (source: (Part & { type: 'image' })['source']): Part => ({ type: 'image', source })
    const pdf = (source: (Part & { type: 'document' })['source']): Part => ({ type: 'document', source })
    const place = 'unsupported messages.0.content'
    expect(refusalOf({ messages: [user(image_({ kind: 'file', id: 'f', origin: 'anthropic-messages' }))] })).toBe(place)
    expect(refusalOf({ messages: [user(pdf({ kind: 'file', id: 'f', origin: 'anthropic-messages' }))] })).toBe(place)
    expect(refusalOf({ messages: [user(pdf({ kind: 'url', url: 'https://x.example/a.pdf' }))] })).toBe(place)
    expect(refusalOf({ messages: [user(image)] }, { can: { images: false } })).toBe(place)
    const audio: Part = { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'A' } }
    expect(refusalOf({ messages: [user(audio)] }, { can: { audio: false } })).toBe(place)
  })
})

describe('reasoning in the history', () => {
  const thought = (vendor: string | undefined, blob = ''): Part => ({
    type: 'reasoning',
    text: 'hm',
    redacted: false,
    ...(vendor === undefined ? {} : { opaque: { vendor, kind: 'signature', blob } }),
  })
  const turns = (...parts: readonly Part[]): Partial<ChatRequest> => ({
    messages: [user(text('a')), assistant(...parts), user(result('1', text('ok')))],
  })
  const replays: Quirks = { replayReasoning: true }

  const cases: readonly (readonly [string, readonly Part[], Quirks, JsonObject, readonly string[]])[] = [
    ['it goes back with calls', [thought('acme'), call('1')], replays, { reasoning_content: 'hm' }, []],
    [
      'under the name that the host uses',
      [thought('acme'), call('1')],
      { ...replays, reasoningField: 'reasoning' },
      { reasoning: 'hm' },
      [],
    ],
    [
      'what a client of this format brings itself goes back',
      [thought(undefined), call('1')],
      replays,
      { reasoning_content: 'hm' },
      [],
    ],
    [
      'never to another vendor, which gets the empty field that it needs',
      [thought('other'), call('1')],
      replays,
      { reasoning_content: '' },
      ['thinking'],
    ],
    ['without calls and without text there is no field', [thought('other'), text('x')], replays, {}, ['thinking']],
    [
      'a host that does not ask for it gets none',
      [thought('acme'), call('1')],
      { reasoningField: 'reasoning' },
      {},
      ['thinking'],
    ],
    [
      "a host's own list goes back as it came",
      [thought('acme', '[{"type":"reasoning.text","text":"hm","signature":"EqQB"}]'), text('x')],
      {},
      { reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'EqQB' }] },
      [],
    ],
    ['thinking never becomes visible text', [thought('other'), text('x')], {}, { content: 'x' }, ['thinking']],
  ]
  for (const [name, parts, quirks, fields, dropped] of cases) {
    test(name, () => {
      const { body, dropped: left } = encoded(turns(...parts), { quirks })
      const turn = (body['messages'] as readonly JsonObject[])[1] ?? {}
      const reasoning = Object.fromEntries(
        Object.entries(turn).filter(([key]) => key.startsWith('reasoning') || key in fields),
      )
      expect(reasoning).toEqual(fields)
      expect(left).toEqual(dropped)
    })
  }
})

describe('tools', () => {
  const tool = (name: string, more: Partial<Tool> = {}): Tool => ({ name, kind: 'function', ...more })

  test('a schema becomes an object at its root; what stands under a name is untouched', () => {
    const schemas: readonly (readonly [JsonObject | undefined, JsonObject])[] = [
      [undefined, { type: 'object', properties: {} }],
      [{}, { type: 'object', properties: {} }],
      [
        { $schema: 'x', type: 'object' },
        { type: 'object', properties: {} },
      ],
      [
        { type: 'object', properties: { $schema: { type: 'object' }, type: { type: 'string' } }, required: ['type'] },
        { type: 'object', properties: { $schema: { type: 'object' }, type: { type: 'string' } }, required: ['type'] },
      ],
      [
        {
          description: 'd',
          anyOf: [
            { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a', 'b'] },
            { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
          ],
        },
        {
          description: 'd',
          type: 'object',
          properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] }, b: {} },
          required: ['a'],
        },
      ],
      [
        {
          allOf: [
            { properties: { a: {} }, required: ['a'] },
            { properties: { b: {} }, required: ['b'] },
          ],
        },
        { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
      ],
    ]
    for (const [schema, parameters] of [...schemas, ...REFERRING]) {
      const { body } = encoded({ tools: [tool('f', schema === undefined ? {} : { schema })] })
      expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'f', parameters } }])
      const [wire] = body['tools'] as readonly [{ readonly function: { readonly parameters: JsonObject } }]
      expect(wire.function.parameters).toEqual(parameters)
    }
  })

  test('names that the host refuses are changed, told apart, and known on the way back', () => {
    const long = 'x'.repeat(70)
    const { body, toolNames } = encoded({
      tools: [tool('mcp.read'), tool('mcp_read'), tool(long)],
      toolChoice: { type: 'named', name: 'mcp.read' },
      messages: [user(text('a')), assistant(call('1', long)), user(result('1', text('ok')))],
    })
    const sent = (body['tools'] as readonly JsonObject[]).map(
      (wire) => (wire['function'] as JsonObject)['name'] as string,
    )
    expect(new Set(sent).size).toBe(3)
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(sent.map((name) => toolNames.get(name) ?? name)).toEqual(['mcp.read', 'mcp_read', long])
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name: sent[0] } })
    expect(JSON.stringify(body['messages'])).toContain(`"name":"${sent[2]}"`)
  })

  test('ids that the host refuses are derived from the old ones, alike on call and result', () => {
    const ids = (id: string, quirks: Quirks): readonly unknown[] => {
      const messages = messagesOf(
        { messages: [user(text('a')), assistant(call(id)), user(result(id, text('ok')))] },
        { quirks },
      )
      const [, turn, answer] = messages as readonly [
        JsonObject,
        { tool_calls: [{ id: string }] },
        { tool_call_id: string },
      ]
      return [turn.tool_calls[0].id, answer.tool_call_id]
    }
    const [short, shortAgain] = ids('toolu_01A', { nineCharacterToolIds: true })
    expect(short).toMatch(/^[A-Za-z0-9]{9}$/)
    expect(shortAgain).toBe(short)
    expect(ids('toolu_01A', { nineCharacterToolIds: true })).toEqual([short, short])
    expect(ids('abcDEF123', { nineCharacterToolIds: true })).toEqual(['abcDEF123', 'abcDEF123'])
    expect(ids('functions.f:0', {})).toEqual(['functions.f:0', 'functions.f:0'])
    const [derived, derivedAgain] = ids('x'.repeat(90), {})
    expect(derived).toMatch(/^call_\w{24}$/)
    expect(derivedAgain).toBe(derived)
  })

  const choices: readonly (readonly [string, NonNullable<ChatRequest['toolChoice']>, Quirks, Json])[] = [
    ['auto', { type: 'auto' }, {}, 'auto'],
    ['none', { type: 'none' }, {}, 'none'],
    ['required', { type: 'required' }, {}, 'required'],
    ['required in the words of a host', { type: 'required' }, { requiredToolChoice: 'any' }, 'any'],
    ['a custom tool by name', { type: 'named', name: 'c' }, {}, { type: 'custom', custom: { name: 'c' } }],
    [
      'some of them',
      { type: 'allowed', mode: 'auto', names: ['f', 'c'] },
      {},
      {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: [
            { type: 'function', function: { name: 'f' } },
            { type: 'custom', custom: { name: 'c' } },
          ],
        },
      },
    ],
  ]
  for (const [name, toolChoice, quirks, wire] of choices) {
    test(`a choice: ${name}`, () => {
      const { body } = encoded({ tools: [tool('f'), tool('c', { kind: 'custom' })], toolChoice }, { quirks })
      expect(body['tool_choice'] as Json).toEqual(wire)
    })
  }

  test('parallel calls go with the tools, and nothing of tools without any', () => {
    expect(encoded({ tools: [tool('f')], parallelToolCalls: false }).body['parallel_tool_calls']).toBe(false)
    const { body } = encoded({ tools: [], toolChoice: { type: 'required' }, parallelToolCalls: false })
    expect(Object.keys(body)).toEqual(['model', 'messages'])
  })

  test('tools that another vendor runs or types are refused, this format’s own go on', () => {
    const raw = { origin: 'anthropic-messages', body: {} } as const
    expect(refusalOf({ tools: [tool('f'), tool('bash', { kind: 'client-typed', raw })] })).toBe('unsupported tools.1')
    expect(refusalOf({ tools: [tool('web', { kind: 'hosted', raw })] })).toBe('unsupported tools.0')
    const own = { origin: 'openai-chat', body: { type: 'web_search' } } as const
    expect(encoded({ tools: [tool('web', { kind: 'hosted', raw: own })] }).body['tools']).toEqual([
      { type: 'web_search' },
    ])
  })

  test('a grammar of another format is nested as here', () => {
    const raw = {
      origin: 'openai-responses',
      body: { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    } as const
    const { body } = encoded({ tools: [tool('c', { kind: 'custom', raw })] })
    expect(body['tools']).toMatchObject([
      {
        type: 'custom',
        custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
    ])
  })

  test('keywords that a host refuses are not in the schema of a tool', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    const parameters = (quirks: Quirks) => {
      const { body } = encoded({ tools: [tool('f', { schema })] }, { quirks })
      return body['tools']
    }
    expect(parameters({})).toMatchObject([{ function: { parameters: schema } }])
    expect(JSON.stringify(parameters({ toolSchemaStrips: ['additionalProperties'] }))).not.toContain('additional')
  })

  test('a choice that the host cannot be told is refused, and `none` takes the tools away', () => {
    const quirks = { stripFields: ['tool_choice'] }
    expect(refusalOf({ tools: [tool('f')], toolChoice: { type: 'required' } }, { quirks })).toBe(
      'unsupported tool_choice',
    )
    expect(encoded({ tools: [tool('f')], toolChoice: { type: 'none' } }, { quirks }).body).not.toHaveProperty('tools')
  })
})

describe('fields', () => {
  const STOPS = ['a', 'b', 'c', 'd', 'e']
  const schema: JsonObject = { type: 'object' }
  interface Case {
    readonly name: string
    readonly request: Partial<ChatRequest>
    readonly host?: Host
    readonly fields: JsonObject
    readonly dropped?: readonly string[]
  }

  const cases: readonly Case[] = [
    { name: 'the limit in its new spelling', request: { maxTokens: 5 }, fields: { max_completion_tokens: 5 } },
    {
      name: 'in the spelling of the host, never both',
      request: { maxTokens: 5 },
      host: { quirks: { maxTokensField: 'max_tokens' } },
      fields: { max_tokens: 5 },
    },
    {
      name: 'the limit that the model has',
      request: { maxTokens: 64_000 },
      host: { can: { maxOutputTokens: 4_096 } },
      fields: { max_completion_tokens: 4_096 },
    },
    {
      name: 'at most four stop sequences',
      request: { sampling: { stop: STOPS } },
      fields: { stop: ['a', 'b', 'c', 'd'] },
      dropped: ['stop'],
    },
    {
      name: 'no stop sequences',
      request: { sampling: { stop: ['a'] } },
      host: { can: { stopSequences: false } },
      fields: {},
      dropped: ['stop'],
    },
    {
      name: 'sampling',
      request: {
        sampling: { temperature: 0, topP: 1, presencePenalty: 1, frequencyPenalty: 2, logitBias: { '1': 2 }, seed: 3 },
      },
      fields: { temperature: 0, top_p: 1, presence_penalty: 1, frequency_penalty: 2, logit_bias: { '1': 2 }, seed: 3 },
    },
    {
      name: 'a model that refuses sampling',
      request: { sampling: { temperature: 1, topP: 1, presencePenalty: 0 } },
      host: { can: { sampling: false } },
      fields: {},
      dropped: ['temperature', 'top_p', 'presence_penalty'],
    },
    {
      name: 'the seed in the words of a host',
      request: { sampling: { seed: 3 } },
      host: { quirks: { seedField: 'random_seed' } },
      fields: { random_seed: 3 },
    },
    {
      name: 'what this format does not know',
      request: { sampling: { topK: 4, minP: 0.1 } },
      fields: {},
      dropped: ['top_k', 'min_p'],
    },
    { name: 'one answer', request: { sampling: { n: 1 } }, fields: {} },
    {
      name: 'a stream always brings its usage',
      request: { stream: true },
      fields: { stream: true, stream_options: { include_usage: true } },
    },
    {
      name: 'unless the host refuses to be asked',
      request: { stream: true },
      host: { quirks: { noStreamUsage: true } },
      fields: { stream: true },
    },
    { name: 'verbosity', request: { output: { kind: 'text', verbosity: 'low' } }, fields: { verbosity: 'low' } },
    {
      name: 'a schema has a name',
      request: { output: { kind: 'json-schema', schema, strict: false } },
      fields: { response_format: { type: 'json_schema', json_schema: { name: 'response', schema, strict: false } } },
    },
    {
      name: 'a name in legal characters',
      request: { output: { kind: 'json-schema', schema, name: 'a b' } },
      fields: { response_format: { type: 'json_schema', json_schema: { name: 'a_b', schema } } },
    },
    {
      name: 'bookkeeping',
      request: { user: 'u', metadata: { a: 'b' }, store: false, cacheKey: 'k', serviceTier: 'standard' },
      fields: { user: 'u', metadata: { a: 'b' }, store: false, prompt_cache_key: 'k', service_tier: 'default' },
    },
    { name: 'a tier that is not here', request: { serviceTier: 'batch' }, fields: {}, dropped: ['service_tier'] },
    {
      name: 'what the host refuses is left out; bookkeeping without a word',
      request: { user: 'u', metadata: {}, serviceTier: 'flex', sampling: { seed: 1 } },
      host: { quirks: { stripFields: ['user', 'metadata', 'service_tier', 'seed'] } },
      fields: {},
      dropped: ['seed', 'service_tier'],
    },
    {
      name: 'marks of the cache',
      request: { system: [{ ...text(''), cache: {} }] },
      fields: {},
      dropped: ['cache_control'],
    },
    {
      name: 'the nearest effort, rounded up',
      request: { reasoning: { effort: 'minimal' } },
      host: { can: { efforts: ['low', 'high'] } },
      fields: { reasoning_effort: 'low' },
    },
    {
      name: 'the nearest effort, rounded down',
      request: { reasoning: { effort: 'max' } },
      host: { can: { efforts: ['low', 'high', 'xhigh'] } },
      fields: { reasoning_effort: 'xhigh' },
    },
    {
      name: 'medium where there is none',
      request: { reasoning: { effort: 'medium' } },
      host: { can: { efforts: ['low', 'high'] } },
      fields: { reasoning_effort: 'high' },
    },
    {
      name: 'none where there is none',
      request: { reasoning: { effort: 'none' } },
      host: { can: { efforts: ['minimal', 'low'] } },
      fields: { reasoning_effort: 'minimal' },
    },
    {
      name: 'none is said',
      request: { reasoning: { effort: 'none' } },
      fields: { reasoning_effort: 'none' },
    },
    {
      name: 'a budget is an effort',
      request: { reasoning: { budgetTokens: 10_000 } },
      fields: { reasoning_effort: 'high' },
    },
    {
      name: 'left to the model, nothing is said',
      request: { reasoning: { adaptive: true, summary: 'auto' } },
      fields: {},
    },
    {
      name: 'a model that takes no effort',
      request: { reasoning: { effort: 'high' } },
      host: { can: { efforts: [], thinking: 'none' } },
      fields: {},
      dropped: ['reasoning_effort'],
    },
    {
      name: 'a host that takes no effort',
      request: { reasoning: { effort: 'high' } },
      host: { quirks: { effortStyle: 'none' } },
      fields: {},
      dropped: ['reasoning_effort'],
    },
    {
      name: 'routers: an effort',
      request: { reasoning: { effort: 'high', summary: 'none' } },
      host: { quirks: { effortStyle: 'openrouter' } },
      fields: { reasoning: { effort: 'high', exclude: true } },
    },
    {
      name: 'routers: a budget',
      request: { reasoning: { budgetTokens: 9 } },
      host: { quirks: { effortStyle: 'openrouter' } },
      fields: { reasoning: { max_tokens: 9 } },
    },
    {
      name: 'routers: off',
      request: { reasoning: { effort: 'none' } },
      host: { quirks: { effortStyle: 'openrouter' } },
      fields: { reasoning: { enabled: false } },
    },
    {
      name: 'routers: on',
      request: { reasoning: { adaptive: true } },
      host: { quirks: { effortStyle: 'openrouter' } },
      fields: { reasoning: { enabled: true } },
    },
    {
      name: 'a switch: off',
      request: { reasoning: { effort: 'none' } },
      host: { quirks: { effortStyle: 'thinking-switch' } },
      fields: { thinking: { type: 'disabled' } },
    },
    {
      name: 'a switch: on, with the words that go with it',
      request: { reasoning: { effort: 'medium' } },
      host: { quirks: { effortStyle: 'thinking-switch' }, can: { efforts: ['none', 'high', 'max'] } },
      fields: { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    },
    {
      name: 'a switch without words',
      request: { reasoning: { effort: 'medium' } },
      host: { quirks: { effortStyle: 'thinking-switch' }, can: { efforts: [] } },
      fields: { thinking: { type: 'enabled' } },
    },
    {
      name: 'functions on a model that must not think beside them',
      request: { tools: [{ name: 'f', kind: 'function' }], reasoning: { effort: 'high' } },
      host: { can: { chatToolsWithoutReasoning: true } },
      fields: {
        tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
        reasoning_effort: 'none',
      },
      dropped: ['reasoning_effort'],
    },
  ]
  for (const { name, request, host, fields, dropped } of cases) {
    test(name, () => {
      const { body, dropped: left } = encoded(request, host)
      const { model, messages, ...rest } = JSON.parse(JSON.stringify(body)) as JsonObject
      expect(model).toBe('upstream-model')
      expect(messages).toEqual([{ role: 'user', content: 'Hello' }])
      expect(rest).toEqual(fields)
      expect(left).toEqual(dropped ?? [])
    })
  }

  test('what would change the answer refuses the request', () => {
    expect(refusalOf({ sampling: { n: 2 } })).toBe('unsupported n')
    expect(refusalOf({ maxTokens: 0 })).toBe('unsupported max_tokens')
    const thinking = { chatToolsWithoutReasoning: true, efforts: ['low', 'high'] } as const
    expect(refusalOf({ tools: [{ name: 'f', kind: 'function' }] }, { can: thinking })).toBe('unsupported tools')
  })

  test('any JSON: the host refuses unless a message speaks of it', () => {
    const output = { kind: 'json-object' } as const
    expect(messagesOf({ output, system: [text('Answer in JSON')] })).toHaveLength(2)
    expect(messagesOf({ output })).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Answer with a JSON object.' },
    ])
  })

  test('a host without schemas is told the schema in words', () => {
    const { body } = encoded({ output: { kind: 'json-schema', schema } }, { quirks: { jsonSchemaMode: 'json_object' } })
    expect(body['response_format']).toEqual({ type: 'json_object' })
    expect(JSON.stringify(body['messages'])).toContain('must match this JSON schema')
  })
})

/** Schemas whose root, or whose variants, point to definitions; and a name that must not reach a prototype. */
const REFERRING: readonly (readonly [JsonObject, JsonObject])[] = [
  [
    { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/B' } } }, B: {} } },
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/B' } },
      $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/B' } } }, B: {} },
    },
  ],
  [
    {
      oneOf: [{ $ref: '#/$defs/A' }, { properties: { b: {} }, $defs: { C: {} } }],
      $defs: { A: { properties: { a: {} } } },
    },
    {
      type: 'object',
      properties: { a: {}, b: {} },
      $defs: { C: {}, A: { properties: { a: {} } } },
    },
  ],
  [
    JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}') as JsonObject,
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject,
  ],
]

describe('laws', () => {
  const parts = fc.oneof(
    fc.string({ minLength: 1 }).map(text),
    fc.constantFrom('1', '2', '3').map((id) => call(id)),
    fc.constantFrom('1', '2', '3', '9').map((id) => result(id, text('ok'))),
    fc.constant<Part>(image),
    fc.constant<Part>({ type: 'reasoning', text: 'hm', redacted: false }),
  )
  const turns = fc.array(
    fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      parts: fc.array(parts, { maxLength: 5 }),
    }),
    { maxLength: 8 },
  )

  test('each call is answered exactly once, directly behind its turn', () => {
    fc.assert(
      fc.property(turns, (messages) => {
        const wire = messagesOf({ messages: messages.map(withSingleCalls) }) as readonly JsonObject[]
        let open: string[] = []
        for (const message of wire) {
          if (message['role'] === 'tool') expect(message['tool_call_id'] as string).toBe(open.shift() ?? '(none)')
          else expect(open).toEqual([])
          if (Array.isArray(message['tool_calls']))
            open = message['tool_calls'].map((wireTool: JsonObject) => String(wireTool['id']))
        }
        expect(open).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('the same request gives the same bytes', () => {
    fc.assert(
      fc.property(turns, (messages) => {
        const once = JSON.stringify(encoded({ messages }, { quirks: { nineCharacterToolIds: true } }).body)
        expect(JSON.stringify(encoded({ messages }, { quirks: { nineCharacterToolIds: true } }).body)).toBe(once)
      }),
      { numRuns: 50 },
    )
  })

  test('a text conversation decodes to what was encoded', () => {
    const words = fc.string({ minLength: 1 })
    const turn = fc.record({ ask: words, answer: words })
    fc.assert(
      fc.property(words, fc.array(turn, { minLength: 1, maxLength: 4 }), (system, exchanges) => {
        const messages = exchanges.flatMap(({ ask, answer }) => [user(text(ask)), assistant(text(answer))])
        const { body } = encoded({ system: [text(system)], messages })
        const decoded = openaiChat.decodeRequest(body, new Headers())
        expect(decoded.ok && decoded.value).toMatchObject({ system: [text(system)], messages })
      }),
      { numRuns: 100 },
    )
  })
})

/** A turn names a call's id once, as models do. */
function withSingleCalls({ role, parts }: Message): Message {
  const ids = new Set<string>()
  const kept = parts.filter((part) => {
    if (part.type !== 'tool-call') return true
    const seen = ids.has(part.id)
    ids.add(part.id)
    return !seen && role === 'assistant'
  })
  return { role, parts: kept }
}
