import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { sealOpaque } from '../../../src/dialects/opaque.ts'
import { exchanges } from './support.ts'

const BASE = { model: 'anthropic/m', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }

function decode(body: object): ReturnType<typeof anthropicMessages.decodeRequest> {
  return anthropicMessages.decodeRequest(body as JsonObject, new Headers())
}

function decoded(more: object): ChatRequest {
  const result = decode({ ...BASE, ...more })
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** The parts of the first message of `role` whose content is `blocks`. */
function partsOf(role: 'user' | 'assistant', blocks: readonly object[]): readonly unknown[] {
  return decoded({ messages: [{ role, content: blocks }] }).messages[0]?.parts ?? []
}

describe('the request', () => {
  test('the least that can be said', () => {
    expect(decode(BASE)).toEqual({
      ok: true,
      value: {
        model: 'anthropic/m',
        system: [],
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        tools: [],
        maxTokens: 100,
        sampling: {},
        stream: false,
        streamUsage: true,
        unknownFields: [],
      },
    })
  })

  const fields: readonly [name: string, more: object, expected: object][] = [
    ['a system string', { system: 'S' }, { system: [{ type: 'text', text: 'S' }] }],
    [
      "an agent's book-keeping for its vendor, which is no prompt",
      {
        system: [
          { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330; cc_entrypoint=cli;' },
          { type: 'text', text: 'S' },
        ],
      },
      { system: [{ type: 'text', text: 'S' }] },
    ],
    [
      'system blocks with marks',
      {
        system: [
          { type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'text', text: '' },
        ],
      },
      { system: [{ type: 'text', text: 'S', cache: { ttl: '1h' } }] },
    ],
    [
      'sampling and stops',
      { temperature: 0.5, top_p: 0.9, top_k: 4, stop_sequences: ['a'] },
      { sampling: { temperature: 0.5, topP: 0.9, topK: 4, stop: ['a'] } },
    ],
    [
      'a thinking budget',
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
      { reasoning: { budgetTokens: 2048, summary: 'auto' } },
    ],
    [
      'adaptive thinking that is not shown',
      { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
      { reasoning: { adaptive: true, summary: 'none', effort: 'high' } },
    ],
    ['no thinking, said aloud', { thinking: { type: 'disabled' } }, { reasoning: { effort: 'none' } }],
    [
      'an effort without thinking',
      { output_config: { effort: 'xhigh' } },
      { reasoning: { effort: 'xhigh', adaptive: false } },
    ],
    [
      'thinking between tools',
      { thinking: { type: 'between_tools' } },
      { reasoning: { effort: 'none' }, unknownFields: ['thinking.type'] },
    ],
    [
      'a schema for the answer',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      { output: { kind: 'json-schema', schema: { type: 'object' }, strict: true } },
    ],
    [
      'the older spelling of it',
      { output_format: { type: 'json_schema', schema: {} } },
      { output: { kind: 'json-schema', schema: {}, strict: true } },
    ],
    ['a user', { metadata: { user_id: 'u', team: 't' } }, { user: 'u', unknownFields: ['metadata.team'] }],
    ['a tier', { service_tier: 'standard_only' }, { serviceTier: 'standard' }],
    ['a speed', { speed: 'fast' }, { serviceTier: 'fast' }],
    ['a forced tool', { tool_choice: { type: 'tool', name: 'f' } }, { toolChoice: { type: 'named', name: 'f' } }],
    [
      'one call at a time',
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { toolChoice: { type: 'required' }, parallelToolCalls: false },
    ],
    ['no tools now', { tool_choice: { type: 'none' } }, { toolChoice: { type: 'none' } }],
    [
      'a mark on the whole request',
      { cache_control: { type: 'ephemeral' } },
      { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi', cache: {} }] }] },
    ],
    [
      'fields from the future',
      { stream: true, inference_geo: 'eu', mcp_servers: [], container: null },
      { stream: true, unknownFields: ['inference_geo', 'mcp_servers'] },
    ],
    [
      'system text inside the conversation',
      { messages: [...BASE.messages, { role: 'system', content: [{ type: 'text', text: 'Now' }] }] },
      { messages: [{ role: 'user' }, { role: 'system', parts: [{ type: 'text', text: 'Now' }] }] },
    ],
    [
      'neighbours of one role',
      { messages: [...BASE.messages, { role: 'user', content: 'there' }] },
      { messages: [{ parts: [{ text: 'Hi' }, { text: 'there' }] }] },
    ],
  ]
  for (const [name, more, expected] of fields) test(name, () => expect(decoded(more)).toMatchObject(expected))

  test('tools of every kind', () => {
    const raw = { type: 'web_search_20250305', name: 'web_search' }
    const typed = { type: 'bash_20250124', name: 'bash' }
    const schema = { type: 'object' }
    const request = decoded({
      tools: [
        {
          name: 'f',
          description: 'd',
          input_schema: schema,
          strict: true,
          cache_control: { type: 'ephemeral' },
          defer_loading: true,
        },
        { type: 'custom', name: 'g', input_schema: schema },
        raw,
        typed,
      ],
    })
    expect(request.tools).toEqual([
      { kind: 'function', name: 'f', description: 'd', schema, strict: true, cache: {} },
      { kind: 'function', name: 'g', schema },
      { kind: 'hosted', name: 'web_search', webSearch: {}, raw: { origin: 'anthropic-messages', body: raw } },
      { kind: 'client-typed', name: 'bash', raw: { origin: 'anthropic-messages', body: typed } },
    ])
    expect(request.unknownFields).toEqual(['tools.defer_loading'])
  })
})

describe('content blocks', () => {
  const PNG = { type: 'base64', media_type: 'image/png', data: 'iVBOR' }
  const user: readonly [name: string, block: object, parts: readonly unknown[]][] = [
    [
      'text with a mark',
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '5m' } },
      [{ type: 'text', text: 'a', cache: { ttl: '5m' } }],
    ],
    ['empty text', { type: 'text', text: '' }, []],
    [
      'an image',
      { type: 'image', source: PNG },
      [{ type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'iVBOR' } }],
    ],
    [
      'an image by address',
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      [{ type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } }],
    ],
    [
      'an image by id',
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      [{ type: 'image', source: { kind: 'file', id: 'file_1', origin: 'anthropic-messages' } }],
    ],
    [
      'a document',
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
        title: 'T',
        context: 'C',
        citations: { enabled: true },
      },
      [
        {
          type: 'document',
          source: { kind: 'base64', mime: 'application/pdf', data: 'JVBE' },
          title: 'T',
          context: 'C',
          citations: true,
        },
      ],
    ],
    [
      'a document of text',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
      [{ type: 'document', source: { kind: 'text', text: 'words', mime: 'text/plain' } }],
    ],
    [
      'a document of blocks',
      {
        type: 'document',
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', source: PNG },
            { type: 'text', text: 'b' },
          ],
        },
      },
      [
        { type: 'document', source: { kind: 'text', text: 'a\n\nb', mime: 'text/plain' } },
        { type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'iVBOR' } },
      ],
    ],
    [
      'a search result',
      { type: 'search_result', source: 'https://a.example', title: 'T', content: [{ type: 'text', text: 'found' }] },
      [
        {
          type: 'document',
          source: { kind: 'text', text: 'found', mime: 'text/plain' },
          title: 'T',
          context: 'https://a.example',
        },
      ],
    ],
    [
      'a result as a string',
      { type: 'tool_result', tool_use_id: 't', content: 'ok' },
      [{ type: 'tool-result', callId: 't', parts: [{ type: 'text', text: 'ok' }], isError: false }],
    ],
    [
      'a result with a picture, gone wrong',
      { type: 'tool_result', tool_use_id: 't', is_error: true, content: [{ type: 'image', source: PNG }] },
      [
        {
          type: 'tool-result',
          callId: 't',
          parts: [{ type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'iVBOR' } }],
          isError: true,
        },
      ],
    ],
    [
      'a result without content',
      { type: 'tool_result', tool_use_id: 't' },
      [{ type: 'tool-result', callId: 't', parts: [], isError: false }],
    ],
    [
      'a block from the future',
      { type: 'hologram', x: 1 },
      [{ type: 'foreign', origin: 'anthropic-messages', kind: 'hologram', raw: { type: 'hologram', x: 1 } }],
    ],
  ]
  for (const [name, block, parts] of user)
    test(`${name} of the user`, () => expect(partsOf('user', [block])).toEqual(parts))

  const sealed = sealOpaque({ vendor: 'openai', kind: 'encrypted', blob: 'enc' })
  const assistant: readonly [name: string, block: object, part: object][] = [
    [
      'genuine thinking',
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      {
        type: 'reasoning',
        text: 'hm',
        redacted: false,
        opaque: { vendor: 'anthropic', kind: 'signature', blob: 'sig' },
      },
    ],
    [
      'thinking in an envelope',
      { type: 'thinking', thinking: '', signature: sealed },
      { type: 'reasoning', text: '', redacted: false, opaque: { vendor: 'openai', kind: 'encrypted', blob: 'enc' } },
    ],
    [
      'thinking without a signature',
      { type: 'thinking', thinking: 'hm' },
      { type: 'reasoning', text: 'hm', redacted: false },
    ],
    [
      'a forged envelope',
      { type: 'thinking', thinking: 'hm', signature: 'gw1:!!' },
      { type: 'reasoning', opaque: { vendor: 'anthropic', blob: 'gw1:!!' } },
    ],
    [
      'redacted thinking',
      { type: 'redacted_thinking', data: 'd' },
      { type: 'reasoning', text: '', redacted: true, opaque: { vendor: 'anthropic', kind: 'redacted', blob: 'd' } },
    ],
    [
      'a call',
      { type: 'tool_use', id: 't', name: 'f', input: { a: [1, 'x'] } },
      { type: 'tool-call', id: 't', name: 'f', kind: 'function', argumentsText: '{"a":[1,"x"]}' },
    ],
    [
      'a hosted transcript',
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'foreign', kind: 'server_tool_use', raw: { id: 's' } },
    ],
    [
      'text with citations',
      { type: 'text', text: 'a', citations: [{ type: 'char_location' }] },
      {
        type: 'text',
        text: 'a',
        citations: [{ raw: { origin: 'anthropic-messages', body: { type: 'char_location' } } }],
      },
    ],
  ]
  for (const [name, block, part] of assistant) {
    test(`${name} of the assistant`, () => expect(partsOf('assistant', [block])).toMatchObject([part] as never))
  }

  test('results come first, in the order of their calls', () => {
    const call = (id: string): object => ({ type: 'tool_use', id, name: 'f', input: {} })
    const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id })
    const messages = [
      ...BASE.messages,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [{ type: 'text', text: 'and' }, result('b')] },
      { role: 'user', content: [result('a')] },
    ]
    const last = decoded({ messages }).messages.at(-1)
    expect(last?.parts).toMatchObject([{ callId: 'a' }, { callId: 'b' }, { text: 'and' }])
  })
})

