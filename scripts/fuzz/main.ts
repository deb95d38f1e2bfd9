/**
 * `bun run fuzz [--count N] [--seed S] [--from I]`: damaged streams through every decoder and every encoder. Prints the rate and the
 * seed; the first case that breaks something is printed as a fixture for `test/fixtures/fuzz/`, and decides the exit code.
 */
import { parseArgs } from 'node:util'
import { fuzz } from './run.ts'

const COUNT = 100_000
/** Progress is shown, and faults are looked for, in portions of this size. */
const PORTION = 50_000

const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
})
const count = Number(values.count ?? COUNT)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const from = Number(values.from ?? 0)

process.exitCode = run() ? 0 : 1

function run(): boolean {
  console.log(`${count} damaged streams, seed ${seed}`)
  const startedMs = performance.now()
  for (let done = 0; done < count; done += PORTION) {
    const portion = Math.min(PORTION, count - done)
    const found = fuzz(seed, from + done, portion)
    if (found !== undefined) {
      console.log(`case ${found.caseIndex} of seed ${seed}: ${found.fault}`)
      console.log(JSON.stringify(found.fixture, null, 2))
      return false
    }
    const seconds = (performance.now() - startedMs) / 1_000
    console.log(`${done + portion} without a fault, ${Math.round((done + portion) / seconds)} a second`)
  }
  return true
}
