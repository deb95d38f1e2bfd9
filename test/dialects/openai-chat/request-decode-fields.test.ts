import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { exchanges } from './support.ts'
import { decoded, USER } from './request-decoding.ts'

function refusalOf(fields: JsonObject): string {
  const request = openaiChat.decodeRequest({ model: 'm', messages: [USER], ...fields }, new Headers())
  return request.ok ? 'accepted' : `${request.error.kind} ${request.error.param}`
}

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
