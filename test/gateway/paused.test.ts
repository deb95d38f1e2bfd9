/** The owner's switch stops all spending: also of requests that came before it was thrown. */
import { expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import { MESSAGES } from './clients.ts'
import { nextInLine } from './in-line.ts'
import { ANTHROPIC } from './upstreams.ts'

const QUESTION = { body: MESSAGES.body(ANTHROPIC.model) }
const BROKEN = { type: 'error', error: { type: 'api_error', message: 'broken' } }

const pause = (app: TestApp) => app.owner('PATCH', '/v1/settings', { routing: { paused: true } })

test('a request whose first account failed meanwhile asks no other one', async () => {
  await using app = await makeApp({ accounts: { anthropic: 2 } })
  const uppers = [app.upstream('anthropic'), app.upstream('anthropic', 1)]
  const pausing: Play = async (stage) => {
    await pause(app)
    await json(BROKEN, 500)(stage)
  }
  for (const { played } of uppers) played.otherwise(pausing)
  const { status, body, headers } = await app.ask('/v1/messages', QUESTION)
  expect([status, body.error.message]).toEqual([503, 'The owner has paused all inference.'])
  expect(headers.get('retry-after')).toBe('60')
  expect(uppers.flatMap(({ played }) => played.requests)).toHaveLength(1)
})

test('a request that waits for a place is not sent when it gets one', async () => {
  await using app = await makeApp({ settings: { resilience: { queue_ms: 60_000 } } })
  const { accountId } = app.upstream('anthropic')
  await app.owner('PATCH', `/v1/accounts/${accountId}`, { max_concurrency: 1 })
  expect(await nextInLine(app, () => pause(app))).toMatchObject({ status: 503, sent: 1 })
})
