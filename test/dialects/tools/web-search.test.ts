/** A client's wish for a search of the web reaches whichever vendor has one, and no other. */
import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { EncodedRequest } from '../../../src/dialects/dialect.ts'
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { Result } from '../../../src/core/result.ts'
import type { Failure } from '../../../src/core/failure.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { messages } from '../samples/anthropic-messages.ts'
import { geminiSample } from '../samples/gemini.ts'
import { chat } from '../samples/openai-chat.ts'
import { responses } from '../samples/openai-responses.ts'
import { targetContext, type WholeSample } from '../samples/sample.ts'
import { asJson, clientContext } from '../samples/wire.ts'

const SAMPLES = { messages, chat, responses, gemini: geminiSample }
type Name = keyof typeof SAMPLES

const ROME = { city: 'Rome', country: 'IT' }
const NEAR_ROME = { type: 'approximate', ...ROME }
const ASKED = {
  messages: { tools: [{ type: 'web_search_20260209', name: 'web_search', max_uses: 3, user_location: NEAR_ROME }] },
  chat: {
    web_search_options: { search_context_size: 'high', user_location: { type: 'approximate', approximate: ROME } },
  },
  responses: { tools: [{ type: 'web_search', search_context_size: 'high', user_location: NEAR_ROME }] },
  gemini: { tools: [{ googleSearch: {} }] },
} satisfies Readonly<Record<Name, JsonObject>>

function sent(
  from: WholeSample,
  to: WholeSample,
  body: JsonObject,
  facts: Partial<ModelCapabilities> = { searchesInChat: true },
  vendor = to === chat ? 'openai' : to.upstream.vendor,
): Result<EncodedRequest, Failure> {
  const request = from.client.dialect.decodeRequest({ ...from.client.bodies[0], ...body }, new Headers())
  if (!request.ok) throw new Error(request.error.message)
  const capabilities = { ...to.upstream.capabilities, ...facts }
  return to.upstream.dialect.encodeRequest(request.value, { ...targetContext(to.upstream, { vendor }), capabilities })
}

describe('a hosted search', () => {
  const searches: readonly [from: Name, to: Name, sent: JsonObject, dropped: readonly string[]][] = [
    [
      'messages',
      'chat',
      { web_search_options: { user_location: { type: 'approximate', approximate: ROME } } },
      ['tools.max_uses'],
    ],
    ['messages', 'responses', { tools: [{ type: 'web_search', user_location: NEAR_ROME }] }, ['tools.max_uses']],
    ['messages', 'messages', ASKED.messages, []],
    [
      'chat',
      'messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search', user_location: NEAR_ROME }] },
      ['search_context_size'],
    ],
    ['chat', 'responses', ASKED.responses, []],
    ['chat', 'chat', ASKED.chat, []],
    [
      'responses',
      'messages',
      { tools: [{ type: 'web_search_20250305', name: 'web_search', user_location: NEAR_ROME }] },
      ['search_context_size'],
    ],
    ['responses', 'chat', ASKED.chat, []],
    ['responses', 'responses', ASKED.responses, []],
    ['messages', 'gemini', ASKED.gemini, ['tools.max_uses', 'user_location']],
    ['chat', 'gemini', ASKED.gemini, ['search_context_size', 'user_location']],
    ['responses', 'gemini', ASKED.gemini, ['search_context_size', 'user_location']],
    ['gemini', 'gemini', ASKED.gemini, []],
    ['gemini', 'messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, []],
    ['gemini', 'chat', { web_search_options: {} }, []],
    ['gemini', 'responses', { tools: [{ type: 'web_search' }] }, []],
  ]
  for (const [from, to, expected, dropped] of searches) {
    test(`of ${from} becomes the one of ${to}`, () => {
      const encoded = sent(SAMPLES[from], SAMPLES[to], ASKED[from])
      if (!encoded.ok) throw new Error(encoded.error.message)
      expect(encoded.value.body).toMatchObject(expected)
      expect(encoded.value.dropped).toEqual([...dropped])
    })
  }

  test('goes with the hosts that it is confined to, where they can be said', () => {
    const confined = { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] }
    const encoded = sent(responses, messages, confined)
    expect(encoded.ok && encoded.value.body['tools']).toMatchObject([{ allowed_domains: ['a.example'] }])
  })

  test('that leaves hosts out does so where that can be said', () => {
    const wary = { tools: [{ googleSearch: { excludeDomains: ['a.example'] } }] }
    const encoded = sent(geminiSample, messages, wary)
    expect(encoded.ok && encoded.value.body['tools']).toMatchObject([{ blocked_domains: ['a.example'] }])
  })

  const refused: readonly [why: string, Result<EncodedRequest, Failure>][] = [
    ['by a model that cannot search', sent(messages, chat, ASKED.messages, {})],
    ['by another vendor’s model in the Messages format', sent(responses, messages, ASKED.responses, {}, 'moonshot')],
    ['by another vendor’s model in the Responses format', sent(messages, responses, ASKED.messages, {}, 'xai')],
    ['by another vendor’s model in Gemini’s format', sent(messages, geminiSample, ASKED.messages, {}, 'elsewhere')],
    [
      'by a Gemini that searches or calls functions, not both',
      sent(
        messages,
        geminiSample,
        { tools: [...ASKED.messages.tools, { name: 'f', input_schema: { type: 'object' } }] },
        { thinking: 'budget' },
      ),
    ],
    [
      'where Gemini cannot be told its hosts',
      sent(responses, geminiSample, { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] }),
    ],
    [
      'where its hosts cannot be said',
      sent(responses, chat, { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] }),
    ],
    [
      'where no hosts can be left out',
      sent(messages, responses, {
        tools: [{ type: 'web_search_20250305', name: 'web_search', blocked_domains: ['a.example'] }],
      }),
    ],
  ]
  for (const [why, encoded] of refused) {
    test(`is refused ${why}, by its name`, () => {
      expect(encoded).toMatchObject({ ok: false, error: { kind: 'unsupported', param: 'tools.0' } })
      expect(!encoded.ok && encoded.error.message).toContain('web_search')
    })
  }

  test('of a time that no other vendor can be told is refused', () => {
    const timed = { tools: [{ googleSearch: { timeRangeFilter: { startTime: '2026-01-01T00:00:00Z' } } }] }
    expect(sent(geminiSample, messages, timed)).toMatchObject({ error: { kind: 'unsupported', param: 'tools.0' } })
    expect(sent(geminiSample, geminiSample, timed)).toMatchObject({ value: { body: timed } })
  })

  test('stands beside other tools', () => {
    const weather = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }
    const encoded = sent(chat, responses, { ...ASKED.chat, tools: [weather] })
    expect(encoded.ok && encoded.value.body['tools']).toMatchObject([{ name: 'weather' }, { type: 'web_search' }])
  })

  test('is counted for the clients that can be told', () => {
    const reply = {
      parts: [{ type: 'text' as const, text: 'a' }],
      finish: { reason: 'stop' as const },
      usage: { ...NO_USAGE, webSearches: 2 },
    }
    for (const { client } of [messages, responses]) {
      const told = client.ears.plain(asJson(client.dialect.encodeReply(reply, clientContext())))
      expect(told.usage.webSearches).toBe(2)
    }
  })
})
