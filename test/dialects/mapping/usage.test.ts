/** Token figures: what each provider's mean, and how each client's have them. No token is counted twice or lost. */
import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { NO_USAGE, type Usage } from '../../../src/core/usage.ts'
import { dialectOf } from '../../../src/dialects/index.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { CLIENTS } from '../samples/index.ts'
import { asJson, clientContext, replyContext } from '../samples/wire.ts'
import { HOSTS, type HostName } from './table.ts'

/** A plain answer that says "a", with the provider's figures in their place. */
const ANSWERS: Readonly<Record<HostName, (usage: JsonObject) => JsonObject>> = {
  messages: (usage) => ({ content: [{ type: 'text', text: 'a' }], stop_reason: 'end_turn', usage }),
  chat: (usage) => ({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }], usage }),
  responses: (usage) => ({
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }],
    usage,
  }),
  gemini: (usageMetadata) => ({
    candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }],
    usageMetadata,
  }),
  converse: (usage) => ({ output: { message: { content: [{ text: 'a' }] } }, stopReason: 'end_turn', usage }),
  cohere: (usage) => ({ message: { content: [{ type: 'text', text: 'a' }] }, finish_reason: 'COMPLETE', usage }),
  ollama: (usage) => ({ message: { content: 'a' }, done: true, done_reason: 'stop', ...usage }),
}

interface Row {
  readonly name: string
  readonly host: HostName
  readonly wire: JsonObject
  readonly means: Partial<Usage>
  readonly quirks?: Quirks
}

const ROWS: readonly Row[] = [
  {
    name: 'the cache stands beside the input',
    host: 'messages',
    wire: {
      input_tokens: 50,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 20,
      cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 15 },
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 25 },
      server_tool_use: { web_search_requests: 2 },
      service_tier: 'priority',
    },
    means: {
      inputUncached: 50,
      cacheRead: 30,
      cacheWrite5m: 5,
      cacheWrite1h: 15,
      output: 40,
      reasoning: 25,
      webSearches: 2,
      tier: 'priority',
    },
  },
  {
    name: 'an advisor is paid for with the turn that asked it',
    host: 'messages',
    wire: {
      input_tokens: 5,
      output_tokens: 6,
      iterations: [
        { type: 'message', input_tokens: 5, output_tokens: 6 },
        { type: 'advisor_message', input_tokens: 70, output_tokens: 8 },
      ],
    },
    means: { inputUncached: 75, output: 14 },
  },
  {
    name: 'an attempt that fell back to another model is in the totals already',
    host: 'messages',
    wire: {
      input_tokens: 5,
      output_tokens: 6,
      iterations: [
        { type: 'fallback_message', input_tokens: 99, output_tokens: 9 },
        { type: 'message', input_tokens: 5, output_tokens: 6 },
      ],
    },
    means: { inputUncached: 5, output: 6 },
  },
  {
    name: 'the input includes the cache, the output the reasoning',
    host: 'chat',
    wire: {
      prompt_tokens: 100,
      completion_tokens: 40,
      prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20, audio_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 25, audio_tokens: 4 },
    },
    means: { inputUncached: 50, cacheRead: 30, cacheWrite5m: 20, output: 40, reasoning: 25, audioIn: 3, audioOut: 4 },
  },
  {
    name: 'DeepSeek names what the cache gave',
    host: 'chat',
    wire: { prompt_tokens: 100, prompt_cache_hit_tokens: 30, prompt_cache_miss_tokens: 70, completion_tokens: 4 },
    means: { inputUncached: 70, cacheRead: 30, output: 4 },
  },
  {
    name: 'xAI counts reasoning beside the output, and a cache larger than the prompt beside it',
    host: 'chat',
    wire: {
      prompt_tokens: 10,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    quirks: { reasoningOutsideOutput: true },
    means: { inputUncached: 10, cacheRead: 30, output: 6, reasoning: 2 },
  },
  {
    name: 'more reasoning than output cannot be inside of it, whatever is known of the host',
    host: 'chat',
    wire: { prompt_tokens: 1, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 7 } },
    means: { inputUncached: 1, output: 11, reasoning: 7 },
  },
  {
    name: 'the same figures under other names, and what is cached for half a day',
    host: 'responses',
    wire: {
      input_tokens: 100,
      output_tokens: 40,
      input_tokens_details: {
        cached_tokens: 30,
        cache_write_tokens: 20,
        cache_write_tokens_details: { ttl_30m_tokens: 5, ttl_12h_tokens: 15 },
      },
      output_tokens_details: { reasoning_tokens: 25 },
    },
    means: { inputUncached: 50, cacheRead: 30, cacheWrite5m: 5, cacheWrite1h: 15, output: 40, reasoning: 25 },
  },
  {
    name: 'more reasoning than output cannot be inside of it',
    host: 'responses',
    wire: { input_tokens: 1, output_tokens: 4, output_tokens_details: { reasoning_tokens: 7 } },
    means: { inputUncached: 1, output: 11, reasoning: 7 },
  },
  {
    name: 'thoughts stand beside the candidates, the cache inside the prompt, tools’ prompts beside it',
    host: 'gemini',
    wire: {
      promptTokenCount: 90,
      toolUsePromptTokenCount: 10,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 25,
    },
    means: { inputUncached: 70, cacheRead: 30, output: 40, reasoning: 25 },
  },
  {
    name: 'the cache stands beside the input',
    host: 'converse',
    wire: {
      inputTokens: 50,
      outputTokens: 40,
      cacheReadInputTokens: 30,
      cacheWriteInputTokens: 20,
      cacheDetails: [
        { ttl: '5m', inputTokens: 5 },
        { ttl: '1h', inputTokens: 15 },
      ],
    },
    means: { inputUncached: 50, cacheRead: 30, cacheWrite5m: 5, cacheWrite1h: 15, output: 40 },
  },
  {
    name: 'the cache is part of what was read; what is billed is told apart',
    host: 'cohere',
    wire: {
      tokens: { input_tokens: 100, output_tokens: 40 },
      billed_units: { input_tokens: 9, output_tokens: 40 },
      cached_tokens: 30,
    },
    means: { inputUncached: 70, cacheRead: 30, output: 40, billed: { input: 9, output: 40 } },
  },
  {
    name: 'two counters are all there is',
    host: 'ollama',
    wire: { prompt_eval_count: 100, eval_count: 40 },
    means: { inputUncached: 100, output: 40 },
  },
]

