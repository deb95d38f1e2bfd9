import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { FAILURE_KINDS, failure, type FailureKind } from '../../../src/core/failure.ts'
import { NEW_STATE, type Account, type AccountState } from '../../../src/resources/accounts/account.ts'
import {
  afterAnswer,
  afterFailure,
  afterNewAccess,
  afterPassedTest,
  afterReset,
  afterSuccessfulTry,
  afterTry,
  cooldownsInForce,
  isTry,
  reasonOf,
  returnsAtMs,
  statusOf,
  whyUnusable,
  type Unusable,
} from '../../../src/resources/accounts/state.ts'
import { settingsOf } from '../../../src/resources/settings/settings.ts'
import { endsAtMs } from '../../../src/routing/cooldown.ts'
import { NO_PARAMS } from '../../../src/routing/rule.ts'

const RULES = settingsOf({}).resilience.cooldown
const NOW = Date.UTC(2026, 0, 15, 12)
const MODEL = 'claude-opus-5'
const S = 1_000
const MIN = 60 * S

const account: Account = {
  id: 'acc_1',
  provider: 'anthropic',
  name: 'main',
  authType: 'x-api-key',
  enabled: true,
  priority: 0,
  weight: 1,
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrencyMax: null,
  modelsAllow: ['*'],
  modelsDeny: [],
  modelMap: {},
  params: NO_PARAMS,
  headers: {},
  baseUrlOverride: null,
  allowPrivateNetwork: false,
  proxyPoolId: null,
  region: null,
  budgetNano: null,
  budgetPeriod: 'month',
  expiresAtMs: null,
  tags: {},
  sealedCredentials: 'v1.x',
  credentialsHash: 'h',
  source: 'api',
  createdAtMs: NOW,
  updatedAtMs: NOW,
  version: 1,
}

function fail(
  state: AccountState,
  kind: FailureKind,
  more: { readonly atMs?: number; readonly model?: string; readonly retryAfterMs?: number } = {},
): AccountState {
  const { atMs = NOW, model = MODEL, retryAfterMs } = more
  const cause = failure(kind, `it was ${kind}`, retryAfterMs === undefined ? {} : { retryAfterMs })
  return afterFailure(state, { failure: cause, http: null, model, atMs }, RULES)
}

const why = (state: AccountState, nowMs = NOW, model = MODEL) => whyUnusable(account, state, model, nowMs)

describe('what a failure does to its account', () => {
  const DECISIVE: Readonly<Partial<Record<FailureKind, Unusable>>> = {
    auth: 'auth_error',
    billing: 'exhausted',
    rate_limit: 'cooldown',
    not_entitled: 'not_entitled',
  }
  for (const kind of FAILURE_KINDS) {
    const reason = DECISIVE[kind] ?? null
    test(`${kind}: ${reason ?? 'nothing'}`, () => {
      const state = fail(NEW_STATE, kind)
      expect(why(state)).toBe(reason)
      if (reason === null) expect(state).toBe(NEW_STATE)
      else expect(state.lastError).toEqual({ class: kind, http: null, message: `it was ${kind}`, atMs: NOW })
    })
  }

  test('a limit or a forbidden model holds back that model alone', () => {
    for (const [kind, reason] of [['rate_limit', 'cooldown'] as const, ['not_entitled', 'not_entitled'] as const]) {
      const state = fail(NEW_STATE, kind)
      expect([why(state), why(state, NOW, 'claude-sonnet-5')]).toEqual([reason, null])
    }
  })

  test('a mapped model is held back by the name that the provider knows', () => {
    const mapped = { ...account, modelMap: { best: MODEL } }
    expect(whyUnusable(mapped, fail(NEW_STATE, 'rate_limit'), 'best', NOW)).toBe('cooldown')
  })
})

