import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { sealOpaque } from '../../../src/dialects/opaque.ts'
import { exchanges } from './support.ts'

const USER = { role: 'user', content: 'hi' }

function decoded(fields: JsonObject): ChatRequest {
  const request = openaiChat.decodeRequest({ model: 'm', messages: [USER], ...fields }, new Headers())
  if (!request.ok) throw new Error(`${request.error.kind} ${request.error.param}: ${request.error.message}`)
  return request.value
}

function refusalOf(fields: JsonObject): string {
  const request = openaiChat.decodeRequest({ model: 'm', messages: [USER], ...fields }, new Headers())
  return request.ok ? 'accepted' : `${request.error.kind} ${request.error.param}`
}

const conversation = (...messages: readonly JsonObject[]): ChatRequest => decoded({ messages })
const text = (words: string): JsonObject => ({ type: 'text', text: words })
const calling = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: `f_${id}`, arguments: '{"x": 1}' } })),
})
const call = (id: string): JsonObject => ({
  type: 'tool-call',
  id,
  name: `f_${id}`,
  kind: 'function',
  argumentsText: '{"x": 1}',
})
const result = (callId: string, words: string): JsonObject => ({
  type: 'tool-result',
  callId,
  parts: [text(words)],
  isError: false,
})

describe('the conversation', () => {
  const cases: readonly (readonly [string, readonly JsonObject[], JsonObject])[] = [
    [
      'leading system and developer messages are the system text',
      [{ role: 'system', content: 'a' }, { role: 'developer', content: [text('b'), text('c')] }, USER],
      { system: [text('a'), text('b'), text('c')], messages: [{ role: 'user', parts: [text('hi')] }] },
    ],
    [
      'a later system message stays where it stands',
      [USER, { role: 'system', content: 'be brief' }, USER],
      {
        system: [],
        messages: [
          { role: 'user', parts: [text('hi')] },
          { role: 'system', parts: [text('be brief')] },
          { role: 'user', parts: [text('hi')] },
        ],
      },
    ],
    [
      'results are one turn of the user, first in it, in the order of the calls',
      [
        USER,
        calling('a', 'b'),
        { role: 'tool', tool_call_id: 'b', content: 'two' },
        { role: 'tool', tool_call_id: 'a', content: [text('one')] },
        { role: 'user', content: 'and?' },
      ],
      {
        messages: [
          { role: 'user', parts: [text('hi')] },
          { role: 'assistant', parts: [call('a'), call('b')] },
          { role: 'user', parts: [result('a', 'one'), result('b', 'two'), text('and?')] },
        ],
      },
    ],
    [
      'empty text leaves nothing',
      [
        { role: 'user', content: [text(''), text('x')] },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'y' },
      ],
      { messages: [{ role: 'user', parts: [text('x'), text('y')] }] },
    ],
    [
      'users of different names stay apart',
      [
        { role: 'user', name: 'ann', content: 'x' },
        { role: 'user', name: 'bob', content: 'y' },
      ],
      {
        messages: [
          { role: 'user', name: 'ann', parts: [text('x')] },
          { role: 'user', name: 'bob', parts: [text('y')] },
        ],
      },
    ],
    [
      'an assistant turn: reasoning, text, refusal, calls',
      [
        USER,
        {
          role: 'assistant',
          content: [text('a'), { type: 'refusal', refusal: 'no' }],
          reasoning_content: 'hm',
          tool_calls: calling('a')['tool_calls'] as JsonObject[],
        },
      ],
      {
        messages: [
          { role: 'user', parts: [text('hi')] },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', redacted: false },
              text('a'),
              { type: 'refusal', text: 'no' },
              call('a'),
            ],
          },
        ],
      },
    ],
    [
      'a custom call',
      [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql', input: 'select 1' } }] }],
      {
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'tool-call', id: 'a', name: 'sql', kind: 'custom', argumentsText: 'select 1' }],
          },
        ],
      },
    ],
    [
      'the deprecated functions find their call by name',
      [
        USER,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
      {
        messages: [
          { role: 'user', parts: [text('hi')] },
          {
            role: 'assistant',
            parts: [{ type: 'tool-call', id: 'call_messages_1', name: 'f', kind: 'function', argumentsText: '{}' }],
          },
          { role: 'user', parts: [result('call_messages_1', 'done')] },
        ],
      },
    ],
  ]
  for (const [name, messages, expected] of cases) {
    test(name, () => expect(conversation(...messages)).toMatchObject(expected))
  }

  test('our envelopes bring their state back, with the text that it belongs to', () => {
    const opaque = { vendor: 'anthropic', kind: 'signature', blob: 'EqQB' } as const
    const hidden = { vendor: 'openai', kind: 'encrypted', blob: 'gAAA' } as const
    const [turn] = conversation({
      role: 'assistant',
      content: 'x',
      reasoning_content: 'ab',
      reasoning_details: [
        { type: 'reasoning.text', text: 'ab', signature: sealOpaque(opaque), index: 0 },
        { type: 'reasoning.encrypted', data: sealOpaque(hidden), index: 1 },
      ],
    }).messages
    expect(turn?.parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'ab', opaque, redacted: false },
      { type: 'reasoning', text: '', opaque: hidden, redacted: true },
    ])
  })

  test("a host's own state, whose origin nobody knows, is left behind; the text stays", () => {
    const [turn] = conversation({
      role: 'assistant',
      reasoning: 'hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'EqQB' }],
    }).messages
    expect(turn?.parts).toEqual([{ type: 'reasoning', text: 'hm', redacted: false }])
  })
})

