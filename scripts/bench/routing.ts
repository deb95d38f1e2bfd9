/**
 * What it costs to resolve a name and to choose who answers, with one account and with ten thousand, beside a thousand rules: the
 * parts of the program themselves, in this process and without a network. Half of the accounts rest, as after a bad hour, and half
 * of the requests belong to sessions that are known, so that little is found by luck and not all is remembered.
 */
import { ACCOUNT_STRATEGIES, type AccountStrategy } from '../../src/routing/candidates.ts'
import type { RequestView } from '../../src/routing/request-view.ts'
import { STRATEGIES } from '../../src/routing/rule.ts'
import { NAME, RosterStage } from '../../test/routing/roster-stage.ts'
import { rule, target, view } from '../../test/routing/stage.ts'
import { HandClock } from '../../test/support/clock.ts'
import { manyAccounts } from '../../test/support/many-accounts.ts'
import { distributionOf, type Distribution } from './distribution.ts'
import { heading, number, row, type Verdict } from './report.ts'

const ACCOUNTS = [1, 100, 10_000] as const
const RULES = 1_000
const TARGETS = 5
const SESSIONS = 5_000
const STRANGER = view()
const WARM_UP = 5_000
/** A shared machine takes its time away now and then: the quietest of the rounds tells what a choice costs. */
const ROUNDS = 8
const CHOICES = 4_000
/** Of one choice, at the 99th percentile. */
const CHOICE_MICROS_MAX = 50
/** log 10,000 / log 100. */
const GROWTH_MAX = 2
/** What is quicker than this is not measured well enough to say how it grows. */
const MEASURED_MICROS_MIN = 5

interface Measured {
  readonly accounts: number
  readonly plain: Distribution
  readonly byRule: Distribution
}

export async function measureRouting(): Promise<readonly Verdict[]> {
  heading(`Resolving and choosing, ${RULES} rules, microseconds`)
  row('accounts, strategy', 'model p50', 'model p99', 'rule p50', 'rule p99')
  const worst: Measured[] = []
  for (const accounts of ACCOUNTS) {
    const all: Measured[] = []
    for (const strategy of ACCOUNT_STRATEGIES) all.push(show(strategy, await measured(accounts, strategy)))
    worst.push(slowest(accounts, all))
  }
  return [...worst.flatMap(boundsOf), growth(worst)]
}

async function measured(accounts: number, strategy: AccountStrategy): Promise<Measured> {
  const clock = new HandClock()
  const roster = await manyAccounts({ provider: 'openai', count: accounts, clock })
  const preferences = { accountStrategy: strategy, affinity: 'session' } as const
  const stage = new RosterStage(roster, clock, { rules: rules(), preferences })
  for (const [index, { id }] of roster.of('openai').entries()) if (index % 2 === 1) stage.limit(id, 600_000)
  const plain = times(stage, () => NAME)
  return { accounts, plain, byRule: times(stage, (turn) => `rule-${turn % RULES}`) }
}

function rules() {
  return Array.from({ length: RULES }, (_, index) => {
    const targets = Array.from({ length: TARGETS }, (__, at) =>
      target(at === 0 ? NAME : `openai/gpt-${at}`, { weight: at + 1 }),
    )
    return rule(`rule-${index}`, targets, {
      strategy: STRATEGIES[index % STRATEGIES.length] ?? 'priority',
      sticky: { by: 'session', ttlMs: 300_000, requests: null },
    })
  })
}

function times(stage: RosterStage, nameOf: (turn: number) => string): Distribution {
  const requests: readonly RequestView[] = Array.from({ length: SESSIONS }, (_, at) =>
    view({ affinity: { sessionId: `session-${at}` } }),
  )
  const choose = (turn: number): number => {
    const request = (turn % 2 === 0 ? requests[(turn * 7) % SESSIONS] : undefined) ?? STRANGER
    const name = nameOf(turn)
    const before = Bun.nanoseconds()
    const chosen = stage.candidates(name, request).next().value
    const micros = (Bun.nanoseconds() - before) / 1_000
    if (chosen === undefined) throw new Error(`nothing answers ${name}`)
    stage.remember(chosen, request)
    return micros
  }
  for (let turn = 0; turn < WARM_UP; turn++) choose(turn)
  const rounds = Array.from({ length: ROUNDS }, () =>
    distributionOf(Array.from({ length: CHOICES }, (_, turn) => choose(turn))),
  )
  return rounds.reduce((quietest, one) => (one.p99 < quietest.p99 ? one : quietest))
}

function show(strategy: AccountStrategy, all: Measured): Measured {
  const { accounts, plain, byRule } = all
  row(`${accounts}, ${strategy}`, ...[plain.p50, plain.p99, byRule.p50, byRule.p99].map((micros) => number(micros)))
  return all
}

/** Of all strategies, the worst in each respect. */
function slowest(accounts: number, all: readonly Measured[]): Measured {
  const most = (of: (one: Measured) => Distribution): Distribution => ({
    p50: Math.max(...all.map((one) => of(one).p50)),
    p95: Math.max(...all.map((one) => of(one).p95)),
    p99: Math.max(...all.map((one) => of(one).p99)),
  })
  return { accounts, plain: most(({ plain }) => plain), byRule: most(({ byRule }) => byRule) }
}

function boundsOf({ accounts, plain, byRule }: Measured): readonly Verdict[] {
  const bound = { bound: CHOICE_MICROS_MAX, unit: ' µs' }
  return [
    { name: `a model, ${accounts} accounts, p99`, measured: plain.p99, ...bound },
    { name: `a rule, ${accounts} accounts, p99`, measured: byRule.p99, ...bound },
  ]
}

function growth(worst: readonly Measured[]): Verdict {
  const [some, many] = [100, 10_000].map((accounts) => worst.find((one) => one.accounts === accounts))
  const from = Math.max(MEASURED_MICROS_MIN, some?.plain.p50 ?? 0)
  const measured = (many?.plain.p50 ?? Number.NaN) / from
  return { name: 'a hundred times the accounts cost', measured, bound: GROWTH_MAX, unit: ' times' }
}
