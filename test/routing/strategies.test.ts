/** Who is tried first: each strategy, tiers and weights, and what keeps requests together. */
import { describe, expect, test } from 'bun:test'
import { pinsOf } from '../../src/routing/affinity.ts'
import { STRATEGIES, type RouteRule, type Stickiness, type Strategy } from '../../src/routing/rule.ts'
import { rule, RoutingStage, target, view, type Scene } from './stage.ts'

const NAMES = ['a', 'b', 'c'] as const
const SESSION: Stickiness = { by: 'session', ttlMs: 300_000, requests: null }

function staged(strategy: Strategy, more: Partial<RouteRule> = {}, scene: Scene = {}): RoutingStage {
  const targets = NAMES.map((name) => target(`openai/${name}`))
  return new RoutingStage({ rules: [rule('work', targets, { strategy, ...more })], ...scene })
}

const session = (id: string) => view({ affinity: { sessionId: id } })

/** Asks as a request does: what was tried first answers, and is remembered. */
function use(stage: RoutingStage, request = view()): string {
  for (const one of stage.considered('work', request)) {
    if (one.skipped !== null) continue
    for (const pin of pinsOf(one, stage.choosing(request))) stage.counters.pin(pin)
    return one.publicModel
  }
  return 'nothing'
}

/** How often each is first in many choices, as shares. */
function shares(stage: RoutingStage, times: number, ask = () => stage.first('work')): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let turn = 0; turn < times; turn++) {
    const name = ask()
    counts[name] = (counts[name] ?? 0) + 1 / times
  }
  return counts
}

describe('every strategy', () => {
  for (const strategy of STRATEGIES) {
    test(`${strategy} tries each target once, and the same ones for the same chance`, () => {
      const [one, other] = [staged(strategy), staged(strategy)]
      for (let turn = 0; turn < 20; turn++) {
        const words = one.words('work')
        expect(words.toSorted()).toEqual(['a', 'b', 'c'])
        expect(other.words('work')).toEqual(words)
      }
    })

    test(`${strategy} takes tiers in their order, and what has no weight last of all`, () => {
      const targets = [
        target('openai/last', { weight: 0 }),
        target('openai/second', { priority: 2 }),
        target('openai/first', { priority: 1 }),
        target('openai/very-last', { weight: 0, priority: 9 }),
      ]
      const stage = staged(strategy, { targets })
      for (let turn = 0; turn < 10; turn++)
        expect(stage.words('work')).toEqual(['first', 'second', 'last', 'very-last'])
    })
  }
})

describe('weights', () => {
  const targets = [
    target('openai/a', { weight: 1 }),
    target('openai/b', { weight: 3 }),
    target('openai/c', { weight: 6 }),
  ]

  test('are the shares of what is tried first', () => {
    const { a, b, c } = shares(staged('weighted', { targets }), 20_000)
    expect([a, b, c]).toEqual([0.1, 0.3, 0.6].map((share) => expect.closeTo(share, 1.5)))
    expect(Math.max(Math.abs((a ?? 0) - 0.1), Math.abs((b ?? 0) - 0.3), Math.abs((c ?? 0) - 0.6))).toBeLessThan(0.015)
  })

  test('of those that cannot be chosen go to the others, each as much as it weighs', () => {
    const closed = targets.map((one) => (one.id === 'openai/c' ? { ...one, enabled: false } : one))
    expect(Math.abs((shares(staged('weighted', { targets: closed }), 20_000)['b'] ?? 0) - 0.75)).toBeLessThan(0.015)
  })

  test('are the shares of keys that stick', () => {
    const stage = staged('sticky', { targets, sticky: SESSION })
    let turn = 0
    const found = shares(stage, 20_000, () => stage.first('work', session(`s${turn++}`)))
    expect(Math.abs((found['c'] ?? 0) - 0.6)).toBeLessThan(0.015)
  })
})

