/** Which account of a provider is asked, whether there are few of them or thousands. */
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { WALKED_MAX } from '../../src/routing/account-pool.ts'
import { ACCOUNT_STRATEGIES, type AccountStrategy } from '../../src/routing/candidates.ts'
import { candidatesOf } from '../../src/routing/choose.ts'
import { ReadyTree } from '../../src/routing/ready-tree.ts'
import type { KeyRank } from '../../src/routing/request-view.ts'
import { HandClock } from '../support/clock.ts'
import { manyAccounts, type ManyAccounts } from '../support/many-accounts.ts'
import { MODEL, NAME, RosterStage } from './roster-stage.ts'
import { view } from './stage.ts'

const FEW = 5
const MANY = WALKED_MAX * 4
/** So many requests under way are too many to be worth a cache. */
const BUSY = 10
const session = (id: string) => view({ affinity: { sessionId: id } })

async function bench(count: number, strategy: AccountStrategy, more: Partial<ManyAccounts> = {}): Promise<RosterStage> {
  const clock = new HandClock()
  const roster = await manyAccounts({ provider: 'openai', count, clock, ...more })
  return new RosterStage(roster, clock, { preferences: { accountStrategy: strategy, affinity: 'session' } })
}

for (const count of [FEW, MANY]) {
  const all = Array.from({ length: count }, (_, index) => `acc_${index}`)

  describe(`of ${count} accounts`, () => {
    for (const strategy of ACCOUNT_STRATEGIES) {
      test(`${strategy} tries each that can be used once, and never another`, async () => {
        const stage = await bench(count, strategy, {
          state: (index) => (index % 2 === 0 ? {} : { standing: 'auth_error' }),
        })
        const usable = all.filter((_, index) => index % 2 === 0)
        for (let turn = 0; turn < 5; turn++) expect(stage.tried().toSorted()).toEqual(usable.toSorted())
      })

      test(`${strategy} takes tiers in their order, and what has no weight last`, async () => {
        const account = (index: number) => ({ priority: index % 2, weight: index < 2 ? 0 : 1 })
        const stage = await bench(count, strategy, { account })
        const tiers = stage.tried().map((id) => {
          const { priority, weight } = account(Number(id.slice(4)))
          return weight === 0 ? 2 + priority : priority
        })
        expect(tiers).toEqual(tiers.toSorted((a, b) => a - b))
      })

      test(`${strategy} keeps a session where it is, until the account cannot be used`, async () => {
        const stage = await bench(count, strategy)
        const first = stage.use(session('one'))
        for (let turn = 0; turn < 10; turn++) {
          stage.use(session(`other-${turn}`))
          expect(stage.use(session('one'))).toBe(first)
        }
        stage.limit(first, 60_000)
        const second = stage.use(session('one'))
        expect(second).not.toBe(first)
        stage.clock.advance(61_000)
        expect(stage.use(session('one'))).toBe(second)
      })
    }

    test('an account is kept only in front, and only while another could be taken', async () => {
      const stage = await bench(count, 'round_robin')
      expect(stage.kept(session('one'))).toEqual([])
      const first = stage.use(session('one'))
      expect(stage.kept(session('one'))).toEqual([first])
      expect(stage.kept(session('two'))).toEqual([])
      const leave = Array.from({ length: BUSY }, () => stage.counters.begin('openai', MODEL, first))
      expect(stage.tried(session('one'))).toContain(first)
      expect(stage.kept(session('one'))).toEqual([])
      for (const end of leave) end()
      for (const id of all) if (id !== first) stage.limit(id, 60_000)
      expect(stage.use(session('one'))).toBe(first)
      expect(stage.kept(session('one'))).toEqual([])
    })

    test('with a fixed order only what affinity keeps out of it is kept', async () => {
      const stage = await bench(count, 'priority')
      expect([stage.use(session('one')), ...stage.kept(session('one'))]).toEqual(['acc_0'])
      stage.limit('acc_0', 60_000)
      expect([stage.use(session('two')), ...stage.kept(session('two'))]).toEqual(['acc_1'])
      stage.clock.advance(61_000)
      expect(stage.kept(session('two'))).toEqual(['acc_1'])
    })

    test('priority takes the first, and the next ones in their order', async () => {
      expect((await bench(count, 'priority')).tried()).toEqual(all)
    })

    test('round_robin goes round, sticky_n stays for as many requests as the settings say', async () => {
      const round = await bench(count, 'round_robin')
      expect(all.map(() => round.use())).toEqual(all)
      expect(round.use()).toBe('acc_0')
      const sticky = await bench(count, 'sticky_n')
      expect([1, 2, 3, 4].map(() => sticky.use())).toEqual(['acc_0', 'acc_0', 'acc_0', 'acc_1'])
    })

    test('weighted gives each its share', async () => {
      const stage = await bench(count, 'weighted', { account: (index) => ({ weight: index === 0 ? count - 1 : 1 }) })
      let heavy = 0
      for (let turn = 0; turn < 10_000; turn++) if (stage.use() === 'acc_0') heavy++
      expect(Math.abs(heavy / 10_000 - 0.5)).toBeLessThan(0.02)
    })

    for (const strategy of ['least_busy', 'p2c'] as const) {
      test(`${strategy} spreads what is under way`, async () => {
        const stage = await bench(count, strategy)
        for (let request = 0; request < count * 4; request++) stage.counters.begin('openai', MODEL, stage.use())
        const busiest = Math.max(...all.map((id) => stage.counters.inFlightOfAccount(id)))
        expect(busiest).toBeLessThanOrEqual(8)
      })
    }

    test('one that rests is asked again at the moment that its provider named, not later', async () => {
      const stage = await bench(count, 'priority')
      stage.limit('acc_0', 30_000)
      expect(stage.use()).toBe('acc_1')
      stage.clock.advance(29_999)
      expect(stage.use()).toBe('acc_1')
      stage.clock.advance(1)
      expect(stage.use()).toBe('acc_0')
    })

    test('one that something else holds back is passed over, and soon looked at again', async () => {
      const held = new Set<string>()
      const hold = {
        why: ({ id }: { readonly id: string }) => (held.has(id) ? ('at_rate' as const) : null),
        returnsAfterMs: () => 1,
      }
      const stage = await bench(count, 'priority', { holds: [hold] })
      held.add('acc_0')
      expect(stage.use()).toBe('acc_1')
      held.clear()
      stage.clock.advance(500)
      expect(stage.use()).toBe('acc_0')
    })

    test('one whose time comes to its end is passed over from then on', async () => {
      const expiresAtMs = new HandClock().nowMs() + 1_000
      const stage = await bench(count, 'least_busy', { account: (index) => (index < count - 1 ? { expiresAtMs } : {}) })
      expect(stage.tried()).toHaveLength(count)
      stage.clock.advance(1_000)
      expect(stage.tried()).toEqual([`acc_${count - 1}`])
    })

    test('what is kept for keys of a higher priority is there for them alone', async () => {
      const why = (_: unknown, __: string, rank: KeyRank) => (rank === 'ordinary' ? ('quota_reserved' as const) : null)
      const kept = { why, returnsAfterMs: () => undefined }
      const stage = await bench(count, 'priority', { holds: [kept] })
      expect([1, 0, -10].map((priority) => stage.use(view({ priority })))).toEqual(['acc_0', 'nothing', 'nothing'])
      expect(stage.tried(view({ priority: 10 }))).toHaveLength(count)
    })

    test('when none can be used each is told with its reason', async () => {
      const stage = await bench(count, 'random', { account: () => ({ enabled: false }) })
      const considered = [...candidatesOf(stage.route(NAME), stage.choosing())]
      expect(considered.length).toBe(count)
      expect(new Set(considered.map(({ skipped }) => skipped))).toEqual(new Set(['disabled']))
    })
  })
}

test('the next account that is ready is the one that a walk would find', () => {
  const moment = fc.constantFrom(0, 100, Infinity)
  const changes = fc.array(fc.tuple(fc.nat(99), moment))
  fc.assert(
    fc.property(
      fc.array(moment, { minLength: 1, maxLength: 100 }),
      changes,
      fc.nat(100),
      fc.nat(100),
      (ready, moves, from, to) => {
        const tree = new ReadyTree(ready)
        for (const [at, readyAtMs] of moves) {
          if (at >= ready.length) continue
          ready[at] = readyAtMs
          tree.set(at, readyAtMs)
        }
        const end = Math.min(to, ready.length)
        for (const nowMs of [50, 100]) {
          const walked = ready.findIndex((readyAtMs, at) => at >= from && at < end && readyAtMs <= nowMs)
          expect(tree.next(from, end, nowMs)).toBe(walked)
        }
      },
    ),
  )
})
