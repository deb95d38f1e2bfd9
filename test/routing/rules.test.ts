/** What names mean where there are rules, and how rules lead to models. */
import { describe, expect, test } from 'bun:test'
import type { Place } from '../../src/routing/candidates.ts'
import { resolveModel } from '../../src/routing/resolve.ts'
import type { Requirements } from '../../src/routing/rule.ts'
import { SKIP_MEANINGS } from '../../src/routing/skip.ts'
import { alias, directoryOf, rule, RoutingStage, target } from './stage.ts'

const GPT = 'openai/gpt-x'
const CLAUDE = 'anthropic/claude-x'

describe('a rule that says where requests may go', () => {
  const ours = { regions: [], isVendors: false }
  const places: Readonly<Record<string, Place>> = {
    berlin: { regions: ['eu-central-1'], isVendors: true },
    ohio: { regions: ['us-east-2'], isVendors: true },
    anywhere: { regions: ['eu-west-1', 'us-east-1'], isVendors: true },
    unsaid: { regions: [], isVendors: true },
    proxy: { ...ours, regions: ['eu-local'] },
  }
  const accounts = Object.keys(places).map((id) => ({ id }))
  const cases: readonly (readonly [what: string, provider: string, require: Requirements, left: readonly string[]])[] =
    [
      ['nothing', 'openai', {}, Object.keys(places)],
      ['one region', 'openai', { regions: ['us-east-2'] }, ['ohio']],
      ['regions by their beginning', 'openai', { regions: ['eu-*'] }, ['berlin', 'proxy']],
      ['several', 'openai', { regions: ['eu-*', 'us-*'] }, ['berlin', 'ohio', 'anywhere', 'proxy']],
      ['no training', 'openai', { noTraining: true }, ['berlin', 'ohio', 'anywhere', 'unsaid']],
      ['no training there', 'openai', { noTraining: true, regions: ['eu-*'] }, ['berlin']],
      ['no training, of which its provider says nothing', 'openrouter', { noTraining: true }, []],
    ]
  for (const [what, provider, require, left] of cases) {
    test(`asks for ${what}: ${left.join(', ')}`, () => {
      const stage = new RoutingStage({
        rules: [rule('work', [`${provider}/gpt-x`], { require })],
        accounts: { [provider]: accounts },
        places,
      })
      const usable = [...stage.considered('work')].filter(({ skipped }) => skipped === null)
      expect(usable.map(({ account }) => account?.id ?? '')).toEqual([...left])
      const reasons = [...stage.considered('work')].flatMap(({ skipped }) => skipped ?? [])
      expect(['may_train', 'other_region']).toEqual(expect.arrayContaining([...new Set(reasons)]))
    })
  }

  test('binds the rules that it leads to, and what needs no account', () => {
    const inner = rule('inner', [GPT], { require: { noTraining: true } })
    const outer = rule('outer', [target('inner'), target('demo/echo')], { require: { regions: ['us-*'] } })
    const stage = new RoutingStage({ rules: [inner, outer], accounts: { openai: accounts }, places })
    expect(stage.words('outer').filter((word) => !word.includes(' '))).toEqual(['ohio'])
    expect(stage.words('outer')).toContain('echo other_region')
  })
})

describe('which rule a name means', () => {
  const rules = [
    rule('work', [GPT]),
    alias('quick', [GPT]),
    alias('quick-*', [GPT]),
    alias('quick-as-*', [GPT]),
    alias('*', [CLAUDE]),
    alias('openai/gpt-hidden', [CLAUDE]),
    alias('chain/work', [CLAUDE], { id: 'alias_before_chain' }),
    alias('switched-off', [GPT], { enabled: false }),
  ]
  const cases: readonly (readonly [string, string])[] = [
    ['work', 'rule_work'],
    ['quick', 'rule_quick'],
    ['quick-now', 'rule_quick-*'],
    ['quick-as-ever', 'rule_quick-as-*'],
    ['quick-as-', 'rule_quick-as-*'],
    ['anything', 'rule_*'],
    ['switched-off', 'rule_*'],
    ['openai/gpt-hidden', 'rule_openai/gpt-hidden'],
    ['openai/gpt-shown', 'openai/gpt-shown'],
    ['chain/work', 'alias_before_chain'],
    ['auto', 'rule_*'],
  ]
  for (const [name, expected] of cases) {
    test(`${name} means ${expected}`, () => {
      const route = resolveModel(name, directoryOf(rules), 'chat', () => true)
      if (!route.ok) throw new Error(route.error.message)
      const { value } = route
      expect(value.kind === 'rule' ? value.rule.id : value.name).toBe(expected)
    })
  }

  function refused(name: string, allowed: (name: string) => boolean = () => true): string {
    const rules = [rule('work', [GPT]), alias('quick-*', [GPT]), rule('vectors', [GPT], { serves: 'embeddings' })]
    const route = resolveModel(name, directoryOf(rules), 'chat', allowed)
    return route.ok ? 'not refused' : `${route.error.kind}: ${route.error.message}`
  }

  test('chain/ is only for chains that are there', () => expect(refused('chain/none')).toStartWith('unknown_model'))

  test('one that serves other requests is refused by name', () =>
    expect(refused('vectors')).toBe('unsupported: "vectors" stands for models that serve embeddings, not chat.'))

  test('a name that is nearly right brings the rule to mind, if the key may use it', () => {
    expect(refused('wrk')).toContain('"work"')
    expect(refused('wrk', () => false)).not.toContain('"work"')
  })

  test('auto may mean a rule', () => {
    const directory = directoryOf([rule('work', [GPT])], { defaultModel: 'work' })
    const route = resolveModel('auto', directory, 'chat', () => true)
    expect(route.ok && route.value.name).toBe('work')
  })
})