describe('a strategy', () => {
  test('round_robin gives each its turn, and nobody the turn of one that is closed', () => {
    const stage = staged('round_robin')
    expect(Array.from({ length: 6 }, () => stage.first('work')).join('')).toBe('abcabc')
    const closed = staged('round_robin', {
      targets: [target('openai/a'), target('openai/b', { enabled: false }), target('openai/c')],
    })
    expect(Array.from({ length: 4 }, () => closed.first('work')).join('')).toBe('acac')
  })

  test('random is even', () => {
    for (const share of Object.values(shares(staged('random'), 20_000)))
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.015)
  })

  test('least_busy asks where the fewest requests are under way', () => {
    const stage = staged('least_busy')
    const end = stage.counters.begin('openai', 'a', null)
    stage.counters.begin('openai', 'b', null)
    stage.counters.begin('openai', 'b', null)
    expect(stage.words('work')).toEqual(['c', 'a', 'b'])
    end()
    end()
    expect(stage.words('work')).toEqual(['a', 'c', 'b'])
  })

  test('p2c never takes the busier one of the two that it drew', () => {
    const stage = staged('p2c')
    stage.counters.begin('openai', 'a', null)
    expect(shares(stage, 5_000)['a']).toBeUndefined()
  })

  test('lowest_latency prefers the quickest, asks what was not measured, and holds a failure for slow', () => {
    const stage = staged('lowest_latency')
    stage.counters.answered('openai', 'a', 400)
    stage.counters.answered('openai', 'b', 200)
    expect(stage.words('work')).toEqual(['c', 'b', 'a'])
    stage.counters.failed('openai', 'c')
    expect(stage.words('work')).toEqual(['b', 'a', 'c'])
    stage.clock.advance(300_001)
    expect(stage.words('work')).toEqual(['a', 'b', 'c'])
  })

  test('lowest_cost reckons with the request, and leaves what has no price for the end', () => {
    const prices = { 'openai/a': { input: 1, output: 20 }, 'openai/b': { input: 3, output: 1 } }
    const stage = staged('lowest_cost', {}, { prices })
    expect(stage.words('work', view({ inputTokens: 100_000 }))).toEqual(['a', 'b', 'c'])
    expect(stage.words('work', view({ inputTokens: 100 }))).toEqual(['b', 'a', 'c'])
    expect(stage.words('work', view({ inputTokens: 100, maxTokens: 5 }))).toEqual(['a', 'b', 'c'])
  })

  test('quota_aware asks whose accounts have most left', () => {
    const targets = [target('openai/a'), target('anthropic/b')]
    const quota = { 'openai-0': 0.2, 'anthropic-0': 0.9 }
    expect(staged('quota_aware', { targets }, { quota }).words('work')).toEqual(['b', 'a'])
  })

  test('sees the best model behind a rule', () => {
    const rules = [
      rule('work', ['openai/middling', 'inner'], { strategy: 'lowest_cost' }),
      rule('inner', ['openai/dear', 'openai/cheap']),
    ]
    const prices = {
      'openai/middling': { input: 2, output: 2 },
      'openai/dear': { input: 9, output: 9 },
      'openai/cheap': { input: 1, output: 1 },
    }
    expect(new RoutingStage({ rules, prices }).words('work')).toEqual(['dear', 'cheap', 'middling'])
  })
})

