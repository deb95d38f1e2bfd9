import { expect, test } from 'bun:test'
import { newTold, playHistory } from './simulation.ts'

const HISTORIES = 10_000
/** Of a drawn number that is right, 1 in 15,000 is further off. */
const DEVIATIONS_MAX = 4

test(`${HISTORIES} histories of limits and outages hold what routing promises`, async () => {
  const told = newTold()
  for (let seed = 1; seed <= HISTORIES; seed++) await playHistory(seed, told)
  const { drawn, expected, variance } = told.draws
  expect(Math.abs(drawn - expected) / Math.sqrt(variance)).toBeLessThan(DEVIATIONS_MAX)
  expect(expected).toBeGreaterThan(1_000)
  // A simulation in which nothing goes wrong, or nothing right, would prove nothing.
  expect(told.answered / told.requests).toBeWithin(0.5, 0.99)
  expect((told.attempts - told.answered) / told.requests).toBeGreaterThan(0.05)
})
