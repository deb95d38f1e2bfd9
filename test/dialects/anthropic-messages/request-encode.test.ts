import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { EncodedRequest, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part, Tool } from '../../../src/dialects/neutral.ts'
import { chatRequest, exchanges, NEWEST, OLDER, targetContext } from './support.ts'

function encode(more: Partial<ChatRequest>, target: TargetContext = targetContext()): EncodedRequest {
  const result = anthropicMessages.encodeRequest(chatRequest(more), target)
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

function refusal(more: Partial<ChatRequest>, target: TargetContext = targetContext()): object | undefined {
  const result = anthropicMessages.encodeRequest(chatRequest(more), target)
  return result.ok ? undefined : result.error
}

const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
const text = (words: string): Part => ({ type: 'text', text: words })
const call = (id: string, argumentsText = '{}', name = 'f'): Part => ({
  type: 'tool-call',
  id,
  name,
  kind: 'function',
  argumentsText,
})
const result = (callId: string, words = 'ok'): Part => ({
  type: 'tool-result',
  callId,
  parts: [{ type: 'text', text: words }],
  isError: false,
})
const TOOL: Tool = { kind: 'function', name: 'f', schema: { type: 'object' } }

/** Members given as undefined must be absent. */
function expectBody(body: JsonObject, expected: object): void {
  const given = Object.entries(expected)
  expect(body).toMatchObject(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
  for (const [name, value] of given) if (value === undefined) expect(body).not.toHaveProperty(name)
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

describe('tools', () => {
  const choices: readonly [name: string, more: Partial<ChatRequest>, choice: object | undefined][] = [
    ['automatic', { toolChoice: { type: 'auto' } }, { type: 'auto' }],
    ['required', { toolChoice: { type: 'required' } }, { type: 'any' }],
    ['named', { toolChoice: { type: 'named', name: 'f' } }, { type: 'tool', name: 'f' }],
    ['none', { toolChoice: { type: 'none' }, parallelToolCalls: false }, { type: 'none' }],
    ['one at a time', { parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    ['no tools at all', { tools: [], toolChoice: { type: 'required' } }, undefined],
  ]
  for (const [name, more, choice] of choices) {
    test(`choice: ${name}`, () =>
      expect(encode({ tools: [TOOL], ...more }).body['tool_choice']).toEqual(choice as never))
  }

  test('a choice among some leaves the others out', () => {
    const { body } = encode({
      tools: [TOOL, { ...TOOL, name: 'g' }],
      toolChoice: { type: 'allowed', names: ['g'], mode: 'required' },
    })
    expect(body).toMatchObject({ tools: [{ name: 'g' }], tool_choice: { type: 'any' } })
    expect(body['tools']).toHaveLength(1)
  })

  test('names that are not allowed here are replaced everywhere and can be restored', () => {
    const name = 'mcp.server/read file'
    const request = {
      tools: [
        { ...TOOL, name },
        { ...TOOL, name: 'mcp_server_read_file' },
        { ...TOOL, name: 'x'.repeat(200) },
      ],
      toolChoice: { type: 'named', name } as const,
      messages: [user(text('a')), assistant(call('t', '{}', name)), user(result('t'))],
    }
    const { body, toolNames } = encode(request)
    const [first, , long] = body['tools'] as { name: string }[]
    expect(first?.name).toMatch(/^mcp_server_read_file_[0-9a-f]{8}$/)
    expect(long?.name).toMatch(/^x{55}_[0-9a-f]{8}$/)
    expect(body).toMatchObject({
      tool_choice: { name: first?.name },
      messages: [{}, { content: [{ name: first?.name }] }, {}],
    })
    expect(toolNames.get(first?.name ?? '')).toBe(name)
    expect(encode(request)).toEqual({ body, toolNames, headers: expect.anything(), dropped: [] })
  })

  test('a tool of free text is a function of one string, and known as such', () => {
    const { body, customTools } = encode({
      tools: [{ kind: 'custom', name: 'patch' }],
      messages: [
        user(text('a')),
        assistant({ type: 'tool-call', id: 't', name: 'patch', kind: 'custom', argumentsText: '*** x' }),
        user(result('t')),
      ],
    })
    expect(body).toMatchObject({
      tools: [{ name: 'patch', input_schema: { properties: { input: { type: 'string' } } } }],
      messages: [{}, { content: [{ input: { input: '*** x' } }] }, {}],
    })
    expect(customTools).toEqual(new Set(['patch']))
  })

  test('a typed tool of this dialect goes as it is', () => {
    const body = { type: 'bash_20250124', name: 'bash' }
    expect(
      encode({ tools: [{ kind: 'client-typed', name: 'bash', raw: { origin: 'anthropic-messages', body } }] }).body[
        'tools'
      ],
    ).toEqual([body])
  })

  const inputs: readonly [argumentsText: string, input: object][] = [
    ['', {}],
    ['null', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', { input: [1] }],
    ['"x"', { input: 'x' }],
    ['{"a":', { _raw: '{"a":' }],
  ]
  for (const [argumentsText, input] of inputs) {
    test(`arguments ${argumentsText || 'absent'} are the object ${JSON.stringify(input)}`, () => {
      const { body } = encode({ messages: [user(text('a')), assistant(call('t', argumentsText)), user(result('t'))] })
      expect(body['messages']).toMatchObject([{}, { content: [{ input }] }, {}])
    })
  }

  const schemas: readonly [name: string, schema: JsonObject, strict: boolean, sent: object][] = [
    ['nothing', {}, false, { type: 'object', properties: {} }],
    [
      'a dialect of schemas',
      { $schema: 'x', type: 'object', properties: { $schema: { type: 'string' } } },
      false,
      { type: 'object', properties: { $schema: { type: 'string' } } },
    ],
    [
      'a root that points to a definition',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: {} } } } },
      false,
      { type: 'object', properties: { b: {} }, $defs: { a: { type: 'object', properties: { b: {} } } } },
    ],
    [
      'alternatives at the root',
      {
        anyOf: [
          { properties: { a: {} }, required: ['a', 'b'] },
          { properties: { b: {} }, required: ['b'] },
        ],
      },
      false,
      { type: 'object', properties: { a: {}, b: {} }, required: ['b'] },
    ],
    [
      'strict',
      {
        type: 'object',
        properties: {
          format: { type: 'string', format: 'hostname', minLength: 2, description: 'd' },
          n: { type: 'number', minimum: 1 },
          r: { $ref: '#/$defs/x', title: 't' },
          o: { oneOf: [{ type: 'string' }, { type: 'object' }] },
        },
      },
      true,
      {
        type: 'object',
        properties: {
          format: { type: 'string', format: 'hostname', description: 'd. minLength: 2' },
          n: { type: 'number', description: 'minimum: 1' },
          r: { $ref: '#/$defs/x' },
          o: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: false }] },
        },
        additionalProperties: false,
      },
    ],
  ]
  for (const [name, schema, strict, sent] of schemas) {
    test(`schema with ${name}`, () => {
      const { body } = encode({ tools: [{ ...TOOL, schema, strict }] })
      expect((body['tools'] as JsonObject[])[0]?.['input_schema']).toEqual(sent as never)
    })
  }

  test('a schema for the answer', () => {
    const { body } = encode({ output: { kind: 'json-schema', schema: { type: 'object', properties: {} } } })
    expect(body['output_config']).toEqual({
      format: { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } },
    })
  })
})