describe('from a rule to its models', () => {
  test('nested rules are followed in their order', () => {
    const rules = [rule('outer', [CLAUDE, 'inner', 'openai/last']), rule('inner', [GPT, 'openai/gpt-y'])]
    expect(new RoutingStage({ rules }).words('outer')).toEqual(['claude-x', 'gpt-x', 'gpt-y', 'last'])
  })

  test('inside itself the name of a rule is that of the real model, so that a pool can stand before it', () => {
    const rules = [alias(GPT, [GPT, CLAUDE])]
    expect(new RoutingStage({ rules }).words(GPT)).toEqual(['gpt-x', 'claude-x'])
  })

  test('a way back is cut, and told with its path', () => {
    const rules = [rule('one', ['two', GPT]), rule('two', ['three']), rule('three', ['one'])]
    const considered = [...new RoutingStage({ rules }).considered('one')]
    expect(considered.map(({ skipped }) => skipped)).toEqual(['cycle', null])
    expect(considered[0]).toMatchObject({ detail: 'There is a cycle via one → two → three → one.', provider: null })
  })

  test('what is nested deeper than rules may be is not reached', () => {
    const rules = [rule('one', ['two']), rule('two', ['three']), rule('three', ['four', GPT]), rule('four', [CLAUDE])]
    expect(new RoutingStage({ rules }).words('one')).toEqual(['four too_deep', 'gpt-x'])
  })

  test('what cannot be chosen is passed over with its reason', () => {
    const rules = [
      rule('work', [
        target('nothing-of-the-kind'),
        target('vectors'),
        target('openai/off', { enabled: false }),
        target('openai/not-mine', { accountIds: ['acc_elsewhere'] }),
        target(GPT),
      ]),
      rule('vectors', [GPT], { serves: 'embeddings' }),
    ]
    expect(new RoutingStage({ rules }).words('work')).toEqual([
      'nothing-of-the-kind unknown_target',
      'vectors other_capability',
      'openai/off disabled',
      'not-mine not_this_account',
      'gpt-x',
    ])
  })

  test('what a key may not use is asked for every name on the way', () => {
    const asked: string[][] = []
    const rules = [rule('outer', ['inner']), alias('inner', [GPT])]
    const permits = (names: readonly string[]): boolean => asked.push([...names]) < 0
    expect(new RoutingStage({ rules, permits }).words('outer')).toEqual(['gpt-x not_permitted'])
    expect(asked).toEqual([[GPT, 'outer', 'chain/outer', 'inner']])
  })

  test('only the accounts that every target on the way names are asked', () => {
    const accounts = { openai: [{}, {}, {}] }
    const outer = target('inner', { accountIds: ['openai-2', 'openai-1'] })
    const rules = [rule('outer', [outer]), rule('inner', [target(GPT, { accountIds: ['openai-0', 'openai-1'] })])]
    expect(new RoutingStage({ rules, accounts }).words('outer')).toEqual(['openai-1'])
    expect(new RoutingStage({ rules, accounts }).words('inner')).toEqual(['openai-0', 'openai-1'])
  })

  test('a rule of a thousand targets three deep is not walked for its first', () => {
    const wide = (next: string) => Array.from({ length: 32 }, (_, at) => target(next, { id: `${next}${at}` }))
    const rules = [rule('one', wide('two')), rule('two', wide('three')), rule('three', wide(GPT))]
    let asked = 0
    const stage = new RoutingStage({ rules, permits: () => ++asked > 0 })
    expect(stage.first('one')).toBe('gpt-x')
    expect(asked).toBe(1)
  })
})

describe('what rules say of an attempt', () => {
  test('the inner say beats the outer where it is about the target, the outer where it is about the request', () => {
    const rules = [
      rule('outer', [target('inner', { timeouts: { idleMs: 2 }, params: { temperature: 0, seed: 1 } })], {
        timeouts: { connectMs: 1, idleMs: 1, totalMs: 1 },
        params: { topP: 0.5 },
        rewriteModel: true,
      }),
      rule('inner', [target(GPT, { params: { temperature: 1 } })], {
        timeouts: { totalMs: 3 },
        params: { topP: 0.9, stop: ['x'] },
        retry: { perStep: 2, totalAttempts: 20, baseMs: 1, maxMs: 2, jitter: 0, on: new Set(['server']) },
      }),
    ]
    const [only] = new RoutingStage({ rules }).considered('outer')
    if (only?.skipped !== null) throw new Error('nothing was chosen')
    expect(only.terms).toMatchObject({
      timeouts: { connectMs: 1, idleMs: 2, totalMs: 3 },
      overrides: { temperature: 1, seed: 1 },
      defaults: { topP: 0.5, stop: ['x'] },
      retry: { perStep: 2, totalAttempts: 6 },
      answersAs: 'outer',
    })
    expect(only.via.map(({ rule: { name }, target: { id } }) => `${name} ${id}`)).toEqual([
      'outer inner',
      `inner ${GPT}`,
    ])
  })
})

test('every reason to pass over is told in a sentence', () => {
  for (const meaning of Object.values(SKIP_MEANINGS)) expect(meaning).toMatch(/^[A-Z].+\.$/)
})
