import { describe, expect, test } from 'bun:test'
import { failure, type FailureKind } from '../../src/core/failure.ts'
import { Attempts, ATTEMPTS_MAX } from '../../src/routing/attempts.ts'
import type { Candidate, RankedAccount } from '../../src/routing/candidates.ts'
import { FALLBACK_KINDS, mayFollow } from '../../src/routing/failure-policy.ts'
import type { RetryRule, RouteRule } from '../../src/routing/rule.ts'
import { alias, rule, RoutingStage } from './stage.ts'

const ANSWERED = { sent: true, answered: true }
const UNKNOWN = { sent: true, answered: false }

/** Every candidate of `outer`: two accounts for each of two models of `inner`, then one for a model of its own. */
function candidates(outer: Partial<RouteRule> = {}, inner: Partial<RouteRule> = {}) {
  const rules = [
    rule('outer', ['inner', 'anthropic/claude-x'], outer),
    rule('inner', ['openai/gpt-x', 'openai/gpt-y'], inner),
  ]
  const stage = new RoutingStage({ rules, accounts: { openai: [{}, {}], anthropic: [{}] } })
  const found = tryable(stage, 'outer')
  const [x, otherX, y, , claude] = found
  if (x === undefined || otherX === undefined || y === undefined || claude === undefined) throw new Error('too few')
  return { x, otherX, y, claude }
}

function tryable(stage: RoutingStage, name: string): readonly Candidate<RankedAccount>[] {
  return [...stage.considered(name)].filter((one): one is Candidate<RankedAccount> => one.skipped === null)
}

describe('what may follow a failure', () => {
  const NOTHING: ReadonlySet<FailureKind> = new Set()
  const ONLY_LIMITS: ReadonlySet<FailureKind> = new Set(['rate_limit'])

  test('another account of one target: what is about the account, not what is about the model', () => {
    const { x, otherX } = candidates({ fallbackOn: NOTHING }, { fallbackOn: NOTHING })
    const follows = FALLBACK_KINDS.filter((kind) => mayFollow(failure(kind, ''), x, otherX))
    const ofTheAccount = [
      'auth',
      'billing',
      'not_entitled',
      'rate_limit',
      'overloaded',
      'server',
      'connect',
      'timeout',
      'empty',
    ]
    expect(follows.toSorted()).toEqual(ofTheAccount.toSorted() as never)
  })

  test('another target of the inner rule: what that rule says', () => {
    const { x, y } = candidates({}, { fallbackOn: ONLY_LIMITS })
    expect(FALLBACK_KINDS.filter((kind) => mayFollow(failure(kind, ''), x, y))).toEqual(['rate_limit'])
  })

  test('another target of the outer rule: what the outer one says, whatever the inner', () => {
    const { x, claude } = candidates({ fallbackOn: new Set(['refused_content']) }, { fallbackOn: NOTHING })
    expect(FALLBACK_KINDS.filter((kind) => mayFollow(failure(kind, ''), x, claude))).toEqual(['refused_content'])
  })

  test('another target of a rule that leaves it open: what the rule around it says, else the settings', () => {
    const around = candidates({ fallbackOn: ONLY_LIMITS }, { fallbackOn: null })
    expect(FALLBACK_KINDS.filter((kind) => mayFollow(failure(kind, ''), around.x, around.y))).toEqual(['rate_limit'])
    const rules = [alias('pool', ['openai/gpt-x', 'anthropic/claude-x'], { fallbackOn: null })]
    const stage = new RoutingStage({ rules, preferences: { fallbackOn: new Set(['billing']) } })
    const [first, second] = tryable(stage, 'pool')
    if (first === undefined || second === undefined) throw new Error('too few')
    expect(FALLBACK_KINDS.filter((kind) => mayFollow(failure(kind, ''), first, second))).toEqual(['billing'])
  })

  test('another account where no rule leads: what the settings say', () => {
    const preferences = { fallbackOn: new Set(['auth', 'refused_content'] as const) }
    const [first, second] = tryable(new RoutingStage({ accounts: { openai: [{}, {}] }, preferences }), 'openai/gpt-x')
    if (first === undefined || second === undefined) throw new Error('too few')
    const follows = FALLBACK_KINDS.filter((kind) => mayFollow(failure(kind, ''), first, second))
    expect(follows).toEqual(['refused_content', 'auth'])
    expect(mayFollow(failure('rejected', ''), first, second)).toBe(false)
  })

  test('nothing after what is wrong everywhere', () => {
    const { x, y, claude } = candidates()
    for (const kind of ['malformed', 'rejected', 'forbidden', 'cancelled', 'cut'] as const)
      for (const next of [y, claude]) expect(mayFollow(failure(kind, ''), x, next)).toBe(false)
  })
})