describe('histories are brought into order', () => {
  const order: readonly [name: string, messages: readonly Message[], sent: readonly object[]][] = [
    [
      'text before results',
      [user(text('a')), assistant(call('t'), call('u')), user(text('b'), result('u')), user(result('t'))],
      [{}, {}, { content: [{ tool_use_id: 't' }, { tool_use_id: 'u' }, { text: 'b' }] }],
    ],
    [
      'a call without a result',
      [user(text('a')), assistant(call('t')), user(text('b'))],
      [{}, {}, { content: [{ tool_use_id: 't', is_error: true, content: '(no result)' }, { text: 'b' }] }],
    ],
    [
      'a call at the end',
      [user(text('a')), assistant(call('t'))],
      [{}, {}, { content: [{ tool_use_id: 't', is_error: true }] }],
    ],
    [
      'a result without a call',
      [user(result('x', 'late'))],
      [{ content: [{ text: '[result of tool call x]' }, { text: 'late' }] }],
    ],
    [
      'a result that came twice',
      [user(text('a')), assistant(call('t')), user(result('t', 'old'), result('t', 'new'))],
      [{}, {}, { content: [{ content: 'new' }] }],
    ],
    [
      'a result that came late',
      [user(text('a')), assistant(call('t')), user(text('b')), assistant(text('c')), user(result('t'))],
      [
        {},
        { content: [{ type: 'tool_use' }] },
        { content: [{ tool_use_id: 't', content: 'ok' }, { text: 'b' }] },
        { content: 'c' },
      ],
    ],
    [
      'ids that are not allowed here',
      [user(text('a')), assistant(call('functions.f:0')), user(result('functions.f:0'))],
      [
        {},
        { content: [{ id: expect.stringMatching(/^toolu_[0-9a-f]{24}$/) }] },
        { content: [{ tool_use_id: expect.stringMatching(/^toolu_/) }] },
      ],
    ],
    [
      'ids that are empty',
      [user(text('a')), assistant(call(''), call('')), user(result('', '1'), result('', '2'))],
      [{}, {}, { content: [{ content: '1' }, { content: '2' }] }],
    ],
    [
      'empty text',
      [user(text('a'), text('')), assistant(text('  '), call('t')), user(result('t', ''))],
      [{ content: 'a' }, { content: [{ type: 'tool_use' }] }, { content: [{ type: 'tool_result', tool_use_id: 't' }] }],
    ],
  ]
  for (const [name, messages, sent] of order) {
    test(name, () => {
      const target = targetContext({ ...NEWEST, prefill: true })
      const { body } = encode({ messages }, target)
      expect(body['messages']).toMatchObject(sent as never)
      expect(body['messages']).toHaveLength(sent.length)
    })
  }

  test('any history becomes one that the provider takes, the same each time', () => {
    fc.assert(
      fc.property(anyHistory(), (messages) => {
        const target = targetContext({ ...OLDER, thinking: 'adaptive' })
        const { body } = encode({ messages }, target)
        expect(encode({ messages }, target).body).toEqual(body)
        expectAccepted(body['messages'] as readonly { role: string; content: string | JsonObject[] }[])
      }),
      { numRuns: 300 },
    )
  })
})

