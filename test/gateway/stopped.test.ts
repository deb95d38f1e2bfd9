/** A key that is taken away sends nothing more, also not for requests that came before. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { after, json } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { MESSAGES } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

const QUESTION = { body: MESSAGES.body(ANTHROPIC.model) }

/** One request is under way and another one of the same key waits in line while `act` happens; what both are answered. */
async function check(act: (app: TestApp) => Promise<unknown>, answered: readonly [status: number, message?: string]) {
  await using app = await makeApp({ key: { limits: { max_concurrency: 1, queue_ms: 60_000 } } })
  const { played } = app.upstream('anthropic')
  const gate = Promise.withResolvers<void>()
  played.otherwise(after(gate.promise, json(ANTHROPIC.reply('yes'))))
  const first = app.ask('/v1/messages', QUESTION)
  await played.request(0)
  const second = app.ask('/v1/messages', QUESTION)
  await until(() => app.app.inFlight() === 2, 'the second request')
  await act(app)
  gate.resolve()
  expect((await first).status).toBe(200)
  const { status, body } = await second
  expect([status, body.error?.message]).toEqual([answered[0], answered[1]])
  expect(played.requests).toHaveLength(status === 200 ? 2 : 1)
}

const keyPath = (app: TestApp) => `/v1/keys/${app.key.id}`

test('a request that waits is refused once its key is disabled', () =>
  check((app) => app.owner('PATCH', keyPath(app), { status: 'disabled' }), [401, 'This gateway key is disabled.']))

test('and once it is deleted', () =>
  check((app) => app.owner('DELETE', keyPath(app)), [401, 'This gateway key is not valid.']))

test('what else is changed about a key counts from its next request', () =>
  check((app) => app.owner('PATCH', keyPath(app), { models_deny: ['*'] }), [200]))
