/**
 * Whatever happens in whatever order (requests, their ends, rules that change, periods that end, clocks that are set, kills and
 * restarts), a counter is the sum of the rows that name it, no limit is passed by what is reserved and spent together, and what a
 * killed process had under way is charged.
 */
import type { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { recover } from '../../../src/ledger/recover.ts'
import type { SpendRule } from '../../../src/ledger/spending/spending.ts'
import { HandClock } from '../../support/clock.ts'
import { type Begun, DAY, ruleOf, Till, wishOf } from './purses.ts'
import { telemetry } from '../records.ts'

const LIMIT = 1_000
const HOUR_MS = 3_600_000

type Act =
  | { readonly act: 'begin'; readonly cost: number; readonly key: string }
  /** `share` of what was reserved is what it came to, at most all of it. */
  | { readonly act: 'settle'; readonly which: number; readonly share: number }
  | { readonly act: 'release'; readonly which: number }
  | { readonly act: 'pass'; readonly ms: number }
  | { readonly act: 'setBack'; readonly ms: number }
  | { readonly act: 'write' }
  | { readonly act: 'kill' }
  | { readonly act: 'rules'; readonly rules: readonly SpendRule[] }

const limit = { costNano: LIMIT, tokens: null, requests: null }
const windows: readonly SpendRule['window'][] = [DAY, { kind: 'rolling', ms: 2 * HOUR_MS }, { kind: 'total' }]
const rules: readonly SpendRule[] = windows.flatMap((window, at) => [
  ruleOf({ id: `bud_${at}`, limit, window }),
  ruleOf({ id: `bud_key${at}`, limit, window, scope: { kind: 'key', id: 'key_1' } }),
  ruleOf({ id: `bud_each${at}`, limit, window, scope: { kind: 'tag', name: 'team', value: 'red' }, each: true }),
])
const key = fc.constantFrom('key_1', 'key_2')
const which = fc.nat(20)
const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ act: fc.constant('begin' as const), cost: fc.integer({ min: 0, max: 400 }), key }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('settle' as const),
      which,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('release' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 5 * HOUR_MS }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('setBack' as const), ms: fc.integer({ min: 0, max: 5 * HOUR_MS }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('write' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('rules' as const), rules: fc.subarray([...rules]) }) },
)

/** A program that is restarted now and then, on a disk that keeps what was committed. */
class World {
  readonly database: Database = telemetry()
  readonly clock = new HandClock()
  till = new Till(this.database, this.clock, 'r0_')
  rules: readonly SpendRule[] = []
  open: Begun[] = []
  #runs = 0

  /** Under which rules are counted. */
  get names(): ReadonlySet<string> {
    return new Set([...this.till.spendLog.knownRules().values()].map(({ name }) => name))
  }

  async use(all: readonly SpendRule[]): Promise<void> {
    this.rules = all
    this.till.purse.replaceRules('budgets', all)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }

  async perform(act: Act): Promise<void> {
    switch (act.act) {
      case 'begin':
        return this.#begin(act.cost, act.key)
      case 'settle':
        return this.#end(act.which, (begun) =>
          this.till.settle(begun, Math.floor(act.share * begun.reservation.costNano)),
        )
      case 'release':
        return this.#end(act.which, (begun) => this.till.release(begun))
      case 'pass':
        return this.clock.advance(act.ms)
      case 'setBack':
        return this.clock.setBack(act.ms)
      case 'write':
        return void this.till.writer.flush()
      case 'kill':
        return this.#kill()
      case 'rules':
        return this.use(act.rules)
    }
  }

  /** Under rules that refuse, nothing begins before it is on disk: so it is here. */
  async #begin(cost: number, keyId: string): Promise<void> {
    const begun = await this.till.begin(wishOf(cost, { keyId, tags: { team: 'red' } }))
    if (begun === undefined) return
    this.open.push(begun)
    if (!begun.reservation.isBlocking) return
    expect(await this.till.writer.onDisk(begun.id)).toBe(true)
    this.till.writer.sendAttempt(begun.id)
  }

  #end(which: number, end: (begun: Begun) => void): void {
    const [begun] = this.open.splice(which % Math.max(1, this.open.length), 1)
    if (begun !== undefined) end(begun)
  }

  /** What was not written is gone with the process; the clock is the machine's and goes on. */
  async #kill(): Promise<void> {
    this.open = []
    this.clock.forgetTimers()
    recover(this.database, 100)
    this.till = new Till(this.database, this.clock, `r${++this.#runs}_`)
    await this.use(this.rules)
  }

  /** What closed rows say of a counter's period, and what is reserved there by those under way. */
  rowsOf(name: string, startMs: number): Sums {
    const { spent, reserved } = this.database
      .query<Sums, [string, number]>(
        `SELECT coalesce(sum(iif(state IN ('reserved', 'sent'), 0, cost_nano)), 0) AS spent,
          coalesce(sum(iif(state IN ('reserved', 'sent'), reserved_nano, 0)), 0) AS reserved
        FROM attempts, json_each(attempts.counters) AS c
        WHERE json_extract(c.value, '$[0]') = ? AND json_extract(c.value, '$[1]') = ?`,
      )
      .get(name, startMs) ?? { spent: 0, reserved: 0 }
    return { spent, reserved }
  }
}

interface Sums {
  readonly spent: number
  readonly reserved: number
}

