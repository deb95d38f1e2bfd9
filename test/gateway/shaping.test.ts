/** Accounts with limits of their own: what is sent to their providers, who waits for whom, and what is said when there is no room. */
import { describe, expect, test } from 'bun:test'
import { HEAD_START_MS, WAITERS_MAX, type Waiter, WaitingLine } from '../../src/resources/accounts/line.ts'
import { type Answer } from '../support/dashboard.ts'
import { makeApp, type AppOptions, type TestApp } from '../support/app.ts'
import { HandClock } from '../support/clock.ts'
import { after, json } from '../support/plays.ts'
import { turn, until } from '../support/until.ts'
import { MESSAGES, question } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

const ASK = question(MESSAGES, ANTHROPIC.model)
const ANSWER = json(ANTHROPIC.reply('hi', { inputTokens: 10, outputTokens: 40 }))

/** An app whose accounts of Anthropic have these limits, and whose providers always answer. */
async function limited(limits: readonly object[], options: AppOptions = {}): Promise<TestApp> {
  const app = await makeApp({ ...options, accounts: { anthropic: limits.length } })
  for (const [index, fields] of limits.entries()) {
    const { accountId, played } = app.upstream('anthropic', index)
    expect((await app.owner('PATCH', `/v1/accounts/${accountId}`, fields)).status).toBe(200)
    played.otherwise(ANSWER)
  }
  return app
}

const ask = (app: TestApp, request = ASK): Promise<Answer> => app.ask(MESSAGES.path, request)
const hits = (app: TestApp, index = 0): number => app.upstream('anthropic', index).played.requests.length
const queued = async (app: TestApp): Promise<number> =>
  (await app.owner('GET', '/v1/system/stats')).body.data.gateway.queued

