import { describe, expect, test } from 'bun:test'
import { exchanges } from './support.ts'
import { BASE, decode, decoded } from './request-decoding.ts'

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

for (const { name, request } of exchanges()) {
  test(`the request of ${name} decodes whole`, () => {
    expect(decode(request)).toMatchObject({ ok: true, value: { unknownFields: [], stream: true } })
  })
}
