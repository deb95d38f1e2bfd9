import { beforeAll, expect, test } from 'bun:test'
import { anthropic } from '../../src/catalog/providers/anthropic.ts'
import { deepseek } from '../../src/catalog/providers/deepseek.ts'
import { builtinProviders } from '../../src/catalog/providers/index.ts'
import { groq } from '../../src/catalog/providers/groq.ts'
import { mistral } from '../../src/catalog/providers/mistral.ts'
import { ollama } from '../../src/catalog/providers/ollama.ts'
import { openai } from '../../src/catalog/providers/openai.ts'
import type { Price } from '../../src/catalog/price.ts'
import { PriceBook } from '../../src/catalog/pricing.ts'
import type { ProviderSpec } from '../../src/catalog/provider.ts'

let book: PriceBook
beforeAll(async () => {
  book = await PriceBook.open()
})

const NOV_2026 = Date.UTC(2026, 10, 21, 12)

function check(provider: ProviderSpec, model: string, atMs: number, expected: Partial<Price>): void {
  expect(book.priceOf(provider, model, atMs)).toMatchObject(expected)
}

// $5 in, $25 out, $0.50 read, $6.25 and $10 written per million: one token of input is 5 microdollars, 5,000,000 pico-dollars.
test('dollars per million tokens become pico-dollars per token', () => {
  check(anthropic, 'claude-opus-5', NOV_2026, {
    input: 5_000_000,
    output: 25_000_000,
    cacheRead: 500_000,
    cacheWrite5m: 6_250_000,
    cacheWrite1h: 10_000_000,
    webSearch: 10_000_000_000,
    tiers: [],
  })
})

test('a model with its date is the model', () => {
  check(anthropic, 'claude-opus-5-20260801', NOV_2026, { input: 5_000_000 })
})

test('above its bound a prompt costs more, for every kind of token', () => {
  check(anthropic, 'claude-sonnet-4-5', NOV_2026, {
    input: 3_000_000,
    tiers: [
      {
        aboveInputTokens: 200_000,
        input: 6_000_000,
        output: 22_500_000,
        cacheRead: 600_000,
        cacheWrite5m: 7_500_000,
        cacheWrite1h: 12_000_000,
        audioIn: 6_000_000,
        audioOut: 22_500_000,
        imageIn: 6_000_000,
        reasoning: null,
      },
    ],
  })
})

test('a price counts from its date', () => {
  const [before, after] = [Date.UTC(2026, 2, 12, 23, 59, 59), Date.UTC(2026, 2, 13)]
  expect(book.priceOf(anthropic, 'claude-opus-4-6', before)?.tiers).toHaveLength(1)
  expect(book.priceOf(anthropic, 'claude-opus-4-6', after)?.tiers).toHaveLength(0)
})

const hours: readonly (readonly [hour: number, minute: number, input: number])[] = [
  [0, 59, 220_000],
  [1, 0, 440_000],
  [3, 59, 440_000],
  [4, 0, 220_000],
  [6, 0, 440_000],
  [10, 0, 220_000],
]

for (const [hour, minute, input] of hours) {
  test(`a price by the hour is the one of ${hour}:${minute} UTC`, () => {
    check(deepseek, 'deepseek-v4-flash', Date.UTC(2026, 10, 21, hour, minute), { input })
  })
}

test('what is not priced apart costs what its kin costs', () => {
  check(mistral, 'mistral-large-2512', NOV_2026, {
    input: 500_000,
    cacheRead: 50_000,
    cacheWrite5m: 500_000,
    cacheWrite1h: 500_000,
    audioIn: 500_000,
    audioOut: 1_500_000,
    webSearch: 0,
  })
})

test('audio has its own price where there is one', () => {
  check(openai, 'gpt-audio', NOV_2026, { audioIn: 32_000_000, audioOut: 64_000_000 })
})

const unknown: readonly (readonly [ProviderSpec, string])[] = [
  [anthropic, 'claude-nonesuch'],
  [ollama, 'llama3.2'],
  [groq, 'whisper-large-v3'],
  [openai, 'x'.repeat(100_000)],
]

for (const [provider, model] of unknown) {
  test(`${provider.id}/${model.slice(0, 20)} has no price, which is not free`, () => {
    expect(book.priceOf(provider, model, NOV_2026)).toBeUndefined()
  })
}

test('every price of every built-in model is a whole number of pico-dollars', () => {
  for (const provider of builtinProviders) {
    for (const { id } of book.modelsOf(provider)) {
      const price = book.priceOf(provider, id, NOV_2026)
      const { tiers, serviceTiers: _, ...rates } = price ?? { tiers: [] }
      for (const figure of [rates, ...tiers].flatMap(Object.values))
        if (figure !== null) expect(figure).toSatisfy(Number.isSafeInteger)
    }
  }
})

test('what is remembered about names is bounded, and forgetting changes no answer', () => {
  for (let number = 0; number < 5_000; number++) book.priceOf(anthropic, `made-up-${number}`, NOV_2026)
  check(anthropic, 'claude-opus-5', NOV_2026, { input: 5_000_000 })
})

test('a price that somebody stated beats the data; what it leaves out costs what plain input costs', () => {
  const stated: ProviderSpec = {
    ...anthropic,
    models: [
      { id: 'claude-opus-5', price: { input: 1, output: 2 } },
      { id: 'new', price: { input: 1.5, output: 3, cacheRead: 0.5, cacheWrite: 2 } },
    ],
  }
  const one = 1_000_000
  check(stated, 'claude-opus-5', NOV_2026, {
    input: one,
    output: 2 * one,
    cacheRead: one,
    cacheWrite1h: one,
    tiers: [],
  })
  check(stated, 'new', NOV_2026, {
    input: 1.5 * one,
    cacheRead: 0.5 * one,
    cacheWrite5m: 2 * one,
    cacheWrite1h: 2 * one,
  })
})