describe('how long a limited model rests', () => {
  const cases: readonly (readonly [what: string, retryAfterMs: number | undefined, restMs: number])[] = [
    ['2 s when the provider does not say', undefined, 2 * S],
    ['as long as it says', 45 * S, 45 * S],
    ['not at all when it says so', 0, 0],
  ]
  for (const [what, retryAfterMs, restMs] of cases) {
    test(what, () => {
      const state = fail(NEW_STATE, 'rate_limit', retryAfterMs === undefined ? {} : { retryAfterMs })
      if (restMs > 0) expect(why(state, NOW + restMs - 1)).toBe('cooldown')
      expect(why(state, NOW + restMs)).toBeNull()
    })
  }

  test('twice as long with each limit in a row, up to 5 min', () => {
    const rests: number[] = []
    let state: AccountState = NEW_STATE
    let atMs = NOW
    for (let turn = 0; turn < 10; turn++) {
      state = fail(state, 'rate_limit', { atMs })
      const untilMs = state.cooldowns[0]?.untilMs ?? 0
      rests.push((untilMs - atMs) / S)
      atMs = untilMs
    }
    expect(rests).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  })

  test('2 s again after an answer, or after ten quiet minutes', () => {
    const once = fail(NEW_STATE, 'rate_limit')
    const answered = fail(afterAnswer(once, NOW + 3 * S), 'rate_limit', { atMs: NOW + 3 * S })
    const quiet = fail(once, 'rate_limit', { atMs: NOW + 11 * MIN })
    for (const state of [answered, quiet]) expect(state.cooldowns[0]?.level).toBe(0)
  })

  test('requests that fail together count once, and the longest wait holds', () => {
    const long = fail(NEW_STATE, 'rate_limit', { retryAfterMs: MIN })
    const both = fail(long, 'rate_limit', { atMs: NOW + 5, retryAfterMs: 10 * S })
    expect(both.cooldowns).toEqual([
      { model: MODEL, untilMs: NOW + MIN, probeAtMs: null, reason: 'rate_limit', level: 0 },
    ])
  })
})

describe('a limit that lasts', () => {
  const HOUR = 60 * MIN
  const spent = fail(NEW_STATE, 'rate_limit', { retryAfterMs: 5 * HOUR })

  test('makes the account exhausted until then, for that model alone', () => {
    expect([why(spent), why(spent, NOW, 'claude-sonnet-5')]).toEqual(['exhausted', null])
    expect(statusOf(account, spent, NOW + 5 * HOUR - 1)).toBe('exhausted')
    expect(reasonOf(account, spent, NOW)).toContain(MODEL)
    expect(statusOf(account, spent, NOW + 5 * HOUR)).toBe('untested')
  })

  test('is tried after ten minutes, or after a tenth of it, by one request at a time', () => {
    expect([why(spent, NOW + 10 * MIN - 1), why(spent, NOW + 10 * MIN)]).toEqual(['exhausted', null])
    expect(returnsAtMs(account, spent, MODEL, NOW)).toBe(NOW + 5 * HOUR)
    const hour = fail(NEW_STATE, 'rate_limit', { retryAfterMs: HOUR })
    expect([why(hour, NOW + 6 * MIN - 1), why(hour, NOW + 6 * MIN)]).toEqual(['exhausted', null])
    expect(isTry(hour, MODEL, NOW + 6 * MIN)).toBe(true)
    const trying = afterTry(hour, MODEL, NOW + 6 * MIN)
    expect(why(trying, NOW + 6 * MIN)).toBe('exhausted')
    expect(why(trying, NOW + 6 * MIN + 5.4 * MIN)).toBeNull()
  })

  test('is over when the one that tried is answered', () => {
    const trying = afterTry(spent, MODEL, NOW + 10 * MIN)
    expect(afterSuccessfulTry(trying, MODEL).cooldowns).toEqual([])
  })

  test('is not tried when the settings say so, and then lasts half an hour at most', () => {
    const cause = failure('rate_limit', 'limited', { retryAfterMs: 5 * HOUR })
    const outcome = { failure: cause, http: 429, model: MODEL, atMs: NOW }
    const state = afterFailure(NEW_STATE, outcome, { ...RULES, reprobe: false })
    expect([why(state, NOW + 30 * MIN - 1), why(state, NOW + 30 * MIN)]).toEqual(['cooldown', null])
  })

  test('is over when an operator says so', () => {
    expect(why(afterReset(spent))).toBeNull()
    expect(afterReset(fail(NEW_STATE, 'billing'))).toMatchObject({ standing: 'untested', retryAtMs: null })
    expect(afterReset(fail(NEW_STATE, 'auth')).standing).toBe('auth_error')
  })
})

describe('an exhausted account', () => {
  const exhausted = fail(NEW_STATE, 'billing')

  test('is tried again after ten minutes, and rests again when that fails', () => {
    expect([why(exhausted, NOW + 10 * MIN - 1), why(exhausted, NOW + 10 * MIN)]).toEqual(['exhausted', null])
    expect(statusOf(account, exhausted, NOW + 11 * MIN)).toBe('exhausted')
    expect(why(fail(exhausted, 'billing', { atMs: NOW + 11 * MIN }), NOW + 12 * MIN)).toBe('exhausted')
  })

  test('is active again with its first answer', () => {
    expect(afterAnswer(exhausted, NOW + 11 * MIN)).toMatchObject({ standing: 'active', reason: null, retryAtMs: null })
  })
})

