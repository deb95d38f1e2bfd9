/** A million histories instead of ten thousand. */
import { expect, test } from 'bun:test'
import { newTold, playHistory } from './simulation.ts'

const FIRST_SEED = 1_000_000
const HISTORIES = 1_000_000
const DEVIATIONS_MAX = 4

test(`${HISTORIES} histories of limits and outages hold what routing promises`, async () => {
  const told = newTold()
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) await playHistory(seed, told)
  const { drawn, expected, variance } = told.draws
  expect(Math.abs(drawn - expected) / Math.sqrt(variance)).toBeLessThan(DEVIATIONS_MAX)
}, 3_600_000)