describe('what is malformed', () => {
  const wrong: readonly [param: string, body: object][] = [
    ['model', { ...BASE, model: 7 }],
    ['model', { ...BASE, model: undefined }],
    ['max_tokens', { ...BASE, max_tokens: undefined }],
    ['max_tokens', { ...BASE, max_tokens: 1.5 }],
    ['max_tokens', { ...BASE, max_tokens: '9' }],
    ['messages', { ...BASE, messages: [] }],
    ['messages', { ...BASE, messages: 'Hi' }],
    ['messages.0', { ...BASE, messages: ['Hi'] }],
    ['messages.0.role', { ...BASE, messages: [{ role: 'tool', content: 'x' }] }],
    ['messages.0.content', { ...BASE, messages: [{ role: 'user', content: 7 }] }],
    ['messages.0.content', { ...BASE, messages: [{ role: 'user' }] }],
    ['messages.0.content.1', { ...BASE, messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] }] }],
    ['messages.0.content.0.text', { ...BASE, messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['messages.0.content.0.type', { ...BASE, messages: [{ role: 'user', content: [{ type: 'input_json_delta' }] }] }],
    [
      'messages.0.content.0.type',
      { ...BASE, messages: [{ role: 'user', content: [{ type: 'thinking', thinking: 'x' }] }] },
    ],
    [
      'messages.0.content.0.type',
      { ...BASE, messages: [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] },
    ],
    ['messages.0.content.0.source', { ...BASE, messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    [
      'messages.0.content.0.source.type',
      { ...BASE, messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'x' } }] }] },
    ],
    [
      'messages.0.content.0.content.0.text',
      {
        ...BASE,
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 1 }] }] },
        ],
      },
    ],
    [
      'messages.0.content.0.input',
      { ...BASE, messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: 'x' }] }] },
    ],
    ['system', { ...BASE, system: 7 }],
    ['system.0.text', { ...BASE, system: [{ type: 'text' }] }],
    ['stream', { ...BASE, stream: 'yes' }],
    ['temperature', { ...BASE, temperature: 'hot' }],
    ['stop_sequences', { ...BASE, stop_sequences: 'x' }],
    ['tools.0.name', { ...BASE, tools: [{ input_schema: {} }] }],
    ['tools.0.input_schema', { ...BASE, tools: [{ name: 'f' }] }],
    ['tool_choice', { ...BASE, tool_choice: 'auto' }],
    ['tool_choice.type', { ...BASE, tool_choice: { type: 'maybe' } }],
    ['tool_choice.name', { ...BASE, tool_choice: { type: 'tool' } }],
    ['thinking.budget_tokens', { ...BASE, thinking: { type: 'enabled', budget_tokens: 5 } }],
    ['thinking.budget_tokens', { ...BASE, thinking: { type: 'enabled' } }],
    ['thinking.type', { ...BASE, thinking: {} }],
    ['output_config.effort', { ...BASE, output_config: { effort: 'huge' } }],
  ]
  for (const [param, body] of wrong) {
    test(`${param} in ${JSON.stringify(body).slice(34, 110)}`, () => {
      expect(decode(body)).toMatchObject({ ok: false, error: { kind: 'malformed', param } })
    })
  }

  test('nothing makes it throw', () => {
    const keys = fc.constantFrom(
      'model',
      'max_tokens',
      'messages',
      'system',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'metadata',
      'type',
      'role',
      'content',
      'source',
      'text',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('user', 'assistant', 'text', 'image', 'tool_use', 'tool_result', 'enabled', 1, null, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(keys, tree), (body) => {
        expect(typeof decode({ ...BASE, ...body }).ok).toBe('boolean')
      }),
      { numRuns: 500 },
    )
  })
})

for (const { name, request } of exchanges()) {
  test(`the request of ${name} decodes whole`, () => {
    expect(decode(request)).toMatchObject({ ok: true, value: { unknownFields: [], stream: true } })
  })
}
