import { expect, test } from 'bun:test'
import { listen } from '../src/server.ts'
import { makeApp } from './support/app.ts'
import { value } from './support/dashboard.ts'
import { silence } from './support/plays.ts'
import { turn, until } from './support/until.ts'
import { MESSAGES } from './gateway/clients.ts'
import { ANTHROPIC } from './gateway/upstreams.ts'

const GRACE_MS = 10_000

test('a stop takes no longer than its grace, though a stream used most of it and a slow sender is still there', async () => {
  await using app = await makeApp()
  const server = value(listen(app.app, { host: '127.0.0.1', port: 0, tls: null }))
  const { hostname, port } = new URL(server.url)
  const slow = await Bun.connect({ hostname, port: Number(port), socket: { data: () => undefined } })
  slow.write(
    'POST /v1/auth/sign-in HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  )
  app.upstream('anthropic').played.play(silence)
  const left = new AbortController()
  const body = JSON.stringify(MESSAGES.body(ANTHROPIC.model, 'hello', { stream: true }))
  const headers = { 'x-api-key': app.key.secret }
  const asked = fetch(`${server.url}${MESSAGES.path}`, { method: 'POST', headers, body, signal: left.signal })
  asked.catch(() => undefined)
  await until(() => app.app.inFlight() === 1, 'the stream')

  let isStopped = false
  const stopped = server.stop(GRACE_MS).then(() => (isStopped = true))
  const advance = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 50) {
      app.clock.advance(50)
      await turn()
    }
  }
  await advance(GRACE_MS - 1_000)
  left.abort()
  await until(() => app.app.inFlight() === 0, 'the end of the stream')
  expect(isStopped).toBe(false)
  await advance(1_200)
  await turn()
  expect(isStopped).toBe(true)
  await stopped
  slow.terminate()
})

test('a port where another one listens is a failure, never shared', async () => {
  await using app = await makeApp()
  const first = value(listen(app.app, { host: '127.0.0.1', port: 0, tls: null }))
  const { port } = new URL(first.url)
  const second = listen(app.app, { host: '127.0.0.1', port: Number(port), tls: null })
  expect(second).toMatchObject({ ok: false, error: { kind: 'connect' } })
  await first.stop(0)
})
