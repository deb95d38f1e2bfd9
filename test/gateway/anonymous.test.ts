/** Requests without a credential, and the key that they may count as sent with. */
import { describe, expect, test } from 'bun:test'
import { Ollama } from 'ollama'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { isFromThisMachine, isLoopbackHost } from '../../src/http/loopback.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { callerOf, HASH_COST, OWNER, value } from '../support/dashboard.ts'

const PEER = { address: '127.0.0.1', bodyRead: () => undefined, answered: () => undefined }
const ECHO = { model: 'demo/echo', messages: [{ role: 'user' as const, content: 'hi' }], stream: false as const }

/** An app whose key counts for requests without one. */
async function makeOpenApp(): Promise<TestApp> {
  const app = await makeApp({ accounts: {} })
  const set = await app.owner('PATCH', '/v1/settings', { auth: { anonymous_key_id: app.key.id } })
  expect(set.status).toBe(200)
  return app
}

/** A request over a real connection, with nothing but `headers` and what fetch itself sends. */
async function ask(app: TestApp, headers: Readonly<Record<string, string>> = {}, path = '/api/chat'): Promise<number> {
  const response = await fetch(`${await app.listen()}${path}`, { method: 'POST', headers, body: JSON.stringify(ECHO) })
  return response.status
}

describe('a request without a credential', () => {
  test('counts as sent with the key that the owner chose, with all its limits', async () => {
    await using app = await makeOpenApp()
    const { message } = await new Ollama({ host: await app.listen() }).chat(ECHO)
    expect(message.content).toContain('hi')
    expect(await ask(app, {}, '/v1/chat/completions')).toBe(200)
    expect((await app.rows()).map(({ key_id }) => key_id)).toEqual([app.key.id, app.key.id])
    await app.owner('PATCH', `/v1/keys/${app.key.id}`, { endpoints_allow: ['messages'] })
    expect(await ask(app)).toBe(403)
  })

  test('is refused while no key is chosen, and again once it is taken back', async () => {
    await using app = await makeApp({ accounts: {} })
    expect(await ask(app)).toBe(401)
    await app.owner('PATCH', '/v1/settings', { auth: { anonymous_key_id: app.key.id } })
    expect(await ask(app)).toBe(200)
    await app.owner('PATCH', '/v1/settings', { auth: { anonymous_key_id: null } })
    expect(await ask(app)).toBe(401)
  })

  test('is refused when the key is gone', async () => {
    await using app = await makeOpenApp()
    await app.owner('DELETE', `/v1/keys/${app.key.id}`)
    expect(await ask(app)).toBe(401)
    const { warnings } = (await app.owner('GET', '/v1/system/stats')).body.data
    expect(warnings).toContainEqual(expect.stringContaining('auth.anonymous_key_id is ignored'))
  })

  const REFUSED: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
    ['a wrong key', { 'x-api-key': 'wrong' }],
    ['an empty key', { 'x-api-key': '' }],
    ['a wrong bearer token', { authorization: 'Bearer wrong' }],
    ['credentials of another kind', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['a wrong gateway key', { 'x-gateway-key': 'wrong' }],
    ["a key in Google's header", { 'x-goog-api-key': 'wrong' }],
    ['a page of another site in a browser', { origin: 'https://evil.example' }],
    ['a name that was made to point here', { host: 'evil.example:4680' }],
    ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['somebody behind a tunnel', { 'cf-connecting-ip': '203.0.113.7' }],
  ]
  for (const [name, headers] of REFUSED) {
    test(`is none with ${name}: 401`, async () => {
      await using app = await makeOpenApp()
      expect(await ask(app, headers)).toBe(401)
    })
  }

  test('may come from a page on this machine', async () => {
    await using app = await makeOpenApp()
    expect(await ask(app, { origin: 'http://localhost:3000' })).toBe(200)
  })

  test('never opens the dashboard', async () => {
    await using app = await makeOpenApp()
    expect((await fetch(`${await app.listen()}/v1/keys`)).status).toBe(401)
  })
})

describe('the setting', () => {
  test('names a key that exists', async () => {
    await using app = await makeApp({ accounts: {} })
    const { status, body } = await app.owner('PATCH', '/v1/settings', { auth: { anonymous_key_id: 'key_none' } })
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { 'auth.anonymous_key_id': ['there is no key with this id'] },
    })
  })

  test('is told in the warnings for as long as it is set', async () => {
    await using app = await makeOpenApp()
    const { warnings } = (await app.owner('GET', '/v1/system/stats')).body.data
    expect(warnings).toContainEqual(expect.stringMatching(/without a credential.*key "client"/))
  })

  test('is refused where others than this machine reach the server, saying why', async () => {
    await using installation = makeInstallation()
    const { app, owner } = await installation.start('0.0.0.0')
    const { id } = (await owner('POST', '/v1/keys', { name: 'client' })).body.data
    const { status, body } = await owner('PATCH', '/v1/settings', { auth: { anonymous_key_id: id } })
    expect(status).toBe(422)
    expect(body.errors['auth.anonymous_key_id'][0]).toContain('listens on 0.0.0.0')
    await app.close()
  })

  test('does nothing once the server listens elsewhere, and the log says so', async () => {
    await using installation = makeInstallation()
    const before = await installation.start('127.0.0.1')
    const { id } = (await before.owner('POST', '/v1/keys', { name: 'client' })).body.data
    expect((await before.owner('PATCH', '/v1/settings', { auth: { anonymous_key_id: id } })).status).toBe(200)
    expect((await before.ask()).status).toBe(200)
    await before.app.close()
    const after = await installation.start('0.0.0.0')
    expect((await after.ask()).status).toBe(401)
    expect(after.log).toContainEqual(
      expect.stringMatching(/^warn auth auth\.anonymous_key_id is ignored: .*0\.0\.0\.0/),
    )
    await after.app.close()
  })
})

/** A data folder that is started again and again, as a program that listens on `host`. */
function makeInstallation() {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-anonymous-'))
  return {
    async start(host: string) {
      const log: string[] = []
      const write = (level: string, source: string, message: string): void =>
        void log.push(`${level} ${source} ${message}`)
      const config = value(readConfig({ 'data-dir': dataDir, host }, {}))
      const app = value(await createApp(config, { log: { write }, hashCost: HASH_COST }))
      const handle = (request: Request) => app.handle(request, PEER)
      const context = { requestId: null, address: PEER.address }
      const token = await app.setupToken()
      const session = value(
        token === undefined
          ? await app.auth.signIn(OWNER, context)
          : await app.auth.completeSetUp(token, OWNER, context),
      )
      const ask = () => handle(new Request('http://127.0.0.1/api/chat', { method: 'POST', body: JSON.stringify(ECHO) }))
      return { app, log, ask, owner: callerOf({ handle }, session.accessToken) }
    },
    [Symbol.asyncDispose]: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

describe('this machine', () => {
  const hosts: readonly (readonly [host: string, isLoopback: boolean])[] = [
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.5', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
  ]
  for (const [host, isLoopback] of hosts) {
    test(`${host} is ${isLoopback ? '' : 'not '}for it alone`, () => expect(isLoopbackHost(host)).toBe(isLoopback))
  }

  test('is who speaks from a loopback address, and nobody whose address is unknown', () => {
    const request = new Request('http://127.0.0.1:4680/api/chat')
    const speakers = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.5', null]
    expect(speakers.map((address) => isFromThisMachine(request, address))).toEqual([true, true, true, false, false])
  })
})
