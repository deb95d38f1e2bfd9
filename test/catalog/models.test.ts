import { describe, expect, test } from 'bun:test'
import { familyName } from '../../src/catalog/model-name.ts'
import { capabilitiesOf, factLayers, listedModels } from '../../src/catalog/models.ts'
import { PriceBook } from '../../src/catalog/pricing.ts'
import { anthropic } from '../../src/catalog/providers/anthropic.ts'
import { deepseek } from '../../src/catalog/providers/deepseek.ts'
import { google } from '../../src/catalog/providers/google.ts'
import { groq } from '../../src/catalog/providers/groq.ts'
import { ollama } from '../../src/catalog/providers/ollama.ts'
import { openai } from '../../src/catalog/providers/openai.ts'
import { openrouter } from '../../src/catalog/providers/openrouter.ts'
import type { ModelCapabilities, ModelFacts, ProviderSpec } from '../../src/catalog/provider.ts'

function check(provider: ProviderSpec, model: string, expected: Partial<ModelFacts>): void {
  expect(capabilitiesOf(provider, model)).toMatchObject(expected)
}

const names: readonly (readonly [model: string, family: string])[] = [
  ['claude-3-5-sonnet-20241022', 'claude-sonnet-3-5'],
  ['claude-3-opus-latest', 'claude-opus-3'],
  ['anthropic/claude-4.5-sonnet@20250929', 'claude-sonnet-4-5'],
  ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
  ['claude-opus-4-20250514', 'claude-opus-4'],
  ['openai/gpt-5.6-sol:batch', 'gpt-5-6-sol'],
  ['GPT-4o-2024-08-06', 'gpt-4o'],
  ['llama3.2:3b', 'llama3-2'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['deepseek-v3', 'deepseek-v3'],
]

for (const [model, family] of names) {
  test(`"${model}" is known to families as "${family}"`, () => expect(familyName(model)).toBe(family))
}

const newestClaude: Partial<ModelCapabilities> = {
  sampling: false,
  prefill: false,
  thinking: 'adaptive',
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
}

const claude: readonly (readonly [model: string, expected: Partial<ModelCapabilities>])[] = [
  ['claude-3-haiku-20240307', { thinking: 'none', sampling: true, prefill: true, maxOutputTokens: 4_096 }],
  ['claude-3-5-sonnet-20241022', { thinking: 'none', maxOutputTokens: 8_192 }],
  ['claude-3-7-sonnet-latest', { thinking: 'budget', sampling: true, prefill: true, maxOutputTokens: 64_000 }],
  ['claude-opus-4-1-20250805', { thinking: 'budget', maxOutputTokens: 32_000 }],
  ['claude-sonnet-4-20250514', { thinking: 'budget', maxOutputTokens: 64_000 }],
  ['claude-sonnet-4-5', { thinking: 'budget', sampling: true, efforts: ['none'] }],
  ['claude-opus-4-6', { thinking: 'adaptive', sampling: true, prefill: false, maxOutputTokens: 128_000 }],
  ['claude-opus-4-7', { thinking: 'adaptive', sampling: false }],
  ['claude-sonnet-5', { thinking: 'adaptive', sampling: false, efforts: expect.arrayContaining(['none', 'max']) }],
  ['claude-opus-5-20260801', { efforts: expect.arrayContaining(['none']) }],
  ['claude-opus-5-5', newestClaude],
  ['claude-fable-5-1', newestClaude],
  ['claude-saga-7', newestClaude],
  ['something-else', newestClaude],
]

for (const [model, expected] of claude) {
  test(`anthropic/${model} takes what its family takes`, () => check(anthropic, model, expected))
}

const newestGemini: Partial<ModelCapabilities> = { thinking: 'effort', efforts: ['low', 'medium', 'high'] }
const gemini: readonly (readonly [model: string, expected: Partial<ModelCapabilities>])[] = [
  ['gemini-2.0-flash', { thinking: 'none' }],
  ['gemini-2.5-pro', { thinking: 'budget', efforts: [], thinkingBudget: { min: 128, max: 32_768 } }],
  ['gemini-2.5-flash-lite', { thinking: 'budget', efforts: ['none'], thinkingBudget: { min: 512, max: 24_576 } }],
  ['gemini-3-flash-preview', { thinking: 'effort', efforts: ['minimal', 'low', 'medium', 'high'] }],
  ['gemini-3.1-pro-preview', newestGemini],
  ['gemini-9-ultra', newestGemini],
]

for (const [model, expected] of gemini) {
  test(`google/${model} takes what its family takes`, () => check(google, model, expected))
}

const newestOpenai: Partial<ModelCapabilities> = {
  sampling: false,
  developerRole: true,
  thinking: 'effort',
  chatToolsWithoutReasoning: true,
}

const gpt: readonly (readonly [model: string, expected: Partial<ModelCapabilities>])[] = [
  ['gpt-4', { sampling: true, stopSequences: true, developerRole: false, images: false, thinking: 'none' }],
  ['gpt-4o', { sampling: true, images: true, audio: false, developerRole: false, efforts: [] }],
  ['gpt-4o-audio-preview', { audio: true }],
  ['gpt-4.1-mini', { sampling: true, maxOutputTokens: 32_768 }],
  ['o3-mini', { sampling: false, stopSequences: false, developerRole: true, efforts: ['low', 'medium', 'high'] }],
  ['gpt-5', { sampling: false, efforts: ['minimal', 'low', 'medium', 'high'] }],
  ['gpt-5.1', { efforts: ['none', 'low', 'medium', 'high'] }],
  ['gpt-5.5', { efforts: ['none', 'low', 'medium', 'high', 'xhigh'] }],
  ['gpt-5.6-sol', { ...newestOpenai, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] }],
  ['gpt-6-astra', { ...newestOpenai, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] }],
  ['gpt-9', { ...newestOpenai, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] }],
  ['o9-preview', newestOpenai],
]

