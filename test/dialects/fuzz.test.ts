/** Ten thousand damaged streams, replies and requests, a million in the nightly run; and every case that once broke something. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fuzz } from '../../scripts/fuzz/run.ts'
import { faultOf, type Fixture } from '../../scripts/fuzz/trial.ts'

const CASES = 10_000
/** Always the same cases here, so that a failure is the change's; the nightly run throws new ones. */
const SEED = 20_261_121
const FIXTURES = join(import.meta.dir, '../fixtures/fuzz')

test('ten thousand damaged streams, replies and requests break nothing', () => {
  expect(fuzz(SEED, 0, CASES)).toBeUndefined()
})

for (const name of readdirSync(FIXTURES)) {
  test(`${name} breaks nothing any more`, () => {
    const fixture = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Fixture
    expect(faultOf(fixture)).toBeUndefined()
  })
}
