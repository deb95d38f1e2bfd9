/**
 * What every vendor's own figures come to: a whole reply of its format, through its decoder, to nano-dollars. Prices are those of the
 * catalogue on 2026-11-21; each sum is worked out by hand, in microdollars (a token at 1 $ per million costs one).
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { PriceBook } from '../../src/catalog/pricing.ts'
import type { ProviderSpec } from '../../src/catalog/provider.ts'
import { anthropic } from '../../src/catalog/providers/anthropic.ts'
import { bedrock } from '../../src/catalog/providers/bedrock.ts'
import { cohere } from '../../src/catalog/providers/cohere.ts'
import { deepseek } from '../../src/catalog/providers/deepseek.ts'
import { google } from '../../src/catalog/providers/google.ts'
import { ollama } from '../../src/catalog/providers/ollama.ts'
import { openai } from '../../src/catalog/providers/openai.ts'
import { xai } from '../../src/catalog/providers/xai.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { scanObject } from '../../src/core/json-scan.ts'
import type { Usage } from '../../src/core/usage.ts'
import { anthropicMessages } from '../../src/dialects/anthropic-messages/index.ts'
import { bedrockConverse } from '../../src/dialects/bedrock-converse/index.ts'
import { cohereV2 } from '../../src/dialects/cohere-v2/index.ts'
import type { PassThrough, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { gemini } from '../../src/dialects/gemini/index.ts'
import { ollama as ollamaFormat } from '../../src/dialects/ollama/index.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/index.ts'
import { type Cost, costOf } from '../../src/ledger/cost.ts'
import { replyContext } from '../dialects/samples/wire.ts'
import { value } from '../support/dashboard.ts'

const AT_MS = Date.UTC(2026, 10, 21, 12)

let book: PriceBook
beforeAll(async () => {
  book = await PriceBook.open()
})

interface Format {
  readonly dialect: UpstreamDialect & { readonly passThrough?: PassThrough }
  /** A reply that says "hi", with `more` beside it. */
  reply(more: JsonObject): JsonObject
}

