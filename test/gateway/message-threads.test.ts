/** Conversations that Anthropic keeps between turns: they go on there, and elsewhere clients are told to send them whole. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/dashboard.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { anthropicReply, chatReply } from '../support/provider-bodies.ts'
import { playProvider, type Provider } from '../support/provider.ts'

const CREATE = { type: 'create' }
const CONTINUE = { type: 'continue', previous_message_id: 'msg_before' }
const HEADERS = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'message-threads-2026-08-12' }
const LOST = { type: 'error', error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } } }

let app: TestApp
let host: Provider
beforeAll(async () => {
  app = await makeApp({ accounts: { anthropic: 1, openai: 1 } })
  host = playProvider()
  host.otherwise(json(anthropicReply('Hello')))
  const described = {
    slug: 'a-host',
    dialects: [{ dialect: 'anthropic_messages', base_url: `${host.url}/v1` }],
    auth_scheme: 'none',
    allow_private_network: true,
    models_mode: 'static',
    models: [{ id: 'a-model' }],
  }
  expect((await app.owner('POST', '/v1/custom-providers', described)).status).toBe(201)
  expect((await app.owner('POST', '/v1/accounts', { provider: 'a-host', name: 'a host' })).status).toBe(201)
  app.upstream('anthropic').played.otherwise(json(anthropicReply('Hello')))
  app.upstream('openai').played.otherwise(json(chatReply('Hello')))
})
afterAll(async () => {
  host.stop()
  await app[Symbol.asyncDispose]()
})

function bodyOf(model: string, thread: object) {
  return { model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], thread }
}

function ask(to: TestApp, model: string, thread: object): Promise<Answer> {
  return to.ask('/v1/messages', { headers: { ...HEADERS, 'x-api-key': to.key.secret }, body: bodyOf(model, thread) })
}

const MAKER = 'anthropic/claude-haiku-4-5'
const ELSEWHERE: readonly (readonly [string, model: string, played: () => Provider])[] = [
  ['another format', 'openai/gpt-4o-mini', () => app.upstream('openai').played],
  ['a host of the same format', 'a-host/a-model', () => host],
]

describe('at its maker', () => {
  for (const thread of [CREATE, CONTINUE]) {
    test(`a request to ${thread.type} goes as it is`, async () => {
      expect((await ask(app, MAKER, thread)).status).toBe(200)
      const sent = app.upstream('anthropic').played.requests.at(-1)
      expect(sent?.json()).toEqual(bodyOf('claude-haiku-4-5', thread))
      expect(sent?.headers['anthropic-beta']).toBe(HEADERS['anthropic-beta'])
    })
  }

  test('that it is lost is handed on, and is nothing that speaks against the account', async () => {
    const error = { ...LOST.error, message: 'no such thread' }
    app.upstream('anthropic').played.play(json({ ...LOST, error, request_id: 'req_1' }, 404))
    expect(await ask(app, MAKER, CONTINUE)).toMatchObject({ status: 404, body: { error } })
    expect((await ask(app, MAKER, CREATE)).status).toBe(200)
    expect(await app.account(app.upstream('anthropic'))).toMatchObject({ cooldowns: [], status: 'active' })
  })
})

for (const [name, model, played] of ELSEWHERE) {
  describe(`at ${name}`, () => {
    test('one that begins is answered without being kept', async () => {
      const { status, headers } = await ask(app, model, CREATE)
      expect({ status, dropped: headers.get('x-gateway-dropped') }).toEqual({ status: 200, dropped: null })
      expect(played().requests.at(-1)?.text()).not.toContain('thread')
    })

    test('one that goes on is lost, so that nothing said before is missing', async () => {
      const before = played().requests.length
      expect(await ask(app, model, CONTINUE)).toMatchObject({ status: 404, body: LOST })
      expect(played().requests.length).toBe(before)
    })
  })
}

test('skills of now cannot join a prompt of before: the thread is lost', async () => {
  await using skilled = await makeApp({ accounts: { anthropic: 1 }, skills: ['Speak plainly.'] })
  skilled.upstream('anthropic').played.otherwise(json(anthropicReply('Hello')))
  expect(await ask(skilled, MAKER, CONTINUE)).toMatchObject({ status: 404, body: LOST })
  expect((await ask(skilled, MAKER, CREATE)).status).toBe(200)
  expect(skilled.upstream('anthropic').played.requests).toHaveLength(1)
})
