import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FAILURE_KINDS } from '../../src/core/failure.ts'
import {
  afterPass,
  afterVerdict,
  CLOSED,
  isOutage,
  passesAfterMs,
  PROBE_MS,
  stateOf,
  type Circuit,
  type CircuitRules,
  type Verdict,
} from '../../src/routing/breaker.ts'

const RULES: CircuitRules = { errors: 5, windowMs: 30_000, openMs: 30_000, halfOpen: 1 }

/** One call after the other, each ending at once. */
function after(circuit: Circuit, calls: readonly (readonly [atMs: number, verdict: Verdict])[]): Circuit {
  return calls.reduce(
    (before, [atMs, verdict]) => afterVerdict(afterPass(before, RULES, atMs), verdict, atMs, RULES, atMs),
    circuit,
  )
}

const times = (count: number, verdict: Verdict, fromMs = 0) =>
  Array.from({ length: count }, (_, index) => [fromMs + index, verdict] as const)
const OPEN = after(CLOSED, times(5, 'failed'))

test('only failures of the provider itself count, never those of a request or an account', () => {
  expect(FAILURE_KINDS.filter(isOutage).sort()).toEqual(['connect', 'overloaded', 'server', 'timeout'])
})

describe('a circuit', () => {
  const cases: readonly (readonly [what: string, calls: readonly (readonly [number, Verdict])[], state: string])[] = [
    ['stays closed after four failures', times(4, 'failed'), 'closed'],
    ['opens with the fifth', times(5, 'failed'), 'open'],
    [
      'stays closed when they are more than its window apart',
      [0, 10, 20, 30, 40].map((s) => [s * 1_000, 'failed']),
      'closed',
    ],
    ['opens although others are answered in between', [...times(20, 'answered'), ...times(5, 'failed', 20)], 'open'],
    ['stays closed when hardly any call fails', [...times(100, 'answered'), ...times(5, 'failed', 100)], 'closed'],
    ['opens when many calls fail among many', [...times(500, 'answered'), ...times(60, 'failed', 500)], 'open'],
    ['does not count what says nothing', times(50, 'unknown'), 'closed'],
  ]
  for (const [what, calls, state] of cases) {
    test(what, () => expect(stateOf(after(CLOSED, calls), calls.at(-1)?.[0] ?? 0)).toBe(state as never))
  }
})

describe('an open circuit', () => {
  const HALF_OPEN_MS = 30_004

  test('lets nothing pass for as long as the settings say', () => {
    expect(passesAfterMs(OPEN, RULES, 1_004)).toBe(29_000)
    expect([stateOf(OPEN, HALF_OPEN_MS - 1), stateOf(OPEN, HALF_OPEN_MS)]).toEqual(['open', 'half_open'])
  })

  test('then lets one request try, and the others wait for it', () => {
    expect(passesAfterMs(OPEN, RULES, HALF_OPEN_MS)).toBe(0)
    expect(passesAfterMs(afterPass(OPEN, RULES, HALF_OPEN_MS), RULES, HALF_OPEN_MS)).toBe(PROBE_MS)
  })

  test('closes with an answer, and has forgotten what was', () => {
    expect(after(OPEN, [[HALF_OPEN_MS, 'answered']])).toEqual(CLOSED)
  })

  test('stays open for as long again after another failure', () => {
    expect(passesAfterMs(after(OPEN, [[HALF_OPEN_MS, 'failed']]), RULES, HALF_OPEN_MS)).toBe(30_000)
  })

  test('lets the next one try when the one before says nothing', () => {
    expect(passesAfterMs(after(OPEN, [[HALF_OPEN_MS, 'unknown']]), RULES, HALF_OPEN_MS)).toBe(0)
  })

  test('does not listen to calls that began before it opened', () => {
    for (const verdict of ['answered', 'failed', 'unknown'] as const) {
      expect(afterVerdict(OPEN, verdict, 1, RULES, HALF_OPEN_MS)).toBe(OPEN)
    }
  })

  test('lets as many try at once as the settings say', () => {
    const rules = { ...RULES, halfOpen: 3 }
    let circuit: Circuit = OPEN
    for (let probe = 0; probe < 3; probe++) {
      expect(passesAfterMs(circuit, rules, HALF_OPEN_MS + probe)).toBe(0)
      circuit = afterPass(circuit, rules, HALF_OPEN_MS + probe)
    }
    expect(passesAfterMs(circuit, rules, HALF_OPEN_MS + 3)).toBeGreaterThan(0)
  })
})

test('whatever happens, somebody may try within the time that it stays open and that of a silent probe', () => {
  const event = fc.record({
    waitMs: fc.integer({ min: 0, max: 20_000 }),
    verdict: fc.constantFrom<Verdict | 'never'>('answered', 'failed', 'unknown', 'never'),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 300 }), (events) => {
      let circuit: Circuit = CLOSED
      let nowMs = 0
      for (const { waitMs, verdict } of events) {
        nowMs += waitMs
        const waitForMs = passesAfterMs(circuit, RULES, nowMs)
        expect(waitForMs).toBeWithin(0, RULES.openMs + PROBE_MS + 1)
        expect(passesAfterMs(circuit, RULES, nowMs + waitForMs)).toBe(0)
        if (waitForMs > 0) continue
        circuit = afterPass(circuit, RULES, nowMs)
        if (verdict !== 'never') circuit = afterVerdict(circuit, verdict, nowMs, RULES, nowMs)
      }
    }),
  )
})

test('of a provider that fails from some moment on, only probes are asked; once it is back, it is used again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 60_000, max: 600_000 }), (downMs, forMs) => {
      let circuit: Circuit = CLOSED
      let asked = 0
      for (let nowMs = 0; nowMs < downMs + forMs + 60_000; nowMs += 100) {
        if (passesAfterMs(circuit, RULES, nowMs) > 0) continue
        const isDown = nowMs >= downMs && nowMs < downMs + forMs
        if (isDown) asked++
        circuit = after(circuit, [[nowMs, isDown ? 'failed' : 'answered']])
      }
      // At first a tenth of the calls of the window, then one in each `openMs`.
      expect(asked).toBeLessThanOrEqual(50 + Math.ceil(forMs / RULES.openMs))
      expect(circuit.state).toBe('closed')
    }),
    { numRuns: 20 },
  )
})