const MESSAGES: Format = {
  dialect: anthropicMessages,
  reply: (usage) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  }),
}
const CHAT: Format = {
  dialect: openaiChat,
  reply: (more) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_763_700_000,
    model: 'gpt',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    ...more,
  }),
}
const RESPONSES: Format = {
  dialect: openaiResponses,
  reply: (more) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1_763_700_000,
    status: 'completed',
    model: 'gpt',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'hi', annotations: [] }],
      },
    ],
    ...more,
  }),
}
const GEMINI: Format = {
  dialect: gemini,
  reply: ({ grounding, ...usageMetadata }) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'hi' }] },
        finishReason: 'STOP',
        ...(grounding === undefined ? {} : { groundingMetadata: grounding }),
      },
    ],
    usageMetadata,
  }),
}
const CONVERSE: Format = {
  dialect: bedrockConverse,
  reply: (more) => ({
    output: { message: { role: 'assistant', content: [{ text: 'hi' }] } },
    stopReason: 'end_turn',
    ...more,
  }),
}
const COHERE: Format = {
  dialect: cohereV2,
  reply: (usage) => ({
    id: 'c1',
    message: { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    finish_reason: 'COMPLETE',
    usage,
  }),
}
const OLLAMA: Format = {
  dialect: ollamaFormat,
  reply: (more) => ({
    model: 'llama3.2',
    created_at: '2026-11-21T12:00:00Z',
    message: { role: 'assistant', content: 'hi' },
    done: true,
    done_reason: 'stop',
    ...more,
  }),
}

/** Both ways to the same figures: the reply decoded for another format, and only looked at where it passes through. */
function usagesOf({ dialect }: Format, body: JsonObject, { endpoints }: ProviderSpec): readonly (Usage | undefined)[] {
  const quirks = endpoints.find((endpoint) => endpoint.dialect === dialect.id)?.quirks ?? {}
  const context = replyContext('vendor', { quirks })
  const decoded = value(dialect.decodeReply(body, context)).usage
  if (dialect.passThrough === undefined) return [decoded]
  const scanned = value(scanObject(new TextEncoder().encode(JSON.stringify(body))))
  return [decoded, value(dialect.passThrough.inspectReply(scanned, context)).usage]
}

interface Bill {
  readonly name: string
  readonly format: Format
  readonly provider: ProviderSpec
  readonly model: string
  readonly more: JsonObject
  /** Microdollars. */
  readonly micro: number
  readonly source?: Cost['costSource']
}

const bills: readonly Bill[] = [
  {
    // 3 in, 15 out, 0.30 read, 3.75 and 6 written: 1,000 × 3 = 3,000; 50,000 × 0.3 = 15,000; 2,000 × 3.75 = 7,500;
    // 1,000 × 6 = 6,000; 400 × 15 = 6,000. Thinking is inside the output.
    name: 'Anthropic: cache reads, both cache writes, thinking',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-sonnet-4-5',
    more: {
      input_tokens: 1_000,
      cache_read_input_tokens: 50_000,
      cache_creation_input_tokens: 3_000,
      cache_creation: { ephemeral_5m_input_tokens: 2_000, ephemeral_1h_input_tokens: 1_000 },
      output_tokens: 400,
      output_tokens_details: { thinking_tokens: 350 },
      service_tier: 'standard',
    },
    micro: 37_500,
  },
  {
    // Writes of which it does not say how long they last are for five minutes: 2,000 × 3.75 = 7,500; 10 × 3 = 30; 10 × 15 = 150
    name: 'Anthropic: a cache write without its lifetime',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-sonnet-4-5',
    more: { input_tokens: 10, cache_creation_input_tokens: 2_000, output_tokens: 10 },
    micro: 7_680,
  },
  {
    // 10 $ per thousand: 3 × 10,000; 100 × 3 = 300; 100 × 15 = 1,500
    name: 'Anthropic: web searches beside the tokens',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-sonnet-4-5',
    more: { input_tokens: 100, output_tokens: 100, server_tool_use: { web_search_requests: 3 } },
    micro: 31_800,
  },
  {
    // The prompt has 100,000 + 100,001 tokens: 100,001 × 6 = 600,006; 100,000 × 0.6 = 60,000; 10 × 22.5 = 225
    name: 'Anthropic: above 200,000 tokens, those of the cache counted',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-sonnet-4-5',
    more: { input_tokens: 100_001, cache_read_input_tokens: 100_000, output_tokens: 10 },
    micro: 660_231,
  },
  {
    // Half of 1,000 × 3 + 100 × 15 = 4,500
    name: 'Anthropic: a batch',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-sonnet-4-5',
    more: { input_tokens: 1_000, output_tokens: 100, service_tier: 'batch' },
    micro: 2_250,
  },
  {
    // Priority capacity is paid in advance; a token of it is the standard one: 1,000 × 3 + 100 × 15
    name: 'Anthropic: priority',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-sonnet-4-5',
    more: { input_tokens: 1_000, output_tokens: 100, service_tier: 'priority' },
    micro: 4_500,
  },
  {
    // 75 $ per million × a million: 75 $
    name: 'Anthropic: a million tokens at 75 $ a million',
    format: MESSAGES,
    provider: anthropic,
    model: 'claude-opus-4-1',
    more: { input_tokens: 0, output_tokens: 1_000_000 },
    micro: 75_000_000,
  },
  {
    // 2,006 prompt tokens, 1,920 of them cached: 86 × 1.25 = 107.5; 1,920 × 0.125 = 240; 300 × 10 = 3,000, reasoning inside
    name: 'OpenAI Chat: a cached prompt, and reasoning inside the output',
    format: CHAT,
    provider: openai,
    model: 'gpt-5',
    more: {
      usage: {
        prompt_tokens: 2_006,
        completion_tokens: 300,
        total_tokens: 2_306,
        prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 256, audio_tokens: 0 },
      },
      service_tier: 'default',
    },
    micro: 3_347.5,
  },
  {
    // Half of 1,000 × 1.25 + 100 × 10 = 2,250
    name: 'OpenAI Chat: flex',
    format: CHAT,
    provider: openai,
    model: 'gpt-5',
    more: { usage: { prompt_tokens: 1_000, completion_tokens: 100 }, service_tier: 'flex' },
    micro: 1_125,
  },
  {
    // Asked for priority, served as usual: what counts is the tier that it says it used
    name: 'OpenAI Chat: priority that was not to be had',
    format: CHAT,
    provider: openai,
    model: 'gpt-5',
    more: { usage: { prompt_tokens: 1_000, completion_tokens: 100 }, service_tier: 'default' },
    micro: 2_250,
  },
  {
    // 2.50 and 10 for text, 32 and 64 for audio. In: 1,000 − 600 = 400 × 2.5 = 1,000; 600 × 32 = 19,200.
    // Out: 500 − 450 = 50 × 10 = 500; 450 × 64 = 28,800
    name: 'OpenAI Chat: audio in and out',
    format: CHAT,
    provider: openai,
    model: 'gpt-audio',
    more: {
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 500,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 600, text_tokens: 400 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 450, text_tokens: 50 },
      },
    },
    micro: 49_500,
  },
  {
    // 0.22 in, 0.66 out, 0.007 from the cache, outside the dear hours: 100 × 0.22 = 22; 900 × 0.007 = 6.3; 50 × 0.66 = 33
    name: 'DeepSeek: a cache hit in its own words',
    format: CHAT,
    provider: deepseek,
    model: 'deepseek-v4-flash',
    more: {
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 50,
        prompt_cache_hit_tokens: 900,
        prompt_cache_miss_tokens: 100,
      },
    },
    micro: 61.3,
  },
  {
    // 1.25 in, 2.50 out. Its output leaves reasoning out: 100 × 1.25 = 125; (10 + 400) × 2.5 = 1,025
    name: 'xAI: reasoning beside the output',
    format: CHAT,
    provider: xai,
    model: 'grok-4.3',
    more: {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 510,
        completion_tokens_details: { reasoning_tokens: 400 },
      },
    },
    micro: 1_150,
  },
  {
    // Twice (500 × 1.25 + 1,500 × 0.125 + 200 × 10 = 2,812.5); two searches at 10 $ per thousand cost the same in every tier
    name: 'OpenAI Responses: cache, reasoning, searches and priority at once',
    format: RESPONSES,
    provider: openai,
    model: 'gpt-5',
    more: {
      usage: {
        input_tokens: 2_000,
        input_tokens_details: { cached_tokens: 1_500 },
        output_tokens: 200,
        output_tokens_details: { reasoning_tokens: 128 },
        total_tokens: 2_200,
      },
      tool_usage: { web_search: { num_requests: 2 } },
      service_tier: 'priority',
    },
    micro: 25_625,
  },
  {
    // 1.25 in, 0.125 cached, 10 out: (1,000 + 200 − 800) × 1.25 = 500; 800 × 0.125 = 100; (50 + 150) × 10 = 2,000
    name: 'Gemini: cached content, results of tools in the prompt, thoughts beside the answer',
    format: GEMINI,
    provider: google,
    model: 'gemini-2.5-pro',
    more: {
      promptTokenCount: 1_000,
      toolUsePromptTokenCount: 200,
      cachedContentTokenCount: 800,
      candidatesTokenCount: 50,
      thoughtsTokenCount: 150,
      totalTokenCount: 1_400,
    },
    micro: 2_600,
  },
  {
    // 250,000 − 50,000 = 200,000 × 2.5 = 500,000; 50,000 × 0.25 = 12,500; 100 × 15 = 1,500
    name: 'Gemini: above 200,000 tokens',
    format: GEMINI,
    provider: google,
    model: 'gemini-2.5-pro',
    more: { promptTokenCount: 250_000, cachedContentTokenCount: 50_000, candidatesTokenCount: 100 },
    micro: 514_000,
  },
  {
    // 0.30 for text and images, 1.00 for audio: 500 × 0.3 = 150; 258 × 0.3 = 77.4; 320 × 1 = 320; 10 × 2.5 = 25
    name: 'Gemini: an image and a sound',
    format: GEMINI,
    provider: google,
    model: 'gemini-2.5-flash',
    more: {
      promptTokenCount: 1_078,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 500 },
        { modality: 'IMAGE', tokenCount: 258 },
        { modality: 'AUDIO', tokenCount: 320 },
      ],
      candidatesTokenCount: 10,
    },
    micro: 572.4,
  },
  {
    // 320 of audio, 300 of it from the cache, where everything costs 0.03: 300 × 0.03 = 9; 20 × 1 = 20; 100 × 0.3 = 30; 10 × 2.5 = 25
    name: 'Gemini: sound that is in the cache is not paid as sound again',
    format: GEMINI,
    provider: google,
    model: 'gemini-2.5-flash',
    more: {
      promptTokenCount: 420,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 100 },
        { modality: 'AUDIO', tokenCount: 320 },
      ],
      cachedContentTokenCount: 300,
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 300 }],
      candidatesTokenCount: 10,
    },
    micro: 84,
  },
  {
    // Half of 1,000 × 0.3 + 100 × 2.5 = 550
    name: 'Gemini: flex',
    format: GEMINI,
    provider: google,
    model: 'gemini-2.5-flash',
    more: { promptTokenCount: 1_000, candidatesTokenCount: 100, serviceTier: 'FLEX' },
    micro: 275,
  },
  {
    // 0.80 in, 0.20 read, 3.20 out, a write costs what plain input costs: 100 × 0.8 = 80; 1,000 × 0.2 = 200; 500 × 0.8 = 400;
    // 50 × 3.2 = 160. What the input is here leaves out both.
    name: 'Bedrock: cache reads and writes beside the input',
    format: CONVERSE,
    provider: bedrock,
    model: 'amazon.nova-pro-v1:0',
    more: {
      usage: { inputTokens: 100, outputTokens: 50, cacheReadInputTokens: 1_000, cacheWriteInputTokens: 500 },
      serviceTier: { type: 'default' },
    },
    micro: 840,
  },
  {
    // 3.30 in, 16.50 out, 4.125 written, for an hour as for five minutes: 10 × 3.3 = 33; 3,000 × 4.125 = 12,375; 20 × 16.5 = 330
    name: 'Bedrock: cache writes for five minutes and for an hour',
    format: CONVERSE,
    provider: bedrock,
    model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    more: {
      usage: {
        inputTokens: 10,
        outputTokens: 20,
        cacheWriteInputTokens: 3_000,
        cacheDetails: [
          { ttl: '1h', inputTokens: 1_000 },
          { ttl: '5m', inputTokens: 2_000 },
        ],
      },
    },
    micro: 12_738,
  },
  {
    // 2.50 in, 10 out. Billed are 5 and 7, whatever the model read and wrote: 5 × 2.5 = 12.5; 7 × 10 = 70
    name: 'Cohere: what it bills',
    format: COHERE,
    provider: cohere,
    model: 'command-a-03-2025',
    more: { billed_units: { input_tokens: 5, output_tokens: 7 }, tokens: { input_tokens: 71, output_tokens: 418 } },
    micro: 82.5,
  },
  {
    name: 'Ollama: what runs at home is free',
    format: OLLAMA,
    provider: ollama,
    model: 'llama3.2',
    more: { prompt_eval_count: 1_000, eval_count: 500 },
    micro: 0,
    source: 'free',
  },
]

