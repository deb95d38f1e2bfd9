import { describe, expect, test } from 'bun:test'
import type { ModelFacts } from '../../src/catalog/provider.ts'
import { cannotServe, missesRequirement, servesWorse } from '../../src/routing/needs.ts'
import type { RequestView } from '../../src/routing/request-view.ts'
import type { Requirements } from '../../src/routing/rule.ts'
import { FACTS, rule, RoutingStage, target, view } from './stage.ts'

type Facts = Partial<ModelFacts>
type Asked = Partial<Omit<RequestView, 'affinity'>>

describe('what a model cannot do excludes it', () => {
  const cases: readonly (readonly [Facts, Asked, string | null])[] = [
    [{ tools: false }, { tools: 1 }, 'no_tools'],
    [{ tools: false }, { tools: 0 }, null],
    [{ tools: false }, { tools: undefined }, null],
    [{ images: false }, { media: (kind) => kind === 'image' }, 'no_images'],
    [{ documents: false }, { media: (kind) => kind === 'document' }, 'no_documents'],
    [{ audio: false }, { media: (kind) => kind === 'audio' }, 'no_audio'],
    [{ images: false, documents: false, audio: false }, { media: () => undefined }, null],
  ]
  for (const [facts, asked, expected] of cases)
    test(`${Object.keys(facts)[0]} for ${JSON.stringify(asked)}: ${expected}`, () =>
      expect(cannotServe({ ...FACTS, ...facts }, view(asked))).toBe(expected as never))

  test('a request is not looked into for what the model takes', () => {
    const media = () => {
      throw new Error('looked')
    }
    const all = { ...FACTS, images: true, documents: true, audio: true }
    expect(cannotServe(all, view({ media }))).toBeNull()
  })
})

describe('what would only make a worse answer puts it behind others', () => {
  const cases: readonly (readonly [string, Facts, Asked, string | null])[] = [
    ['an input that fits', { contextTokens: 100 }, { inputTokens: 100 }, null],
    ['an input that does not', { contextTokens: 100 }, { inputTokens: 101 }, 'context_too_short'],
    ['no room for the answer', { contextTokens: 100 }, { inputTokens: 60, maxTokens: 41 }, 'context_too_short'],
    ['a limit of the input alone', { maxInputTokens: 50 }, { inputTokens: 51 }, 'context_too_short'],
    ['an unknown context', { contextTokens: undefined }, { inputTokens: 1e9 }, null],
    ['an unknown input', { contextTokens: 1 }, { inputTokens: undefined }, null],
    ['thinking', { thinking: 'none' }, { thinking: true }, 'no_thinking'],
    ['a schema', { jsonSchema: false }, { structuredOutput: true }, 'no_json_schema'],
  ]
  for (const [name, facts, asked, expected] of cases)
    test(`${name}: ${expected}`, () => expect(servesWorse({ ...FACTS, ...facts }, view(asked))).toBe(expected as never))

  test('and it still beats no answer at all', () => {
    const rules = [rule('work', ['openai/short', 'openai/long'])]
    const facts = { 'openai/short': { contextTokens: 10 } }
    const stage = new RoutingStage({ rules, facts })
    expect(stage.words('work')).toEqual(['short context_too_short', 'long', 'short'])
  })
})

describe('what a rule requires excludes whatever the request', () => {
  const cases: readonly (readonly [Requirements, Facts, string | null])[] = [
    [{ tools: true }, { tools: false }, 'no_tools'],
    [{ vision: true }, { images: false }, 'no_images'],
    [{ pdf: true }, { documents: false }, 'no_documents'],
    [{ audio: true }, { audio: false }, 'no_audio'],
    [{ jsonSchema: true }, { jsonSchema: false }, 'no_json_schema'],
    [{ thinking: true }, { thinking: 'none' }, 'no_thinking'],
    [{ minContextTokens: 100 }, { contextTokens: 99 }, 'context_too_short'],
    [{ minContextTokens: 100 }, { contextTokens: 100 }, null],
    [{ maxPriceIn: 1 }, {}, 'too_expensive'],
    [{ maxPriceIn: 2, maxPriceOut: 8 }, {}, null],
    [{ maxPriceOut: 7.99 }, {}, 'too_expensive'],
    [{ tools: false }, { tools: false }, null],
  ]
  for (const [require, facts, expected] of cases)
    test(`${JSON.stringify(require)} of ${JSON.stringify(facts)}: ${expected}`, () =>
      expect(missesRequirement(require, { ...FACTS, ...facts }, () => ({ input: 2, output: 8 }))).toBe(
        expected as never,
      ))

  test('a price that nobody knows is no price below a limit', () => {
    expect(missesRequirement({ maxPriceIn: 1 }, FACTS, () => undefined)).toBe('price_unknown')
    expect(missesRequirement({}, FACTS, () => undefined)).toBeNull()
  })

  test('of every rule on the way', () => {
    const rules = [
      rule('outer', ['inner'], { require: { tools: true } }),
      rule('inner', [target('openai/mute'), target('openai/able')]),
    ]
    const stage = new RoutingStage({ rules, facts: { 'openai/mute': { tools: false } } })
    expect(stage.words('outer')).toEqual(['mute no_tools', 'able'])
  })
})