describe('parts', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'an image by address',
      { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'low' } },
      { type: 'image', source: { kind: 'url', url: 'https://x.example/a.png' }, detail: 'low' },
    ],
    [
      'an image inside',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } },
    ],
    [
      'the type that the bytes show, not the one that was claimed',
      { type: 'image_url', image_url: { url: `data:image/*;charset=utf-8;base64,${PNG}` } },
      { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } },
    ],
    [
      'a payload that is not base64',
      { type: 'image_url', image_url: { url: 'data:image/svg+xml,%3Csvg%2F%3E' } },
      {
        type: 'image',
        source: { kind: 'base64', mime: 'image/svg+xml', data: Buffer.from('<svg/>').toString('base64') },
      },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'audio', source: { kind: 'base64', mime: 'audio/mpeg', data: 'AAAA' }, format: 'mp3' },
    ],
    [
      'a PDF',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
      {
        type: 'document',
        title: 'a.pdf',
        source: { kind: 'base64', mime: 'application/pdf', data: 'JVBERi0x', filename: 'a.pdf' },
      },
    ],
    [
      'a file that is stored at the vendor',
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'document', source: { kind: 'file', id: 'file-1', origin: 'openai-chat' } },
    ],
    [
      'a mark for the cache',
      { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
      { type: 'text', text: 'x', cache: { ttl: '30m' } },
    ],
  ]
  for (const [name, wire, part] of cases) {
    test(name, () => {
      const [turn] = conversation({ role: 'user', content: [wire] }).messages
      expect(turn?.parts[0] as unknown).toEqual(part)
    })
  }
})