describe('bad credentials', () => {
  const bad = fail(NEW_STATE, 'auth')

  test('stay bad, whatever time passes and whatever an older call answers', () => {
    expect(why(afterAnswer(bad, NOW), NOW + 365 * 24 * 60 * MIN)).toBe('auth_error')
  })

  test('are good again after a test or an edit', () => {
    expect(why(afterPassedTest(bad, NOW))).toBeNull()
    expect(afterPassedTest(bad, NOW)).toMatchObject({ standing: 'active', lastTestedAtMs: NOW, lastOkAtMs: NOW })
    expect(afterNewAccess(bad, true).standing).toBe('untested')
    expect(afterNewAccess(bad, false).standing).toBe('auth_error')
  })
})

describe('an account is passed over', () => {
  const cases: readonly (readonly [Partial<Account>, string, Unusable | null])[] = [
    [{}, MODEL, null],
    [{ enabled: false }, MODEL, 'disabled'],
    [{ sealedCredentials: null }, MODEL, 'no_credentials'],
    [{ expiresAtMs: NOW }, MODEL, 'expired'],
    [{ expiresAtMs: NOW + 1 }, MODEL, null],
    [{ modelsAllow: ['claude-sonnet-*'] }, MODEL, 'model_not_allowed'],
    [{ modelsAllow: ['anthropic/claude-opus-*'] }, MODEL, null],
    [{ modelsDeny: ['*opus*'] }, MODEL, 'model_not_allowed'],
    [{ modelsDeny: ['anthropic/*'] }, MODEL, 'model_not_allowed'],
    [{ modelsAllow: [] }, MODEL, 'model_not_allowed'],
  ]
  for (const [rules, model, reason] of cases) {
    test(`${JSON.stringify(rules)}: ${reason ?? 'no'}`, () => {
      expect(whyUnusable({ ...account, ...rules }, NEW_STATE, model, NOW)).toBe(reason)
    })
  }
})

describe('its status in one word', () => {
  const cases: readonly (readonly [what: string, AccountState, string])[] = [
    ['untested', NEW_STATE, 'untested'],
    ['active', afterAnswer(NEW_STATE, NOW), 'active'],
    ['cooldown', fail(NEW_STATE, 'rate_limit'), 'cooldown'],
    ['unchanged by a model that it may not use', fail(NEW_STATE, 'not_entitled'), 'untested'],
    ['exhausted', fail(NEW_STATE, 'billing'), 'exhausted'],
    ['auth_error', fail(NEW_STATE, 'auth'), 'auth_error'],
  ]
  for (const [what, state, status] of cases) {
    test(what, () => expect(statusOf(account, state, NOW)).toBe(status as never))
  }

  test('disabled beats everything', () => {
    expect(statusOf({ ...account, enabled: false }, fail(NEW_STATE, 'auth'), NOW)).toBe('disabled')
  })
})

test('waiting helps a resting account, and no other', () => {
  const back = (state: AccountState) => returnsAtMs(account, state, MODEL, NOW)
  expect(back(fail(NEW_STATE, 'rate_limit', { retryAfterMs: MIN }))).toBe(NOW + MIN)
  expect(back(fail(NEW_STATE, 'billing'))).toBe(NOW + 10 * MIN)
  expect([back(NEW_STATE), back(fail(NEW_STATE, 'auth'))]).toEqual([undefined, undefined])
})

test('a wait that a clock running ahead has left behind does not hold', () => {
  const state = fail(fail(NEW_STATE, 'rate_limit', { atMs: NOW }), 'billing', { atMs: NOW })
  const yesterday = NOW - 24 * 60 * MIN
  expect(why(state, yesterday)).toBeNull()
})

test('however an account fails, what is kept is bounded and somebody may try again within ten minutes', () => {
  const step = fc.record({
    kind: fc.constantFrom<FailureKind>('rate_limit', 'not_entitled', 'server', 'rejected', 'timeout'),
    model: fc.integer({ min: 0, max: 200 }).map((number) => `model-${number}`),
    retryAfterMs: fc.integer({ min: 0, max: 100 * 60 * MIN }),
    waitMs: fc.integer({ min: 0, max: 5 * MIN }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let atMs = NOW
      let state: AccountState = NEW_STATE
      for (const { waitMs, kind, model, retryAfterMs } of steps) {
        atMs += waitMs
        state = fail(state, kind, { model, retryAfterMs, atMs })
        expect(state.cooldowns.length).toBeLessThanOrEqual(64)
        for (const rest of cooldownsInForce(state, atMs)) expect(endsAtMs(rest) - atMs).toBeLessThanOrEqual(10 * MIN)
        expect(new Set(state.cooldowns.map((entry) => entry.model)).size).toBe(state.cooldowns.length)
      }
    }),
  )
})
