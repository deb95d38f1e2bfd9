import { describe, expect, test } from 'bun:test'
import { outcomeTitle, routeSteps } from '../../src/web/pages/requests/route-steps.ts'
import type { RequestDetail } from '../../src/web/wire.ts'

type Attempt = RequestDetail['attempts'][number]
type Candidate = RequestDetail['route'][number]

const candidate = (account: string, outcome: string, reason: string | null = null): Candidate => ({
  provider: 'openai',
  model: 'gpt',
  account,
  outcome,
  reason,
  detail: null,
  via: [],
  ms: outcome === 'skipped' ? null : 5,
  cost_usd: outcome === 'skipped' ? null : 0,
  count: 1,
})

function attempt(account: string, failure: string | null): Attempt {
  return { id: `att_${account}_${failure}`, provider: 'openai', model: 'gpt', account, class: failure } as Attempt // what steps are told apart by
}

describe('the steps of a route', () => {
  test('each candidate that was tried has its own attempt, one that was passed over its reason', () => {
    const steps = routeSteps({
      route: [candidate('a', 'failed', 'rate_limit'), candidate('b', 'skipped', 'cooldown'), candidate('c', 'ok')],
      attempts: [attempt('a', 'rate_limit'), attempt('c', null)],
    })
    expect(steps.map(({ attempt, reason, answered }) => [attempt?.class, reason, answered])).toEqual([
      ['rate_limit', null, false],
      [undefined, 'cooldown', false],
      [null, null, true],
    ])
  })

  test('an account that was tried twice has both attempts in their order', () => {
    const steps = routeSteps({
      route: [candidate('a', 'failed', 'timeout'), candidate('a', 'ok')],
      attempts: [attempt('a', 'timeout'), attempt('a', null)],
    })
    expect(steps.map(({ attempt }) => attempt?.class)).toEqual(['timeout', null])
  })

  test('while a request runs its attempts stand for the route', () => {
    const steps = routeSteps({ route: [], attempts: [attempt('a', 'rate_limit'), attempt('b', null)] })
    expect(steps.map(({ account }) => account)).toEqual(['a', 'b'])
  })
})

test('a step stands for all that were passed over alike, and says what its reason alone does not', () => {
  const alike = { ...candidate('a', 'skipped', 'cooldown'), count: 12 }
  const going = { ...candidate('b', 'ok'), detail: 'It was asked to go on.' }
  const steps = routeSteps({ route: [alike, going], attempts: [attempt('b', null)] })
  expect(steps.map(({ count, detail }) => [count, detail])).toEqual([
    [12, null],
    [1, 'It was asked to go on.'],
  ])
})

test('where more than one answered it was an ensemble, and nothing was rerouted', () => {
  const asked = { status: 'ok', attempts: [attempt('a', null), attempt('b', 'timeout'), attempt('c', null)] }
  expect(outcomeTitle(asked)).toBe('Answered by several together')
})

describe('the title of a request', () => {
  const title = (status: string, tries: number): string =>
    outcomeTitle({
      status,
      attempts: Array.from({ length: tries }, (_, at) => attempt('a', at < tries - 1 ? 'timeout' : null)),
    })

  for (const [status, tries, words] of [
    ['ok', 1, 'Answered'],
    ['ok', 3, 'Answered on the third try'],
    ['open', 0, 'Running'],
    ['error', 0, 'Failed before any try'],
    ['error', 2, 'Failed after 2 tries'],
    ['interrupted', 1, 'Cut off by a restart'],
    ['cancelled', 1, 'Cancelled by the client'],
  ] as const) {
    test(`${status} after ${tries} tries reads “${words}”`, () => expect(title(status, tries)).toBe(words))
  }
})