describe('a provider’s figures', () => {
  for (const { name, host, wire, means, quirks = {} } of ROWS) {
    test(`${host}: ${name}`, () => {
      const { dialect, vendor } = HOSTS[host]
      const reply = dialectOf(dialect).decodeReply(ANSWERS[host](wire), replyContext(vendor, { quirks }))
      expect(reply.ok && reply.value.usage).toEqual({ ...NO_USAGE, ...means })
    })
  }

  const ABSURD: Readonly<Record<HostName, JsonObject>> = {
    messages: { input_tokens: -5, output_tokens: 'many', cache_read_input_tokens: null },
    chat: { prompt_tokens: -5, completion_tokens: 'many', prompt_tokens_details: 7 },
    responses: { input_tokens: -5, output_tokens: 'many', input_tokens_details: 7 },
    gemini: { promptTokenCount: -5, candidatesTokenCount: 'many', cachedContentTokenCount: 9 },
    converse: { inputTokens: -5, outputTokens: 'many' },
    cohere: { tokens: { input_tokens: -5, output_tokens: 'many' } },
    ollama: { prompt_eval_count: -5, eval_count: 0 },
  }
  for (const [host, wire] of Object.entries(ABSURD) as [HostName, JsonObject][]) {
    test(`${host}: figures that cannot be are none`, () => {
      const { dialect, vendor } = HOSTS[host]
      const reply = dialectOf(dialect).decodeReply(ANSWERS[host](wire), replyContext(vendor))
      expect(reply.ok && reply.value.usage).toEqual(NO_USAGE)
    })
  }
})

describe('a client’s figures', () => {
  const USAGE: Usage = {
    ...NO_USAGE,
    inputUncached: 50,
    cacheRead: 30,
    cacheWrite5m: 5,
    cacheWrite1h: 15,
    output: 40,
    reasoning: 25,
  }
  const shown: Readonly<Record<string, (answer: JsonObject) => unknown>> = {
    'anthropic-messages': ({ usage }) => usage,
    'openai-chat': ({ usage }) => usage,
    'openai-responses': ({ usage }) => usage,
    gemini: ({ usageMetadata }) => usageMetadata,
    ollama: ({ prompt_eval_count, eval_count }) => ({ prompt_eval_count, eval_count }),
    'openai-completions': ({ usage }) => usage,
  }
  const expected: Readonly<Record<string, object>> = {
    'anthropic-messages': {
      input_tokens: 50,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 20,
      cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 15 },
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 25 },
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    },
    'openai-chat': {
      prompt_tokens: 100,
      completion_tokens: 40,
      total_tokens: 140,
      prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 25 },
    },
    'openai-responses': {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 25 },
      total_tokens: 140,
    },
    gemini: {
      promptTokenCount: 100,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 25,
      toolUsePromptTokenCount: 0,
      totalTokenCount: 140,
    },
    ollama: { prompt_eval_count: 100, eval_count: 40 },
    'openai-completions': { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 },
  }
  for (const { id, client } of CLIENTS) {
    const reply = (usage: Usage): ChatReply => ({
      parts: [{ type: 'text', text: 'a' }],
      finish: { reason: 'stop' },
      usage,
    })
    const figures = (usage: Usage) => shown[id]?.(asJson(client.dialect.encodeReply(reply(usage), clientContext())))

    test(`${id}: each token once, with all that the client may look at`, () => {
      expect(figures(USAGE)).toMatchObject(expected[id] ?? { unknown: id })
    })

    test(`${id}: no figure is ever missing or no number`, () => {
      const leaves: unknown[] = []
      JSON.stringify(figures(NO_USAGE), (name, value: unknown) => {
        if (/tokens|count|requests/i.test(name) && typeof value !== 'object') leaves.push(value)
        return value
      })
      expect(leaves.length).toBeGreaterThan(1)
      expect(leaves.every((value) => typeof value === 'number' && value >= 0)).toBe(true)
    })
  }
})
