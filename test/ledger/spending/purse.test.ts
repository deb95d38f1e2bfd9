/** What rules let through, what they count, and what a restart or a change of rules makes of it. */
import type { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { recover } from '../../../src/ledger/recover.ts'
import type { SpendRefusal, SpendRequest, SpendRule } from '../../../src/ledger/spending/spending.ts'
import { HandClock } from '../../support/clock.ts'
import { ruleOf, Till, wishOf } from './purses.ts'
import { fillDisk, telemetry } from '../records.ts'

const DAY_MS = 86_400_000

async function tillWith(...rules: readonly SpendRule[]): Promise<Till> {
  const till = new Till(telemetry(), new HandClock())
  till.purse.replaceRules('budgets', rules)
  await settled()
  return till
}

/** The past of new rules is there. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

function onFullDisk(database: Database, act: () => void): void {
  const emptyDisk = fillDisk(database)
  act()
  emptyDisk()
}

async function whyNot(till: Till, wish: SpendRequest): Promise<SpendRefusal['why'] | 'ok'> {
  const reserved = await till.purse.reserve(wish)
  if (reserved.ok) reserved.value.settle({ costNano: 0, tokens: 0, requests: 0 })
  return reserved.ok ? 'ok' : reserved.error.why
}

describe('which spender a rule counts', () => {
  const cases: readonly (readonly [SpendRule['scope'], Parameters<typeof wishOf>[1], isCounted: boolean])[] = [
    [{ kind: 'global' }, {}, true],
    [{ kind: 'key', id: 'key_1' }, {}, true],
    [{ kind: 'key', id: 'key_1' }, { keyId: 'key_2' }, false],
    [{ kind: 'plan', id: 'pln_1' }, { planId: 'pln_1' }, true],
    [{ kind: 'plan', id: 'pln_1' }, {}, false],
    [{ kind: 'account', id: 'acc_1' }, {}, true],
    [{ kind: 'account', id: 'acc_1' }, { accountId: null }, false],
    [{ kind: 'provider', id: 'openai' }, {}, true],
    [{ kind: 'provider', id: 'openai' }, { provider: 'groq' }, false],
    [{ kind: 'chain', id: 'chn_1' }, { chainIds: ['chn_0', 'chn_1'] }, true],
    [{ kind: 'chain', id: 'chn_1' }, {}, false],
    [{ kind: 'tag', name: 'team', value: 'blue' }, { tags: { team: 'blue' } }, true],
    [{ kind: 'tag', name: 'team', value: 'blue' }, { tags: { team: 'red', other: 'blue' } }, false],
    [{ kind: 'model', pattern: 'openai/gpt-x' }, {}, true],
    [{ kind: 'model', pattern: 'openai/*' }, {}, true],
    [{ kind: 'model', pattern: '*mini' }, {}, false],
    [{ kind: 'model', pattern: 'fast' }, { names: ['fast'] }, true],
    [{ kind: 'model', pattern: 'chain/*' }, { names: ['chain/cheap'] }, true],
  ]
  for (const [scope, spender, isCounted] of cases)
    test(`${JSON.stringify(scope)} and ${JSON.stringify(spender)}`, async () => {
      const till = await tillWith(ruleOf({ scope }))
      const begun = await till.begin(wishOf(7, spender))
      expect(till.statusOf()?.reserved.costNano).toBe(isCounted ? 7 : 0)
      expect(begun?.reservation.isBlocking).toBe(isCounted)
    })
})

describe('what fits', () => {
  const spentOf = (costNano: number) => ({ costNano, tokens: null, requests: null })
  const cases: readonly (readonly [string, Partial<SpendRule>, number | null, expected: string])[] = [
    ['up to the limit', {}, 1_000, 'ok'],
    ['beyond the limit', {}, 1_001, 'too_small'],
    ['nothing at all where nothing is allowed', { limit: spentOf(0) }, 1, 'too_small'],
    ['what is free where nothing is allowed', { limit: spentOf(0) }, 0, 'ok'],
    ['tokens beyond their limit', { limit: { costNano: null, tokens: 29, requests: null } }, 1, 'too_small'],
    ['tokens within it', { limit: { costNano: null, tokens: 30, requests: null } }, 1, 'ok'],
    ['requests beyond their limit', { limit: { costNano: null, tokens: null, requests: 0 } }, 1, 'too_small'],
    ['anything where only a warning is wanted', { action: 'warn' }, 5_000, 'ok'],
    ['what a person allowed beyond it', { extra: { costNano: 500, untilMs: null } }, 1_500, 'ok'],
    ['what a person allowed, too late', { extra: { costNano: 500, untilMs: 5 } }, 1_500, 'too_small'],
    ['no model without a price', {}, null, 'unpriced'],
    ['a model without a price where such are not counted', { includeEstimates: false }, null, 'ok'],
    [
      'a model without a price where money is not limited',
      { limit: { costNano: null, tokens: 99, requests: null } },
      null,
      'ok',
    ],
  ]
  for (const [name, rule, costNano, expected] of cases)
    test(name, async () => {
      expect(await whyNot(await tillWith(ruleOf(rule)), wishOf(costNano))).toBe(expected as 'ok')
    })

  test('all rules are taken from at once, or none', async () => {
    const till = await tillWith(
      ruleOf(),
      ruleOf({ id: 'bud_2', limit: { costNano: 100, tokens: null, requests: null } }),
    )
    expect(await till.begin(wishOf(101))).toBeUndefined()
    expect(till.statusOf('bud_1')?.reserved.costNano).toBe(0)
    expect(await till.begin(wishOf(100))).toBeDefined()
    expect([till.statusOf('bud_1')?.reserved.costNano, till.statusOf('bud_2')?.reserved.costNano]).toEqual([100, 100])
  })

  test('what only requests under way hold is refused for now, and named with their number', async () => {
    const till = await tillWith(ruleOf())
    const first = await till.begin(wishOf(600))
    await till.begin(wishOf(300))
    const refused = await till.purse.reserve(wishOf(200))
    expect(refused).toMatchObject({ ok: false, error: { why: 'reserved', inFlight: 2, resetsAtMs: null } })
    if (first !== undefined) till.settle(first, 50)
    expect(till.freed).toContain('bud_1')
    expect(await whyNot(till, wishOf(200))).toBe('ok')
  })

  test('each key has a counter of its own where a rule says so', async () => {
    const till = await tillWith(ruleOf({ scope: { kind: 'plan', id: 'pln_1' }, each: true }))
    await till.begin(wishOf(900, { planId: 'pln_1' }))
    expect(await whyNot(till, wishOf(900, { planId: 'pln_1' }))).toBe('reserved')
    expect(await whyNot(till, wishOf(900, { planId: 'pln_1', keyId: 'key_2' }))).toBe('ok')
  })

  test('a throttled key has one request at a time once the last threshold is crossed', async () => {
    const till = await tillWith(ruleOf({ action: 'throttle', thresholds: [0.5] }))
    const spend = async (costNano: number) => {
      const begun = await till.begin(wishOf(costNano))
      if (begun !== undefined) till.settle(begun, costNano)
    }
    await spend(499)
    const one = await till.begin(wishOf(1))
    const two = await till.begin(wishOf(1))
    expect([one, two].map((begun) => begun !== undefined)).toEqual([true, true])
    if (one !== undefined) till.settle(one, 1)
    expect(await whyNot(till, wishOf(1))).toBe('throttled')
    expect(await whyNot(till, wishOf(1, { keyId: 'key_2' }))).toBe('ok')
    if (two !== undefined) till.settle(two, 1)
    expect(await whyNot(till, wishOf(1))).toBe('ok')
  })
})

describe('windows', () => {
  test('what was spent in a period no longer counts in the next, and counts there for what reserved in it', async () => {
    const till = await tillWith(ruleOf())
    const late = await till.begin(wishOf(900))
    expect(till.statusOf()).toMatchObject({ resetsAtMs: Date.UTC(2026, 0, 16), periodStartMs: Date.UTC(2026, 0, 15) })
    till.clock.advance(DAY_MS)
    expect(till.statusOf()?.reserved.costNano).toBe(0)
    if (late !== undefined) till.settle(late, 900)
    expect(till.statusOf()?.spent.costNano).toBe(0)
    expect(await whyNot(till, wishOf(1_000))).toBe('ok')
  })

  test('a rolling window gives back what has left it, and says when', async () => {
    const till = await tillWith(ruleOf({ window: { kind: 'rolling', ms: 60_000 } }))
    const startMs = till.clock.nowMs()
    const begun = await till.begin(wishOf(1_000))
    if (begun !== undefined) till.settle(begun, 1_000)
    till.clock.advance(60_000)
    const refused = await till.purse.reserve(wishOf(1))
    expect(refused).toMatchObject({ ok: false, error: { why: 'spent', resetsAtMs: startMs + 61_000 } })
    till.clock.advance(1_000)
    expect(await whyNot(till, wishOf(1_000))).toBe('ok')
  })

  test('a clock that goes back opens no window again, and is told of once', async () => {
    const till = await tillWith(ruleOf())
    const begun = await till.begin(wishOf(900))
    if (begun !== undefined) till.settle(begun, 900)
    till.clock.setBack(2 * DAY_MS)
    expect(await whyNot(till, wishOf(900))).toBe('spent')
    expect(await whyNot(till, wishOf(900))).toBe('spent')
    expect(till.log.filter((line) => line.includes('went back'))).toHaveLength(1)
  })
})

describe('warnings', () => {
  test('each threshold is told of once a period, and clients of a rule that warns are told the share', async () => {
    const till = await tillWith(ruleOf({ action: 'warn' }))
    const spend = async (costNano: number) => {
      const begun = await till.begin(wishOf(costNano))
      if (begun !== undefined) till.settle(begun, costNano)
      return begun?.reservation.warnings
    }
    expect(await spend(499)).toEqual([])
    expect(await spend(1)).toEqual([])
    expect(await spend(1)).toEqual([{ name: 'budget "Team"', share: 0.5 }])
    const told = () => till.log.filter((line) => line.includes('threshold')).length
    expect(told()).toBe(1)
    await spend(600)
    expect(told()).toBe(2)
    expect(till.statusOf()).toMatchObject({ state: 'over', lastCrossed: { threshold: 1 } })
    till.clock.advance(DAY_MS)
    await spend(500)
    expect(told()).toBe(3)
  })
})

describe('rules that begin', () => {
  test('a rule begins with what was spent in its window, to the request', async () => {
    const till = new Till(telemetry(), new HandClock())
    const before = await till.begin(wishOf(0))
    if (before !== undefined) till.settle(before, 40)
    const underWay = await till.begin(wishOf(70))
    till.writer.flush()
    const unwritten = await till.begin(wishOf(0))
    till.purse.replaceRules('budgets', [ruleOf()])
    const after = await till.begin(wishOf(5))
    await settled()
    expect(till.statusOf()).toMatchObject({ spent: { costNano: 40, requests: 1 }, reserved: { costNano: 75 } })
    for (const begun of [underWay, unwritten, after]) if (begun !== undefined) till.settle(begun, 100)
    expect(till.statusOf()).toMatchObject({ spent: { costNano: 340, requests: 4 }, reserved: { costNano: 0 } })
  })

  test('nothing is let through before the past is counted', async () => {
    const till = new Till(telemetry(), new HandClock())
    const before = await till.begin(wishOf(0))
    if (before !== undefined) till.settle(before, 1_000)
    till.purse.replaceRules('budgets', [ruleOf()])
    expect(await whyNot(till, wishOf(1))).toBe('spent')
  })

  test('a changed limit keeps the count, a changed scope counts anew', async () => {
    const till = await tillWith(ruleOf())
    const begun = await till.begin(wishOf(900))
    if (begun !== undefined) till.settle(begun, 900)
    till.purse.replaceRules('budgets', [ruleOf({ limit: { costNano: 5_000, tokens: null, requests: null } })])
    expect(till.statusOf()?.spent.costNano).toBe(900)
    till.purse.replaceRules('budgets', [ruleOf({ scope: { kind: 'key', id: 'key_2' } })])
    await settled()
    expect(till.statusOf()?.spent.costNano).toBe(0)
    till.purse.replaceRules('budgets', [ruleOf()])
    await settled()
    expect(till.statusOf()?.spent.costNano).toBe(900)
  })

  test('rules of one source leave those of another alone', async () => {
    const till = await tillWith(ruleOf())
    till.purse.replaceRules('plans', [ruleOf({ id: 'pln_1' })])
    till.purse.replaceRules('budgets', [])
    expect([till.purse.statusOf('bud_1').length, till.purse.statusOf('pln_1').length]).toEqual([0, 1])
  })
})

describe('a restart', () => {
  test('counters go on where they were, and what was under way is charged as it was set aside', async () => {
    const database = telemetry()
    const clock = new HandClock()
    const first = new Till(database, clock)
    first.purse.replaceRules('budgets', [ruleOf()])
    await settled()
    const done = await first.begin(wishOf(100))
    if (done !== undefined) first.settle(done, 60)
    await first.begin(wishOf(300))
    first.writer.flush()

    recover(database, 100)
    const second = new Till(database, clock, 'b')
    second.purse.replaceRules('budgets', [ruleOf()])
    expect(second.statusOf()).toMatchObject({
      spent: { costNano: 360, tokens: 20 + 30, requests: 2 },
      reserved: { costNano: 0 },
      lastCrossed: null,
    })
  })

  test('a clock that was set back meanwhile opens no window again', async () => {
    const database = telemetry()
    const clock = new HandClock()
    const first = new Till(database, clock)
    first.purse.replaceRules('budgets', [ruleOf()])
    await settled()
    const begun = await first.begin(wishOf(1_000))
    if (begun !== undefined) first.settle(begun, 1_000)
    first.writer.flush()
    clock.setBack(3 * DAY_MS)
    const second = new Till(database, clock, 'b')
    second.purse.replaceRules('budgets', [ruleOf()])
    expect(await whyNot(second, wishOf(1))).toBe('spent')
    expect(second.log.some((line) => line.includes('went back'))).toBe(true)
  })

  test('counters outlive the rows they count', async () => {
    const database = telemetry()
    const till = new Till(database, new HandClock())
    till.purse.replaceRules('budgets', [ruleOf({ window: { kind: 'total' } })])
    await settled()
    const begun = await till.begin(wishOf(100))
    if (begun !== undefined) till.settle(begun, 60)
    till.writer.flush()
    database.run('DELETE FROM attempts')
    const second = new Till(database, till.clock, 'b')
    second.purse.replaceRules('budgets', [ruleOf({ window: { kind: 'total' } })])
    expect(second.statusOf()?.spent.costNano).toBe(60)
  })

  test('a rule that was switched off for a while is counted anew when it comes back', async () => {
    const till = await tillWith(ruleOf())
    const spend = async (costNano: number) => {
      const begun = await till.begin(wishOf(costNano))
      if (begun !== undefined) till.settle(begun, costNano)
    }
    await spend(10)
    till.purse.replaceRules('budgets', [])
    await spend(20)
    till.purse.replaceRules('budgets', [ruleOf()])
    await settled()
    await spend(30)
    expect(till.statusOf()?.spent).toEqual({ costNano: 60, tokens: 60, requests: 3 })
  })

  test('nothing stays of what a rule has counted before it began anew, or went', async () => {
    const database = telemetry()
    const first = new Till(database, new HandClock())
    const rules = [
      ruleOf({ each: true, window: { kind: 'total' } }),
      ruleOf({ id: 'bud_2', window: { kind: 'total' } }),
    ]
    first.purse.replaceRules('budgets', rules)
    const begun = await first.begin(wishOf(100))
    first.writer.flush()
    // Killed before it was written that the past is counted.
    database.run('UPDATE spend_rules SET filled = 0')
    recover(database, 100)
    const second = new Till(database, first.clock, 'b')
    second.purse.replaceRules('budgets', rules.slice(0, 1))
    await settled()
    second.writer.flush()
    expect(begun).toBeDefined()
    expect(database.query('SELECT sum(cost_nano) AS spent, count(*) AS counters FROM spend_counters').get()).toEqual({
      spent: 100,
      counters: 1,
    })
  })

  type Begin = (till: Till, begin: () => void, database: Database) => unknown
  const kills: readonly (readonly [string, Begin])[] = [
    ['before it is on disk that it has begun', (_, begin, database) => onFullDisk(database, begin)],
    ['before it is on disk that its past is counted', (_, begin) => begin()],
    ['once both are', (till, begin) => (begin(), settled().then(() => till.writer.flush()))],
  ]
  for (const [moment, beginAs] of kills)
    test(`a rule counts once what had no row when it began, after a kill ${moment}, too`, async () => {
      const database = telemetry()
      const rules = [ruleOf(), ruleOf({ id: 'bud_2' })]
      const first = new Till(database, new HandClock())
      first.purse.replaceRules('budgets', rules.slice(0, 1))
      await settled()
      const begun = await first.begin(wishOf(300))
      expect(await first.writer.onDisk(begun?.id ?? '')).toBe(true)
      await beginAs(first, () => first.purse.replaceRules('budgets', rules), database)

      recover(database, 100)
      const second = new Till(database, first.clock, 'b')
      second.purse.replaceRules('budgets', rules)
      await settled()
      for (const { id } of rules)
        expect(second.statusOf(id)).toMatchObject({ spent: { costNano: 300, requests: 1 }, reserved: { costNano: 0 } })
    })

  test('only a share of what was set aside is charged where the owner says so, rounded up', async () => {
    const database = telemetry()
    const till = new Till(database, new HandClock())
    till.purse.replaceRules('budgets', [ruleOf()])
    await settled()
    await till.begin(wishOf(33))
    till.writer.flush()
    recover(database, 50)
    const row = database.query('SELECT state, cost_nano, input_uncached, output FROM attempts').get()
    expect(row).toEqual({ state: 'interrupted', cost_nano: 17, input_uncached: 5, output: 10 })
  })
})

test('the least that is left of what refuses, in percent', async () => {
  const till = await tillWith(
    ruleOf(),
    ruleOf({
      id: 'bud_2',
      scope: { kind: 'key', id: 'key_1' },
      limit: { costNano: 400, tokens: null, requests: null },
    }),
    ruleOf({ id: 'bud_3', action: 'warn', limit: { costNano: 1, tokens: null, requests: null } }),
  )
  const begun = await till.begin(wishOf(100))
  if (begun !== undefined) till.settle(begun, 100)
  expect(till.purse.leftPct({ keyId: 'key_1', planId: null, tags: {} })).toBe(75)
  expect(till.purse.leftPct({ keyId: 'key_2', planId: null, tags: {} })).toBe(90)
  till.purse.replaceRules('budgets', [])
  expect(till.purse.leftPct({ keyId: 'key_1', planId: null, tags: {} })).toBeNull()
})
