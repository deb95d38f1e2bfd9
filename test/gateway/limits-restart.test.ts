import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/core/clock.ts'
import { HOUR_MS } from '../../src/core/duration.ts'
import { systemClock } from '../../src/system.ts'
import { clientRequest } from '../support/app.ts'
import { HandClock } from '../support/clock.ts'
import { value } from '../support/dashboard.ts'

const PEER = { address: '127.0.0.1', bodyRead: () => undefined, answered: () => undefined }
const CLI = { actor: { id: null, email: null, ip: null }, requestId: null }
let dataDir: string
let clock: HandClock

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-limits-'))
  clock = new HandClock()
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** A process on the same data folder. */
async function start(by: Clock = clock): Promise<App> {
  return value(await createApp(value(readConfig({ 'data-dir': dataDir }, { HOME: dataDir })), { clock: by }))
}

async function ask(app: App, secret: string, content = 'hello'): Promise<number> {
  const body = { model: 'demo/echo', messages: [{ role: 'user', content }] }
  const response = await app.handle(clientRequest('http://gateway.test/v1/chat/completions', secret, { body }), PEER)
  await response.text()
  return response.status
}

for (const [what, limits] of [
  ['requests', { rpd: 2 }],
  ['tokens', { tpd: 50 }],
] as const) {
  test(`a restart gives nobody more ${what} of the day, and the next day does`, async () => {
    const first = await start()
    // Inference is refused until there is an owner.
    const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
    value(await first.auth.createFirstOwner(owner, { requestId: null, address: null }))
    const { secret } = value(await first.keys.create({ name: 'one', limits }, CLI))
    expect([await ask(first, secret), await ask(first, secret)]).toEqual([200, 200])
    await first.close()
    clock.advance(HOUR_MS)
    const second = await start()
    expect(await ask(second, secret)).toBe(429)
    clock.advance(12 * HOUR_MS)
    expect(await ask(second, secret)).toBe(200)
    await second.close()
  })
}

test('a request that waits for what the day has seen is not counted before it is admitted', async () => {
  const app = await start(systemClock)
  const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
  value(await app.auth.createFirstOwner(owner, { requestId: null, address: null }))
  const { secret } = value(await app.keys.create({ name: 'one', limits: { rpd: 1 } }, CLI))
  // It takes a while to be read, and the thread that reads the ledger a while to begin.
  const long = 'word '.repeat(1_000_000)
  expect([await ask(app, secret, long), await ask(app, secret)]).toEqual([200, 429])
  await app.close()
})

test('a clock that was set back while nothing ran gives nobody another day', async () => {
  const first = await start()
  const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
  value(await first.auth.createFirstOwner(owner, { requestId: null, address: null }))
  const { secret } = value(await first.keys.create({ name: 'one', limits: { rpd: 2 } }, CLI))
  expect([await ask(first, secret), await ask(first, secret)]).toEqual([200, 200])
  await first.close()
  clock.setBack(24 * HOUR_MS)
  const second = await start()
  expect(await ask(second, secret)).toBe(429)
  await second.close()
})