describe('a limit per minute', () => {
  test('is never passed: what is too much goes to the next account, and then nowhere', async () => {
    await using app = await limited([{ rpm: 2 }, { rpm: 1 }])
    const statuses = []
    for (let request = 0; request < 5; request++) statuses.push((await ask(app)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect([hits(app, 0), hits(app, 1)]).toEqual([2, 1])
  })

  test('says when it is worth coming back, and then it is', async () => {
    await using app = await limited([{ rpm: 1 }])
    await ask(app)
    const { status, headers, body } = await ask(app)
    expect({ status, type: body.error.type }).toEqual({ status: 429, type: 'rate_limit_error' })
    const backMs = Date.parse(headers.get('x-gateway-reset') ?? '') - app.clock.nowMs()
    expect(backMs).toBeWithin(60_000, 120_001)
    expect(Number(headers.get('retry-after'))).toBe(60)
    app.clock.advance(backMs - 2)
    expect((await ask(app)).status).toBe(429)
    app.clock.advance(2)
    expect((await ask(app)).status).toBe(200)
    expect(hits(app)).toBe(2)
  })

  test('of tokens counts what the provider says in the end', async () => {
    await using app = await limited([{ tpm: 100 }])
    expect([(await ask(app)).status, (await ask(app)).status, (await ask(app)).status]).toEqual([200, 200, 429])
    expect(hits(app)).toBe(2)
  })

  test('of tokens that one request alone passes is refused for good', async () => {
    await using app = await limited([{ tpm: 50 }])
    const { status, headers } = await ask(app, { body: MESSAGES.body(ANTHROPIC.model, 'word '.repeat(400)) })
    expect({ status, retry: headers.get('x-should-retry') }).toEqual({ status: 429, retry: 'false' })
    expect(hits(app)).toBe(0)
  })

  test('gives back the tokens of a request that the provider refused', async () => {
    await using app = await limited([{ tpm: 100 }])
    app.upstream('anthropic').played.play(json({ type: 'error', error: { type: 'invalid_request_error' } }, 400))
    const long = { body: MESSAGES.body(ANTHROPIC.model, 'word '.repeat(50)) }
    expect([(await ask(app, long)).status, (await ask(app, long)).status]).toEqual([400, 200])
  })

  test('shows in the record why nothing was asked', async () => {
    await using app = await limited([{ rpm: 0 }])
    expect((await ask(app)).status).toBe(429)
    const [row] = await app.rows()
    expect(row).toMatchObject({ status: 'error', attempts: [] })
    expect(row?.['route']).toMatchObject([{ outcome: 'skipped', reason: 'at_rate' }])
  })
})

/** A provider that answers each request when the test says so, and how many it has at once. */
function slow(app: TestApp): { readonly answer: () => void; readonly busy: () => number } {
  const waiting: (() => void)[] = []
  app
    .upstream('anthropic')
    .played.otherwise((stage) => after(new Promise<void>((go) => waiting.push(go)), ANSWER)(stage))
  return { answer: () => waiting.shift()?.(), busy: () => waiting.length }
}

const QUEUE = { resilience: { queue_ms: 5_000 } }

describe('a limit of requests at once', () => {
  test('is never passed, and refuses at once where nobody may wait', async () => {
    await using app = await limited([{ max_concurrency: 1 }])
    const provider = slow(app)
    const first = ask(app)
    await until(() => provider.busy() === 1)
    const second = await ask(app)
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    provider.answer()
    expect((await first).status).toBe(200)
    expect(hits(app)).toBe(1)
  })

  test('lets those who wait in, one by one, in the order in which they came', async () => {
    await using app = await limited([{ max_concurrency: 1 }], { settings: QUEUE })
    const provider = slow(app)
    const done: number[] = []
    const all: Promise<unknown>[] = []
    for (const number of [0, 1, 2, 3]) {
      all.push(
        ask(app, { body: MESSAGES.body(ANTHROPIC.model, `number ${number}`) }).then(
          ({ status }) => void (status === 200 && done.push(number)),
        ),
      )
      await until(async () => (await queued(app)) === number && provider.busy() === 1)
    }
    for (const number of [0, 1, 2, 3]) {
      await until(() => provider.busy() === 1)
      expect(hits(app)).toBe(number + 1)
      provider.answer()
      await until(() => done.length === number + 1)
    }
    await Promise.all(all)
    expect(done).toEqual([0, 1, 2, 3])
    expect(await queued(app)).toBe(0)
  })

  test('answers 429 when the time to wait is over', async () => {
    await using app = await limited([{ max_concurrency: 1 }], { settings: QUEUE })
    const provider = slow(app)
    const first = ask(app)
    await until(() => provider.busy() === 1)
    const second = ask(app)
    await until(async () => (await queued(app)) === 1)
    for (let moved = 0; moved < 10; moved++) {
      app.clock.advance(600)
      for (let turns = 0; turns < 5; turns++) await turn()
    }
    expect((await second).status).toBe(429)
    expect(await queued(app)).toBe(0)
    provider.answer()
    expect((await first).status).toBe(200)
  })

  test('forgets a client that leaves while it waits, and the next one gets its place', async () => {
    await using app = await limited([{ max_concurrency: 1 }], { settings: QUEUE })
    const provider = slow(app)
    const first = ask(app)
    await until(() => provider.busy() === 1)
    const leaving = new AbortController()
    const gone = ask(app, { ...ASK, signal: leaving.signal })
    await until(async () => (await queued(app)) === 1)
    const third = ask(app)
    await until(async () => (await queued(app)) === 2)
    leaving.abort()
    app.clock.advance(100) // when those who wait for a plain answer are looked after
    await until(async () => (await queued(app)) === 1)
    expect((await gone).status).toBe(499)
    provider.answer()
    await until(() => provider.busy() === 1)
    provider.answer()
    expect([(await first).status, (await third).status]).toEqual([200, 200])
    expect([await queued(app), app.app.inFlight(), hits(app)]).toEqual([0, 0, 2])
    expect((await app.rows()).map(({ status }) => status).sort()).toEqual(['cancelled', 'ok', 'ok'])
  })

  test('is given back by a stream that its client leaves', async () => {
    await using app = await limited([{ max_concurrency: 1 }])
    const { played } = app.upstream('anthropic')
    const leaving = new AbortController()
    played.play(async (stage) => {
      stage.head(200, { 'content-type': 'text/event-stream' })
      for (const event of ANTHROPIC.stream(['one', 'two']).slice(0, 4)) stage.write(event)
    })
    const streamed = await app.request(MESSAGES.path, {
      ...question(MESSAGES, ANTHROPIC.model, { stream: true }),
      signal: leaving.signal,
    })
    expect((await ask(app)).status).toBe(429)
    await streamed.body?.cancel()
    leaving.abort()
    await until(() => app.app.inFlight() === 0)
    expect((await ask(app)).status).toBe(200)
  })
})

test('a request that waits for several accounts takes the first that has room', async () => {
  await using app = await limited([{ max_concurrency: 1 }, { rpm: 1 }], { settings: QUEUE })
  const provider = slow(app)
  const first = ask(app)
  await until(() => provider.busy() === 1)
  expect((await ask(app)).status).toBe(200) // at the second account, which is full for a minute now
  const third = ask(app)
  await until(async () => (await queued(app)) === 1)
  provider.answer()
  await until(() => provider.busy() === 1)
  provider.answer()
  expect([(await first).status, (await third).status]).toEqual([200, 200])
  expect([hits(app, 0), hits(app, 1)]).toEqual([2, 1])
})

describe('the line', () => {
  test('is bounded', () => {
    const line = new WaitingLine(new HandClock())
    const waiters = Array.from({ length: WAITERS_MAX }, () => line.join(['acc_1'], 0))
    expect(line.join(['acc_1'], 0)).toBeUndefined()
    for (const waiter of waiters) waiter?.leave()
    expect(line.size).toBe(0)
    expect(line.isNext('acc_1', undefined)).toBe(true)
  })

  test('lets nobody pass who has not waited', () => {
    const line = new WaitingLine(new HandClock())
    const [first, second] = [line.join(['acc_1', 'acc_2'], 0), line.join(['acc_2'], 0)]
    const mayPass = (id: string) => [undefined, first, second].map((waiter) => line.isNext(id, waiter))
    expect([mayPass('acc_1'), mayPass('acc_2')]).toEqual([
      [false, true, false],
      [false, true, false],
    ])
    first?.leave()
    first?.leave()
    expect([mayPass('acc_1'), mayPass('acc_2')]).toEqual([
      [true, true, true],
      [false, false, true],
    ])
    expect(line.size).toBe(1)
  })

  test('serves higher priorities first and equal ones as they came, and nobody is passed by who comes much later', () => {
    const clock = new HandClock()
    const line = new WaitingLine(clock)
    const came = new Map<Waiter, string>()
    const join = (name: string, priority: number) => {
      const waiter = line.join(['acc_1'], priority)
      if (waiter !== undefined) came.set(waiter, name)
    }
    join('low', -10)
    join('usual', 0)
    join('usual too', 0)
    join('high', 10)
    clock.advance(10 * HEAD_START_MS)
    join('high, but later', 10)
    clock.advance(10 * HEAD_START_MS)
    join('high, much later', 10)
    const served: string[] = []
    while (came.size > served.length) {
      const [waiter, name] =
        [...came].find(([one]) => line.isNext('acc_1', one) && !served.includes(came.get(one) ?? '')) ?? []
      served.push(name ?? 'nobody')
      waiter?.leave()
    }
    expect(served).toEqual(['high', 'usual', 'usual too', 'high, but later', 'low', 'high, much later'])
  })
})