interface CounterRow {
  readonly name: string
  readonly start_ms: number
  readonly cost_nano: number
}

function expectNothingNegative(world: World): void {
  for (const { id } of world.rules)
    for (const { spent, reserved } of world.till.purse.statusOf(id)) {
      expect(spent.costNano).toBeGreaterThanOrEqual(0)
      expect(reserved.costNano).toBeGreaterThanOrEqual(0)
    }
}

/**
 * A rule that began later has what was before it beside what its rows say; one that counts under its `first` name still has nothing
 * else; one that is gone has what ended since.
 */
function expectCountersAreSums(world: World, first: ReadonlySet<string>): void {
  world.till.writer.flush()
  const now = world.names
  const counters = world.database.query<CounterRow, []>('SELECT name, start_ms, cost_nano FROM spend_counters').all()
  for (const { name, start_ms: startMs, cost_nano: cost } of counters) {
    const { spent } = world.rowsOf(name, startMs)
    const [rule = ''] = name.split('.')
    if (!now.has(rule)) continue
    if (first.has(rule)) expect([name, cost]).toEqual([name, spent])
    else expect(cost).toBeGreaterThanOrEqual(spent)
  }
}

test('counters are the sums of their rows, in memory and on disk, through everything', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anAct, { maxLength: 60 }), async (acts) => {
      const world = new World()
      await world.use(rules)
      const first = world.names
      for (const act of acts) {
        await world.perform(act)
        expectNothingNegative(world)
      }
      expectCountersAreSums(world, first)
      expectMemoryIsDisk(world)
    }),
    { numRuns: 150 },
  )
})

/** What a restart would read is what the process knows, and what is reserved is what rows under way say. */
function expectMemoryIsDisk(world: World): void {
  const { purse, spendLog, wall, writer } = world.till
  spendLog.tick(wall.nowMs())
  writer.flush()
  const now = world.rules.map(({ id }) => purse.statusOf(id).map(({ spent, keyId }) => ({ spent, keyId })))
  const reserved = world.rules.map(({ id }) => purse.statusOf(id).reduce((sum, one) => sum + one.reserved.costNano, 0))
  const again = new Till(world.database, world.clock, 'again_')
  again.purse.replaceRules('budgets', world.rules)
  const then = world.rules.map(({ id }) => again.purse.statusOf(id).map(({ spent, keyId }) => ({ spent, keyId })))
  const used = (all: typeof now) => all.map((some) => some.filter(({ spent }) => spent.requests > 0).sort(byKey))
  expect(used(then)).toEqual(used(now))
  for (const [at, rule] of world.rules.entries()) {
    if (rule.window.kind !== 'total') continue
    const name = world.till.spendLog.knownRules().get(rule.id)?.name ?? ''
    expect(reserved[at]).toBe(reservedUnder(world.database, name))
  }
}

function byKey(a: { readonly keyId: string | null }, b: { readonly keyId: string | null }): number {
  return (a.keyId ?? '').localeCompare(b.keyId ?? '')
}

function reservedUnder(database: Database, name: string): number {
  const row = database
    .query<{ reserved: number | null }, [string]>(
      `SELECT sum(reserved_nano) AS reserved FROM attempts WHERE state IN ('reserved', 'sent') AND instr(counters, ?) > 0`,
    )
    .get(name)
  return row?.reserved ?? 0
}

test('no window holds more than its limit while nothing costs more than was reserved for it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anAct, { maxLength: 60 }), fc.constantFrom(...windows), async (acts, window) => {
      const world = new World()
      await world.use([ruleOf({ limit, window })])
      for (const act of acts) {
        if (act.act === 'rules') continue
        await world.perform(act)
        // What ended right before a kill is charged as it was reserved, beside what reserved the rest since.
        if (act.act === 'settle' || act.act === 'release') world.till.writer.flush()
        const { spent, reserved } = world.till.statusOf() ?? { spent: { costNano: 0 }, reserved: { costNano: 0 } }
        expect(spent.costNano + reserved.costNano).toBeLessThanOrEqual(LIMIT)
      }
    }),
    { numRuns: 200 },
  )
})

test('in any two hours that anybody could pick, a rolling window of two hours holds no more than its limit', async () => {
  const some = fc.oneof(
    { weight: 5, arbitrary: fc.record({ cost: fc.integer({ min: 1, max: 400 }) }) },
    { weight: 3, arbitrary: fc.record({ ms: fc.integer({ min: 0, max: HOUR_MS }) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(some, { maxLength: 80 }), async (acts) => {
      const world = new World()
      await world.use([ruleOf({ limit, window: { kind: 'rolling', ms: 2 * HOUR_MS } })])
      const spent: { readonly atMs: number; readonly cost: number }[] = []
      for (const act of acts) {
        if ('ms' in act) world.clock.advance(act.ms)
        else {
          const begun = await world.till.begin(wishOf(act.cost))
          if (begun === undefined) continue
          world.till.settle(begun, act.cost)
          spent.push({ atMs: world.clock.nowMs(), cost: act.cost })
        }
      }
      for (const { atMs: endMs } of spent) {
        const within = spent.filter(({ atMs }) => atMs > endMs - 2 * HOUR_MS && atMs <= endMs)
        expect(within.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(LIMIT)
      }
    }),
    { numRuns: 200 },
  )
})
