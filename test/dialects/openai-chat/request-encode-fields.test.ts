import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { encoded, type Host, messagesOf, refusalOf, text } from './request-encoding.ts'

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