describe('the attempts of a request', () => {
  test('are as many as the rule says, and as the settings do where none does: six', () => {
    const two: RetryRule = { perStep: 1, totalAttempts: 2, baseMs: 1, maxMs: 1, jitter: 0, on: new Set() }
    const { x } = candidates({ retry: two })
    const attempts = new Attempts<RankedAccount>()
    expect(attempts.leaveFor(x, 1)).toEqual({ why: null })
    expect(attempts.leaveFor(x, 2)).toEqual({ why: 'budget_of_attempts', ends: true })
    const { x: plain } = candidates({ retry: null }, { retry: null })
    expect(attempts.leaveFor(plain, ATTEMPTS_MAX - 1)).toEqual({ why: null })
    expect(attempts.leaveFor(plain, ATTEMPTS_MAX)).toEqual({ why: 'budget_of_attempts', ends: true })
    const [set] = tryable(new RoutingStage({ preferences: { retry: two } }), 'openai/gpt-x')
    expect(set?.terms.retry.totalAttempts).toBe(2)
  })

  test('end when two of them may have been answered and billed', () => {
    const { x, otherX, y } = candidates()
    const attempts = new Attempts<RankedAccount>()
    attempts.failed(x, { failure: failure('timeout', ''), ...UNKNOWN })
    expect(attempts.leaveFor(otherX, 1)).toEqual({ why: null })
    attempts.failed(otherX, { failure: failure('server', ''), ...UNKNOWN })
    expect(attempts.leaveFor(y, 2)).toEqual({ why: 'maybe_billed', ends: true })
  })

  test('go past a target that may not follow to one that may', () => {
    const { x, y, claude } = candidates({}, { fallbackOn: new Set() })
    const attempts = new Attempts<RankedAccount>()
    attempts.failed(x, { failure: failure('context_too_long', ''), ...ANSWERED })
    expect(attempts.leaveFor(y, 1)).toEqual({ why: 'not_for_failure', ends: false })
    expect(attempts.leaveFor(claude, 1)).toEqual({ why: null })
    expect(attempts.failures.map(({ kind }) => kind)).toEqual(['context_too_long'])
  })

  test('after a context that was too short go to a longer one alone', () => {
    const { x, y, claude } = candidates()
    const contexts: Readonly<Record<string, number>> = { 'gpt-x': 100, 'gpt-y': 100, 'claude-x': 200 }
    const attempts = new Attempts<RankedAccount>(({ model }) => contexts[model])
    attempts.failed(x, { failure: failure('context_too_long', ''), ...ANSWERED })
    expect(attempts.leaveFor(y, 1)).toEqual({ why: 'context_too_short', ends: false })
    expect(attempts.leaveFor(claude, 1)).toEqual({ why: null })
    expect(new Attempts<RankedAccount>().leaveFor(y, 1)).toEqual({ why: null })
  })

  test('after a context that was too short go to no other account of the same model, by whatever name', () => {
    const stage = new RoutingStage({ accounts: { openai: [{}, {}] } })
    const [first, second] = tryable(stage, 'openai/gpt-x')
    if (first === undefined || second === undefined) throw new Error('too few')
    const attempts = new Attempts<RankedAccount>()
    attempts.failed(first, { failure: failure('context_too_long', ''), ...ANSWERED })
    expect(attempts.leaveFor(second, 1)).toEqual({ why: 'context_too_short', ends: false })
  })

  test('end where there is no rule that could lead elsewhere', () => {
    const { x } = candidates()
    const plain = { ...x, via: [] }
    const attempts = new Attempts<RankedAccount>()
    attempts.failed(plain, { failure: failure('rejected', ''), ...ANSWERED })
    expect(attempts.leaveFor(plain, 1)).toEqual({ why: 'not_for_failure', ends: true })
  })
})
