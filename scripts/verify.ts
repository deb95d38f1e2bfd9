/**
 * `bun run verify [--nightly]`: everything that must hold before a change is shared, from a bare clone on. Each step reports
 * itself; the last line is `N passed, N failed` over all steps and tests, and decides the exit code.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const SMOKE_TEST = 'test/binary.test.ts'
/** They take the executable where it is fresh, so they run once it is built. */
const LIBRARIES = 'test/sdk'
const FAULTS = 'test/faults'
const TIMEOUT = '--timeout=20000'
/**
 * Files of tests run in two processes, each with one set of modules for all of its files: as many as the smallest machine has
 * cores, since browsers take one each. A process that dies counts as a failed test, and one that a signal kills ends the step.
 */
const IN_PARALLEL = ['--parallel=2', '--no-isolate'] as const
/** Processes that tests start play more clients at once than the runtime's `fetch` would let them. */
const TEST_ENVIRONMENT = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' }

/** Damaged streams, replies and requests, by a new seed each night. */
const FUZZ_CASES = 1_000_000

/** Tests of the dashboard need it; where it is missing they are skipped, unless REQUIRE_CHROMIUM=1 makes that a failure. */
const CHROMIUM = '/usr/bin/chromium'

interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface Step {
  readonly name: string
  /** Arguments of the Bun that runs this script: there may be no other one. */
  readonly args: readonly string[]
  /** It runs tests, which count one by one. */
  readonly tests?: boolean
  /** Without it the others make no sense. */
  readonly essential?: boolean
}

const STEPS: readonly Step[] = [
  { name: 'install', args: ['install', '--frozen-lockfile', '--ignore-scripts'], essential: true },
  { name: 'format', args: ['fmt', '--check'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint'] },
  { name: 'types', args: ['check'] },
  // Both processes of the next step look at the same files.
  { name: 'dashboard', args: ['scripts/build-web.ts', '--if-stale'] },
  {
    name: 'tests',
    args: ['test', TIMEOUT, ...IN_PARALLEL, ...except(SMOKE_TEST, `${LIBRARIES}/**`, `${FAULTS}/**`)],
    tests: true,
  },
  { name: 'build', args: ['scripts/build.ts'] },
  { name: 'smoke test of the executable', args: ['test', TIMEOUT, `./${SMOKE_TEST}`], tests: true },
  {
    name: 'official libraries and the executable',
    args: ['test', TIMEOUT, ...IN_PARALLEL, `./${LIBRARIES}`],
    tests: true,
  },
  { name: 'faults and the executable', args: ['test', TIMEOUT, `./${FAULTS}`], tests: true },
]

if (import.meta.main) await main(process.argv.includes('--nightly') ? [...STEPS, ...nightlySteps()] : STEPS)

async function main(steps: readonly Step[]): Promise<void> {
  const reports = mkdtempSync(join(tmpdir(), 'signalbox-verify-'))
  const tallies: Tally[] = []
  for (const [index, step] of steps.entries()) {
    const tally = await runStep(step, join(reports, `${index}.xml`))
    tallies.push(tally)
    if (tally.failed > 0 && step.essential === true) break
  }
  rmSync(reports, { recursive: true })
  const passed = sum(tallies.map((tally) => tally.passed))
  const failed = sum(tallies.map((tally) => tally.failed))
  const skipped = sum(tallies.map((tally) => tally.skipped))
  if (!existsSync(CHROMIUM)) console.log(`Chromium is missing at ${CHROMIUM}: ${skipped} tests were skipped`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function except(...patterns: readonly string[]): readonly string[] {
  return patterns.map((pattern) => `--path-ignore-patterns=${pattern}`)
}

/** Longer suites, one process each: they measure time and memory. */
function nightlySteps(): Step[] {
  const files = [...new Bun.Glob('test/**/*.nightly.ts').scanSync({ cwd: ROOT })].sort()
  const suites = files.map((file) => ({ name: file, args: ['test', '--timeout=1800000', `./${file}`], tests: true }))
  return [...suites, { name: 'fuzz', args: ['scripts/fuzz/main.ts', '--count', String(FUZZ_CASES)] }]
}

/** A step counts for one; one that runs tests counts for each of them, and for one more when its process fails otherwise. */
async function runStep({ name, args, tests }: Step, report: string): Promise<Tally> {
  console.log(`\n── ${name}`)
  const startedMs = performance.now()
  const reporting = tests === true ? ['--dots', '--reporter=junit', `--reporter-outfile=${report}`] : []
  const process_ = Bun.spawn([process.execPath, ...args, ...reporting], {
    cwd: ROOT,
    env: TEST_ENVIRONMENT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const succeeded = (await process_.exited) === 0
  const tally =
    tests === true
      ? await tallyOf(report, succeeded)
      : { passed: Number(succeeded), failed: Number(!succeeded), skipped: 0 }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  console.log(
    `── ${name}: ${tally.failed === 0 ? 'ok' : 'FAILED'} (${tally.passed} passed, ${tally.failed} failed, ${seconds} s)`,
  )
  return tally
}

/** Reads the totals of a JUnit file. One that is missing, or shows no failure of a process that failed, counts as a failure. */
async function tallyOf(report: string, succeeded: boolean): Promise<Tally> {
  const file = Bun.file(report)
  const root = (await file.exists()) ? /<testsuites\b[^>]*>/.exec(await file.text())?.[0] : undefined
  if (root === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const count = (attribute: string): number => Number(new RegExp(`\\b${attribute}="(\\d+)"`).exec(root)?.[1] ?? 0)
  const failed = count('failures') + count('errors')
  const skipped = count('skipped')
  const passed = count('tests') - failed - skipped
  return { passed, failed: failed === 0 && !succeeded ? 1 : failed, skipped }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
