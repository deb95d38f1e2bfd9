import { expect } from 'bun:test'
import type { TestApp } from '../support/app.ts'
import { after, json } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { MESSAGES } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

const QUESTION = { body: MESSAGES.body(ANTHROPIC.model) }

/**
 * In an app where one place is left, one request is under way and another one waits in line for its place while `act` happens. What
 * the other one is answered, and how many of the two the provider saw; the first is answered well.
 */
export async function nextInLine(app: TestApp, act: () => Promise<unknown>) {
  const { played } = app.upstream('anthropic')
  const gate = Promise.withResolvers<void>()
  played.otherwise(after(gate.promise, json(ANTHROPIC.reply('yes'))))
  const first = app.ask('/v1/messages', QUESTION)
  await played.request(0)
  const second = app.ask('/v1/messages', QUESTION)
  await until(() => app.app.inFlight() === 2, 'the second request')
  await act()
  gate.resolve()
  expect((await first).status).toBe(200)
  const { status, body } = await second
  return { status, message: body.error?.message, sent: played.requests.length }
}