for (const [model, expected] of gpt) {
  test(`openai/${model} takes what its family takes`, () => check(openai, model, expected))
}

test('the models of OpenAI from 5.4 on refuse functions on Chat while they reason', () => {
  const refusing = ['gpt-5', 'gpt-5.2', 'gpt-5.4', 'gpt-5.5-pro', 'gpt-5.6-sol', 'gpt-6'].filter(
    (model) => capabilitiesOf(openai, model).chatToolsWithoutReasoning,
  )
  expect(refusing).toEqual(['gpt-5.4', 'gpt-5.5-pro', 'gpt-5.6-sol', 'gpt-6'])
})

test('a family is known on every host, an unknown model elsewhere is a plain one', () => {
  check(groq, 'openai/gpt-oss-120b', { thinking: 'effort', efforts: ['low', 'medium', 'high'], images: false })
  check(deepseek, 'deepseek-v4-pro', { thinking: 'effort', efforts: ['none', 'low', 'high', 'max'], images: false })
  check(ollama, 'my-own:latest', { thinking: 'none', sampling: true, images: true, contextTokens: undefined })
})

test('a host with controls of its own gives them to every model', () => {
  check(openrouter, 'anthropic/claude-opus-5.5', {
    thinking: 'effort',
    efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
  })
})

test('the provider’s own list beats the family', () => {
  check(openai, 'gpt-6-sol', { contextTokens: 1_050_000 })
})

test('the list has our own models first, then those that are priced, each once', async () => {
  const book = await PriceBook.open()
  const models = listedModels(anthropic, book.modelsOf(anthropic))
  const ids = models.map(({ id }) => id)
  expect(ids[0]).toBe('claude-opus-5-5')
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain('claude-opus-4-8')
  expect(models.find(({ id }) => id === 'claude-opus-4-8')).toMatchObject({
    source: 'catalog',
    capabilities: { contextTokens: 1_000_000, thinking: 'adaptive' },
  })
})