describe('fields', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['the limit in its old spelling', { max_tokens: 5 }, { maxTokens: 5 }],
    ['the limit in its new spelling', { max_completion_tokens: 5, max_tokens: 9 }, { maxTokens: 5 }],
    ['one stop sequence', { stop: 'END' }, { sampling: { stop: ['END'] } }],
    ['several stop sequences', { stop: ['a', 'b'] }, { sampling: { stop: ['a', 'b'] } }],
    [
      'sampling',
      {
        temperature: 0.5,
        top_p: 0.9,
        seed: 7,
        presence_penalty: 1,
        frequency_penalty: -1,
        logit_bias: { '5': 1 },
        n: 2,
      },
      {
        sampling: {
          temperature: 0.5,
          topP: 0.9,
          seed: 7,
          presencePenalty: 1,
          frequencyPenalty: -1,
          logitBias: { '5': 1 },
          n: 2,
        },
      },
    ],
    ['log-probabilities', { logprobs: true, top_logprobs: 3 }, { sampling: { logprobs: 3 } }],
    ['log-probabilities alone', { logprobs: true }, { sampling: { logprobs: 0 } }],
    ['no log-probabilities', { logprobs: false }, { sampling: {} }],
    ['null is absent', { temperature: null, tools: null, stop: null, user: null }, { sampling: {}, tools: [] }],
    ['an effort', { reasoning_effort: 'xhigh' }, { reasoning: { effort: 'xhigh' } }],
    [
      'an effort in the form of routers',
      { reasoning: { effort: 'low', exclude: true } },
      { reasoning: { effort: 'low', summary: 'none' } },
    ],
    ['a budget', { reasoning: { max_tokens: 2000 } }, { reasoning: { budgetTokens: 2000 } }],
    ['thinking switched off', { reasoning: { enabled: false } }, { reasoning: { effort: 'none' } }],
    [
      'thinking switched off by the switch of a host',
      { thinking: { type: 'disabled' } },
      { reasoning: { effort: 'none' } },
    ],
    ['thinking switched on', { thinking: { type: 'enabled', budget_tokens: 9 } }, { reasoning: { budgetTokens: 9 } }],
    ['verbosity alone', { verbosity: 'low' }, { output: { kind: 'text', verbosity: 'low' } }],
    ['any JSON', { response_format: { type: 'json_object' } }, { output: { kind: 'json-object' } }],
    [
      'JSON by schema',
      {
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
        verbosity: 'high',
      },
      { output: { kind: 'json-schema', name: 'n', schema: { type: 'object' }, strict: true, verbosity: 'high' } },
    ],
    [
      'usage in the stream',
      { stream: true, stream_options: { include_usage: true } },
      { stream: true, streamUsage: true },
    ],
    ['no usage in the stream', { stream: true, stream_options: {} }, { stream: true, streamUsage: false }],
    ['a tier', { service_tier: 'default' }, { serviceTier: 'standard' }],
    [
      'who and what for',
      { user: 'old', safety_identifier: 'u1', metadata: { a: 'b' }, store: false, prompt_cache_key: 'k' },
      { user: 'u1', metadata: { a: 'b' }, store: false, cacheKey: 'k' },
    ],
    ['no parallel calls', { parallel_tool_calls: false }, { parallelToolCalls: false }],
    ['a choice of tools in a word', { tool_choice: 'required' }, { toolChoice: { type: 'required' } }],
    [
      'a named tool',
      { tool_choice: { type: 'function', function: { name: 'f' } } },
      { toolChoice: { type: 'named', name: 'f' } },
    ],
    [
      'a named custom tool',
      { tool_choice: { type: 'custom', custom: { name: 'f' } } },
      { toolChoice: { type: 'named', name: 'f' } },
    ],
    [
      'some of the tools',
      {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
        },
      },
      { toolChoice: { type: 'allowed', mode: 'required', names: ['f'] } },
    ],
    [
      'the deprecated functions',
      { functions: [{ name: 'f', parameters: { type: 'object' } }], function_call: { name: 'f' } },
      {
        tools: [{ kind: 'function', name: 'f', schema: { type: 'object' } }],
        toolChoice: { type: 'named', name: 'f' },
      },
    ],
    [
      'tools',
      {
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
          { type: 'custom', custom: { name: 'c', description: 'e', format: { type: 'text' } } },
        ],
      },
      {
        tools: [
          { kind: 'function', name: 'f', description: 'd', schema: { type: 'object' }, strict: true },
          { kind: 'custom', name: 'c', description: 'e', raw: { origin: 'openai-chat' } },
        ],
      },
    ],
    [
      'a tool that a host runs',
      { tools: [{ type: 'web_search', max: 3 }] },
      { tools: [{ kind: 'hosted', name: 'web_search' }] },
    ],
    [
      'what nobody knows is listed',
      { prediction: {}, seed: 1, brand_new: 1 },
      { unknownFields: ['prediction', 'brand_new'] },
    ],
    [
      'new words for mere wishes are listed',
      { reasoning_effort: 'ultra', verbosity: 'epic', service_tier: 'moon' },
      { unknownFields: ['reasoning_effort', 'verbosity', 'service_tier'] },
    ],
  ]
  for (const [name, fields, expected] of cases)
    test(name, () => expect(decoded(fields) as unknown).toMatchObject(expected))

  for (const { name, request } of exchanges()) {
    test(`the documented request of ${name} is read`, () => {
      const known = openaiChat.decodeRequest(request, new Headers())
      expect(known.ok).toBe(true)
    })
  }
})

describe('refusals name the field', () => {
  const cases: readonly (readonly [string, JsonObject])[] = [
    ['malformed model', { model: null }],
    ['malformed messages', { messages: [] }],
    ['malformed messages', { messages: 'hi' }],
    ['malformed messages.0', { messages: ['hi'] }],
    ['malformed messages.0.role', { messages: [{ content: 'x' }] }],
    ['malformed messages.0.role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['malformed messages.0.content', { messages: [{ role: 'user', content: 5 }] }],
    ['malformed messages.0.content.0.text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['malformed messages.0.content.0.image_url', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
    ['unsupported messages.0.content.0.type', { messages: [{ role: 'user', content: [{ type: 'video_url' }] }] }],
    [
      'malformed messages.0.content',
      { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://x.example' } }] }] },
    ],
    ['malformed messages.0.tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    [
      'malformed messages.0.tool_calls.0.function.name',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: {} }] }] },
    ],
    ['unsupported messages.0.audio', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }],
    ['malformed temperature', { temperature: 'hot' }],
    ['malformed max_tokens', { max_tokens: 0.5 }],
    ['malformed stop', { stop: [1] }],
    ['malformed stream', { stream: 'yes' }],
    ['malformed stream_options', { stream_options: 1 }],
    ['malformed tools.0.type', { tools: [{}] }],
    ['malformed tools.0.function.name', { tools: [{ type: 'function', function: {} }] }],
    ['malformed tool_choice', { tool_choice: 'any' }],
    ['unsupported tool_choice.type', { tool_choice: { type: 'web_search' } }],
    ['unsupported response_format.type', { response_format: { type: 'yaml' } }],
    ['unsupported modalities', { modalities: ['text', 'audio'] }],
  ]
  for (const [refusal, fields] of cases) {
    test(`${JSON.stringify(fields)}: ${refusal}`, () => expect(refusalOf(fields)).toBe(refusal))
  }
})