describe('the bill of', () => {
  for (const { name, format, provider, model, more, micro, source = 'priced' } of bills) {
    test(name, () => {
      const price = book.priceOf(provider, model, AT_MS)
      for (const usage of usagesOf(format, format.reply(more), provider)) {
        if (usage === undefined) throw new Error('the reply has no usage')
        const cost = costOf(usage, price && { price, source: 'priced' }, provider.kind)
        expect(cost).toEqual({ costNano: micro * 1_000, costSource: source })
      }
    })
  }
})

/** Figures that no vendor should send, and some have: [what, usage of Messages, microdollars, where they come from]. */
const oddities: readonly (readonly [string, JsonObject, number, Cost['costSource']])[] = [
  ['nothing at all', { input_tokens: 0, output_tokens: 0 }, 0, 'priced'],
  ['negative tokens', { input_tokens: -1_000, output_tokens: 100 }, 1_500, 'priced'],
  ['a figure that is missing', { output_tokens: 100 }, 1_500, 'priced'],
  ['a figure in words', { input_tokens: '1000', output_tokens: 100 }, 1_500, 'priced'],
  ['a figure that is null', { input_tokens: null, output_tokens: 100 }, 1_500, 'priced'],
  // Above 200,000 tokens: a billion is the most that is believed, × 6 $ per million
  ['an absurd figure', { input_tokens: 1e15, output_tokens: 0 }, 6_000_000_000, 'estimated'],
  // Of 10 tokens no more than 10 can be thoughts, which cost what they cost inside the output
  [
    'more thoughts than output',
    { input_tokens: 0, output_tokens: 10, output_tokens_details: { thinking_tokens: 99 } },
    150,
    'priced',
  ],
]

test('searches of Gemini are counted, decoded or passed through', () => {
  const grounding = { webSearchQueries: ['a', 'b'], groundingChunks: [] }
  const body = GEMINI.reply({ grounding, promptTokenCount: 10, candidatesTokenCount: 5 })
  expect(usagesOf(GEMINI, body, google).map((usage) => usage?.webSearches)).toEqual([2, 2])
})

describe('odd figures', () => {
  for (const [name, usage, micro, source] of oddities) {
    test(`${name} are ${micro / 1_000_000} $`, () => {
      const price = book.priceOf(anthropic, 'claude-sonnet-4-5', AT_MS)
      for (const read of usagesOf(MESSAGES, MESSAGES.reply(usage), anthropic)) {
        if (read === undefined) throw new Error('the reply has no usage')
        const cost = costOf(read, price && { price, source: 'priced' }, 'open-api')
        expect(cost).toEqual({ costNano: micro * 1_000, costSource: source })
      }
    })
  }
})
