import { expect, test } from 'bun:test'
import { LastResort, STORM_ERRORS, STORM_WINDOW_MS } from '../../src/cli/last-resort.ts'
import { HandClock } from '../support/clock.ts'

function makeLastResort(): { clock: HandClock; lines: string[]; storms: () => number; fail: (times: number) => void } {
  const clock = new HandClock()
  const lines: string[] = []
  const seen = { storms: 0 }
  const log = {
    write: (...[, , message, fields]: unknown[]) => void lines.push(`${String(message)} ${JSON.stringify(fields)}`),
  }
  const lastResort = new LastResort({ clock, log, onStorm: () => void seen.storms++ })
  const fail = (times: number): void => {
    for (let count = 0; count < times; count++) lastResort.note('unhandled rejection', new Error('boom'))
  }
  return { clock, lines, storms: () => seen.storms, fail }
}

test('an error that nobody handled is logged with where it came from', () => {
  const { lines, fail } = makeLastResort()
  fail(1)
  expect(lines[0]).toMatch(/unhandled rejection .*boom.*last-resort\.test\.ts/)
})

test('many within a minute ask for a fresh start, once', () => {
  const { storms, fail } = makeLastResort()
  fail(STORM_ERRORS - 1)
  expect(storms()).toBe(0)
  fail(STORM_ERRORS)
  expect(storms()).toBe(1)
})

test('as many over a longer time do not', () => {
  const { clock, storms, fail } = makeLastResort()
  for (let round = 0; round < 5; round++) {
    fail(STORM_ERRORS / 2)
    clock.advance(STORM_WINDOW_MS)
  }
  expect(storms()).toBe(0)
})
