import { describe, expect, test } from 'bun:test'
import { builtinProviders } from '../../src/catalog/providers/index.ts'
import type { ProviderSpec } from '../../src/catalog/provider.ts'
import { resolveModel, type ListedProvider, type ModelDirectory } from '../../src/routing/resolve.ts'
import type { ModelRoute } from '../../src/routing/route.ts'
import { ruleBook } from '../../src/routing/rule-book.ts'

function providerOf(id: string): ProviderSpec {
  const found = builtinProviders.find((provider) => provider.id === id)
  if (found === undefined) throw new Error(`no provider ${id}`)
  return found
}

const LISTED: readonly ListedProvider[] = [
  { provider: providerOf('openrouter'), models: ['gpt-5.5', 'anthropic/claude-opus-5'] },
  { provider: providerOf('openai'), models: ['gpt-5.5', 'gpt-4.1'] },
  { provider: providerOf('groq'), models: ['llama-4'] },
]

function directory(more: Partial<ModelDirectory> = {}): ModelDirectory {
  return {
    provider: (id) => builtinProviders.find((provider) => provider.id === id),
    connected: () => LISTED,
    rules: ruleBook([]),
    defaultModel: null,
    inferProvider: true,
    ...more,
  }
}

function modelOf({ step }: ModelRoute): string {
  return `${step.provider.id} ${step.model}`
}

function check(name: string, more: Partial<ModelDirectory> = {}): string {
  const route = resolveModel(name, directory(more), 'chat', () => true)
  if (!route.ok) return `${route.error.kind}: ${route.error.message}`
  return route.value.kind === 'rule' ? `rule ${route.value.rule.id}` : modelOf(route.value)
}

describe('which model a name means', () => {
  const cases: readonly (readonly [string, string, Partial<ModelDirectory>?])[] = [
    ['openai/gpt-5.5', 'openai gpt-5.5'],
    ['openai/not-in-any-catalogue', 'openai not-in-any-catalogue'],
    ['openrouter/anthropic/claude-opus-5', 'openrouter anthropic/claude-opus-5'],
    ['llama-4', 'groq llama-4'],
    ['gpt-5.5', 'openai gpt-5.5'],
    ['anthropic/claude-opus-5', 'anthropic claude-opus-5'],
    ['auto', 'openai gpt-4.1', { defaultModel: 'openai/gpt-4.1' }],
  ]
  for (const [name, expected, more] of cases) {
    test(`${name} is ${expected}`, () => expect(check(name, more)).toBe(expected))
  }

  test('the maker of a model is preferred to others that list it, whatever their order', () => {
    const reversed = { connected: () => LISTED.toReversed() }
    expect(check('gpt-5.5', reversed)).toBe('openai gpt-5.5')
  })

  test('a bare name is not looked for when that is switched off', () => {
    expect(check('llama-4', { inferProvider: false })).toStartWith('unknown_model')
  })

  test('auto without a default model says so', () => {
    expect(check('auto')).toContain('No default model is set')
  })

  test('a default model of auto does not go round in circles', () => {
    expect(check('auto', { defaultModel: 'auto' })).toStartWith('unknown_model')
  })
})

describe('a name that means nothing', () => {
  test('is answered with the nearest names', () => {
    expect(check('gtp-5.5')).toContain('"openai/gpt-5.5"')
  })

  test('names at most three', () => {
    const names = check('gpt').match(/"[^"]+\/[^"]+"/g) ?? []
    expect(names.length).toBeLessThanOrEqual(3)
  })

  test('never names a model that the key may not use', () => {
    const step = resolveModel('gtp-5.5', directory(), 'chat', (name) => !name.includes('gpt-5.5'))
    expect(step.ok).toBe(false)
    if (!step.ok) expect(step.error.message.replace('"gtp-5.5"', '')).not.toContain('gpt-5.5')
  })

  test('a provider alone, or an empty model, is no model', () => {
    expect(check('openai/')).toStartWith('unknown_model')
    expect(check('/gpt-5.5')).toStartWith('unknown_model')
    expect(check('nobody/model')).toStartWith('unknown_model')
  })
})
