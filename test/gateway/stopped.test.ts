/** A key that is taken away sends nothing more, also not for requests that came before. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { nextInLine } from './in-line.ts'

/** What a request that waits in line for its key's only place is answered when `act` happens meanwhile. */
async function check(act: (app: TestApp) => Promise<unknown>, answered: readonly [status: number, message?: string]) {
  await using app = await makeApp({ key: { limits: { max_concurrency: 1, queue_ms: 60_000 } } })
  const [status, message] = answered
  expect(await nextInLine(app, () => act(app))).toEqual({ status, message, sent: status === 200 ? 2 : 1 })
}

const keyPath = (app: TestApp) => `/v1/keys/${app.key.id}`

test('a request that waits is refused once its key is disabled', () =>
  check((app) => app.owner('PATCH', keyPath(app), { status: 'disabled' }), [401, 'This gateway key is disabled.']))

test('and once it is deleted', () =>
  check((app) => app.owner('DELETE', keyPath(app)), [401, 'This gateway key is not valid.']))

test('what else is changed about a key counts from its next request', () =>
  check((app) => app.owner('PATCH', keyPath(app), { models_deny: ['*'] }), [200]))