/** Turns as decoders give them: calls of the assistant, results of the user, in any order and with any holes. */
function anyHistory(): fc.Arbitrary<readonly Message[]> {
  const id = fc.constantFrom('a', 'b', 'c.1', '')
  const words = fc.constantFrom(text('x'), text(''), text(' '))
  const thought = {
    type: 'reasoning',
    text: 't',
    redacted: false,
    opaque: { vendor: 'openai', kind: 'encrypted', blob: 'b' },
  } as const
  const partsOf = (part: fc.Arbitrary<Part>): fc.Arbitrary<readonly Part[]> => fc.array(part, { maxLength: 4 })
  const turn: fc.Arbitrary<Message> = fc.oneof(
    partsOf(
      fc.oneof(
        words,
        id.map((one) => result(one)),
      ),
    ).map((parts) => user(...parts)),
    partsOf(
      fc.oneof(
        words,
        fc.constant(thought),
        id.map((one) => call(one)),
      ),
    ).map((parts) => assistant(...parts)),
    words.map((part) => ({ role: 'system', parts: [part] }) as const),
  )
  return fc.array(turn, { maxLength: 8 })
}

/** The rules by which the provider refuses a history. */
function expectAccepted(turns: readonly { role: string; content: string | JsonObject[] }[]): void {
  const used = new Set<unknown>()
  let open: (Json | undefined)[] = []
  for (const [index, { role, content }] of turns.entries()) {
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    expect(blocks.length).toBeGreaterThan(0)
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id'])
    expect(blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')).toBe(true)
    expect(results).toEqual(open)
    open = role === 'assistant' ? blocks.filter(({ type }) => type === 'tool_use').map((block) => block['id']) : []
    for (const id of open) expect(used.has(id)).toBe(false)
    for (const id of open) used.add(id)
    for (const block of blocks) if (block['type'] === 'text') expect(String(block['text']).trim()).not.toBe('')
  }
  expect(open).toEqual([])
}

describe('thinking', () => {
  const ADAPTIVE_ALWAYS = targetContext({ ...NEWEST, efforts: ['low', 'medium', 'high'] })
  const BUDGET = targetContext(OLDER)
  const forced = { tools: [TOOL], toolChoice: { type: 'required' } } as const
  const controls: readonly [
    name: string,
    more: Partial<ChatRequest>,
    target: TargetContext,
    body: object,
    dropped?: readonly string[],
  ][] = [
    ['not said', {}, targetContext(), { thinking: undefined, output_config: undefined }],
    [
      'an effort for a model that adapts',
      { reasoning: { effort: 'xhigh' } },
      targetContext(),
      { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' }, max_tokens: 32_000 },
    ],
    ['the nearest effort', { reasoning: { effort: 'max' } }, ADAPTIVE_ALWAYS, { output_config: { effort: 'high' } }],
    ['the least effort', { reasoning: { effort: 'minimal' } }, targetContext(), { output_config: { effort: 'low' } }],
    [
      'a budget for a model that adapts',
      { reasoning: { budgetTokens: 10_000, summary: 'auto' } },
      targetContext(),
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
    [
      'an effort alone, of a client of this dialect',
      { reasoning: { effort: 'high', adaptive: false } },
      targetContext(),
      { thinking: undefined, output_config: { effort: 'high' } },
    ],
    [
      'none',
      { reasoning: { effort: 'none' } },
      targetContext(),
      { thinking: { type: 'disabled' }, output_config: undefined },
    ],
    [
      'none, for a model that always thinks',
      { reasoning: { effort: 'none' } },
      ADAPTIVE_ALWAYS,
      { thinking: undefined, output_config: { effort: 'low' } },
      ['thinking'],
    ],
    [
      'an effort for a model with a budget',
      { reasoning: { effort: 'high' }, maxTokens: 30_000 },
      BUDGET,
      { thinking: { type: 'enabled', budget_tokens: 16_384 }, max_tokens: 30_000 },
    ],
    [
      'a budget above the limit raises it',
      { reasoning: { budgetTokens: 8_000 }, maxTokens: 4_000 },
      BUDGET,
      { thinking: { budget_tokens: 8_000 }, max_tokens: 12_000 },
    ],
    [
      'a budget above what the model can',
      { reasoning: { budgetTokens: 90_000 } },
      BUDGET,
      { thinking: { budget_tokens: 63_999 }, max_tokens: 64_000 },
    ],
    [
      'a model that cannot',
      { reasoning: { effort: 'high' } },
      targetContext({ ...OLDER, thinking: 'none' }),
      { thinking: undefined },
      ['thinking'],
    ],
    [
      'a forced tool rules it out',
      { reasoning: { effort: 'high' }, ...forced },
      BUDGET,
      { thinking: { type: 'disabled' }, tool_choice: { type: 'any' } },
      ['thinking'],
    ],
    [
      'sampling gives way to it',
      { reasoning: { effort: 'low' }, sampling: { temperature: 0.5 } },
      BUDGET,
      { temperature: undefined },
      ['temperature'],
    ],
    [
      'an open tool loop without its thinking rules it out',
      { reasoning: { effort: 'low' }, messages: [user(text('a')), assistant(call('t')), user(result('t'))] },
      BUDGET,
      { thinking: { type: 'disabled' } },
      ['thinking'],
    ],
  ]
  for (const [name, more, target, body, dropped = []] of controls) {
    test(name, () => {
      const encoded = encode(more, target)
      expectBody(encoded.body, body)
      expect(encoded.dropped).toEqual(dropped)
    })
  }

  const history = (
    opaque: { vendor: string; kind: 'signature' | 'redacted' | 'encrypted'; blob: string } | undefined,
  ): readonly Message[] => [
    user(text('a')),
    assistant(
      { type: 'reasoning', text: 'hm', redacted: opaque?.kind === 'redacted', ...(opaque && { opaque }) },
      text('b'),
    ),
    user(text('c')),
  ]
  const provenance: readonly [
    name: string,
    opaque: Parameters<typeof history>[0],
    vendor: string,
    block: object | undefined,
  ][] = [
    [
      'its own signature',
      { vendor: 'anthropic', kind: 'signature', blob: 's' },
      'anthropic',
      { type: 'thinking', thinking: 'hm', signature: 's' },
    ],
    [
      'its own redacted state',
      { vendor: 'anthropic', kind: 'redacted', blob: 'd' },
      'anthropic',
      { type: 'redacted_thinking', data: 'd' },
    ],
    ['a foreign signature', { vendor: 'anthropic', kind: 'signature', blob: 's' }, 'deepseek', undefined],
    ['foreign thinking as text', { vendor: 'openai', kind: 'encrypted', blob: 'e' }, 'anthropic', undefined],
    ['no signature', undefined, 'anthropic', undefined],
    ['an empty signature', { vendor: 'anthropic', kind: 'signature', blob: '' }, 'anthropic', undefined],
    [
      'unsigned thinking of the same host',
      { vendor: 'deepseek', kind: 'signature', blob: '' },
      'deepseek',
      { type: 'thinking', thinking: 'hm', signature: '' },
    ],
  ]
  for (const [name, opaque, vendor, block] of provenance) {
    test(`${name} ${block === undefined ? 'is dropped' : 'goes back'}`, () => {
      const { body, dropped } = encode({ messages: history(opaque) }, targetContext(NEWEST, {}, vendor))
      const [, turn] = body['messages'] as { content: unknown }[]
      expect(turn?.content).toEqual(block === undefined ? 'b' : [block, { type: 'text', text: 'b' }])
      expect(dropped).toEqual(block === undefined ? ['thinking'] : [])
    })
  }

  test('nothing is taken out of a turn with signed thinking', () => {
    const signed: Part = {
      type: 'reasoning',
      text: ' hm ',
      redacted: false,
      opaque: { vendor: 'anthropic', kind: 'signature', blob: 's' },
    }
    const { body } = encode({
      messages: [user(text('a')), assistant(signed, text('\n\n'), call('t')), user(result('t'))],
    })
    expect(body['messages']).toMatchObject([
      {},
      { content: [{ thinking: ' hm ' }, { text: '\n\n' }, { type: 'tool_use' }] },
      {},
    ])
  })
})

describe('cache marks', () => {
  const marked = (words: string, ttl?: '5m' | '1h'): Part => ({
    type: 'text',
    text: words,
    cache: ttl === undefined ? {} : { ttl },
  })
  const marks = (body: JsonObject): readonly unknown[] =>
    [
      ...((body['tools'] as JsonObject[] | undefined) ?? []),
      ...(Array.isArray(body['system']) ? (body['system'] as JsonObject[]) : []),
      ...(body['messages'] as { content: string | JsonObject[] }[]).flatMap(({ content }) =>
        typeof content === 'string' ? [] : content,
      ),
    ]
      .filter((block) => block['cache_control'] !== undefined)
      .map((block) => block['text'] ?? block['name'])

  test('at most four stay: the last ones, and the last before the conversation', () => {
    const { body } = encode({
      tools: [{ ...TOOL, cache: {} }],
      system: [{ type: 'text', text: 's', cache: {} }],
      messages: [user(marked('1'), marked('2'), marked('3'), marked('4'))],
    })
    expect(marks(body)).toEqual(['s', '2', '3', '4'])
  })

  test('a mark inside a result moves to the result, and hosted tools are counted', () => {
    const raw = {
      origin: 'anthropic-messages',
      body: { type: 'web_search_1', name: 'w', cache_control: { type: 'ephemeral' } },
    } as const
    const answer: Part = {
      type: 'tool-result',
      callId: 't',
      parts: [{ type: 'text', text: 'r', cache: { ttl: '1h' } }],
      isError: false,
    }
    const messages = [user(marked('1'), marked('2')), assistant(call('t')), user(answer, marked('3'), marked('4'))]
    const { body } = encode({ tools: [{ kind: 'hosted', name: 'w', raw }], messages })
    expect(marks(body)).toEqual(['w', undefined, '3', '4'] as never)
    expect(body['messages']).toMatchObject([
      {},
      {},
      { content: [{ content: 'r', cache_control: { type: 'ephemeral' } }, {}, {}] },
    ])
  })

  test('a long lifetime after a short one becomes short', () => {
    const { body } = encode({ messages: [user(marked('1', '1h'), marked('2'), marked('3', '1h'))] })
    expect(body['messages']).toMatchObject([
      {
        content: [
          { cache_control: { ttl: '1h' } },
          { cache_control: { type: 'ephemeral' } },
          { cache_control: { type: 'ephemeral' } },
        ],
      },
    ])
    expect(JSON.stringify(body).match(/"1h"/g)).toHaveLength(1)
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