describe('requests that belong together', () => {
  for (const strategy of STRATEGIES.filter((one) => one !== 'priority')) {
    test(`stay at one target with ${strategy}`, () => {
      const stage = staged(strategy, { sticky: SESSION })
      const first = use(stage, session('one'))
      for (let turn = 0; turn < 20; turn++) {
        use(stage, session(`other-${turn}`))
        expect(use(stage, session('one'))).toBe(first)
      }
    })
  }

  test('in a fixed order go where the order says', () => {
    const stage = staged('priority', { sticky: SESSION })
    stage.counters.pin({ owner: 'key_1', scope: 'rule_work', key: 's:one', to: 'openai/c' })
    expect(stage.first('work', session('one'))).toBe('a')
  })

  test('are those of one key alone', () => {
    const stage = staged('round_robin', { sticky: SESSION })
    expect(use(stage, session('one'))).toBe('a')
    expect(use(stage, { ...session('one'), keyId: 'key_2' })).toBe('b')
  })

  test('move for good when their target cannot be chosen', () => {
    const accounts = { openai: [{ id: 'acc' }] }
    const targets = [target('openai/a'), target('anthropic/b')]
    const stage = staged('sticky', { targets, sticky: SESSION }, { accounts })
    const ids = Array.from({ length: 20 }, (_, at) => session(`s${at}`)).filter((one) => use(stage, one) === 'a')
    expect(ids.length).toBeGreaterThan(0)
    stage.unusable.set('acc', 'auth_error')
    for (const one of ids) expect(use(stage, one)).toBe('b')
    stage.unusable.clear()
    for (const one of ids) expect(use(stage, one)).toBe('b')
  })

  test('move when their target is clearly busier than another, not for a little', () => {
    const stage = staged('round_robin', { sticky: SESSION })
    expect(use(stage, session('one'))).toBe('a')
    for (let count = 0; count < 4; count++) stage.counters.begin('openai', 'a', null)
    expect(use(stage, session('one'))).toBe('a')
    stage.counters.begin('openai', 'a', null)
    expect(use(stage, session('one'))).not.toBe('a')
  })

  test('move when the quota of their target is nearly gone', () => {
    const targets = [target('openai/a'), target('anthropic/b')]
    const stage = staged(
      'round_robin',
      { targets, sticky: SESSION },
      { quota: { 'openai-0': 0.04, 'anthropic-0': 0.5 } },
    )
    stage.counters.pin({ owner: 'key_1', scope: 'rule_work', key: 's:one', to: 'openai/a' })
    expect([use(stage, session('one')), use(stage, session('one'))]).toEqual(['b', 'b'])
  })

  test('part after the time and the number of requests that the rule says', () => {
    const counted = staged('round_robin', { sticky: { ...SESSION, requests: 2 } })
    const [first, second, third] = [1, 2, 3].map(() => use(counted, session('one')))
    expect(second).toBe(first as string)
    expect(third).not.toBe(first as string)
    const timed = staged('round_robin', { sticky: { ...SESSION, ttlMs: 1_000 } })
    const before = use(timed, session('one'))
    timed.clock.advance(999)
    expect(use(timed, session('one'))).toBe(before)
    timed.clock.advance(1_000)
    expect(use(timed, session('one'))).not.toBe(before)
  })

  test('are told by the key that the client gives, else its session, else how the prompt begins', () => {
    const stage = staged('round_robin', { sticky: { ...SESSION, by: 'prompt_prefix' } })
    const together = [
      { cacheKey: 'k', sessionId: 's1', prefix: () => 'p1' },
      { cacheKey: 'k', sessionId: 's2', prefix: () => 'p2' },
    ].map((affinity) => use(stage, view({ affinity })))
    expect(together).toEqual(['a', 'a'])
    expect(use(stage, view({ affinity: { sessionId: 's1' } }))).toBe('b')
    expect(use(stage, view({ affinity: { prefix: () => 'p1' } }))).toBe('c')
  })

  test('are not kept together by a beginning that no provider would cache, unless that is what the strategy is for', () => {
    const short = view({ inputTokens: 1_023, affinity: { prefix: () => 'p' } })
    const shared = staged('round_robin', { sticky: { ...SESSION, by: 'prompt_prefix' } })
    expect([use(shared, short), use(shared, short)]).toEqual(['a', 'b'])
    const sticky = staged('sticky', { sticky: { ...SESSION, by: 'prompt_prefix' } })
    expect(new Set(Array.from({ length: 9 }, () => use(sticky, short))).size).toBe(1)
  })
})