test('retired models, families and non-chats of the price data are not listed', async () => {
  const book = await PriceBook.open()
  const ids = book.modelsOf(openai).map(({ id }) => id)
  for (const id of ['davinci', 'whisper-1', 'text-embedding-3-small', 'ft:gpt-3.5-turbo-'])
    expect(ids).not.toContain(id)
})

describe('what a provider listed itself', () => {
  const synced: ProviderSpec = {
    ...anthropic,
    syncedModels: new Map([
      ['claude-opus-4-8', { id: 'claude-opus-4-8', name: 'Opus', contextTokens: 7_000 }],
      ['claude-opus-5-5', { id: 'claude-opus-5-5', contextTokens: 7_000 }],
      ['brand-new', { id: 'brand-new' }],
    ]),
  }

  test('stands between our own list and the price data, each model once', async () => {
    const book = await PriceBook.open()
    const models = listedModels(synced, book.modelsOf(synced))
    const ids = models.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const sourceOf = (wanted: string) => models.find(({ id }) => id === wanted)?.source
    expect(['claude-opus-5-5', 'brand-new', 'claude-opus-4-8'].map(sourceOf)).toEqual(['static', 'synced', 'synced'])
    expect(models.at(-1)?.source).toBe('catalog')
  })

  test('beats the family and gives way to our own list', () => {
    check(synced, 'claude-opus-4-8', { contextTokens: 7_000, thinking: 'adaptive' })
    check(synced, 'claude-opus-5-5', { contextTokens: 1_000_000 })
  })
})

describe('the embedded catalogue', () => {
  const known: readonly (readonly [ProviderSpec, string, Partial<ModelFacts>])[] = [
    [openai, 'gpt-4o', { contextTokens: 128_000, images: true, documents: true, tools: true }],
    [
      groq,
      'llama-3.3-70b-versatile',
      { contextTokens: 131_072, maxOutputTokens: 32_768, images: false, documents: false },
    ],
    // What another host limits says nothing of this one.
    [ollama, 'kimi-k2-0905-preview', { maxOutputTokens: undefined, tools: true }],
  ]
  for (const [provider, model, expected] of known) {
    test(`knows ${provider.id}/${model}`, () => check(provider, model, expected))
  }

  test('gives way to our own table, which is newer', () => {
    check(deepseek, 'deepseek-reasoner', { tools: true, thinking: 'effort' })
    check(anthropic, 'claude-3-7-sonnet-20250219', { thinking: 'budget', maxOutputTokens: 64_000 })
  })

  test('takes a model of which it knows only that it thinks for one that always does', () => {
    check(groq, 'qwen/qwen3-32b', { thinking: 'always', efforts: [] })
  })

  test('is not asked about names of the language it is written in', () => {
    for (const name of ['constructor', '__proto__', 'toString']) check(openai, name, { thinking: 'effort' })
  })
})

describe('structured output of Claude', () => {
  for (const [model, jsonSchema] of [
    ['claude-3-5-haiku-latest', false],
    ['claude-opus-4-1', false],
    ['claude-sonnet-4-5', true],
    ['claude-next', true],
  ] as const) {
    test(`${model}: ${jsonSchema ? 'by schema' : 'by a tool'}`, () =>
      check(anthropic, model, { jsonSchema, jsonMode: false }))
  }
})

test('each fact names the last voice that spoke of it', () => {
  const layers = factLayers(openai, 'gpt-4.1', 999)
  const voice = (name: keyof ModelFacts) => layers.findLast(({ facts }) => facts[name] !== undefined)?.source
  expect(layers[0]?.source).toBe('default')
  expect([voice('contextTokens'), voice('maxOutputTokens'), voice('images'), voice('streaming')]).toEqual([
    'static',
    'family',
    'catalog',
    'default',
  ])
})
