/** The client leaves, over real sockets: the provider is let go at once, and the record is closed exactly once. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, silence, stream } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { type Client, CHAT, MESSAGES, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'
import { systemClock } from '../../src/system.ts'

/** From the client's leaving until the provider sees its connection closed. */
const GONE_MS_MAX = 250

const ROUTES: readonly (readonly [name: string, Client, Speaker])[] = [
  ['messages', MESSAGES, ANTHROPIC],
  ['chat', CHAT, OPENAI_CHAT],
  ['responses', RESPONSES, OPENAI_RESPONSES],
  ['chat → messages', CHAT, ANTHROPIC],
]

interface Visitor {
  /** Everything that the client has read so far. */
  text(): string
  leave(): void
}

/** A client that streams until it is told to leave. */
async function visit(
  app: TestApp,
  client: Client,
  speaker: Speaker,
  more: object = { stream: true },
): Promise<Visitor> {
  const leaving = new AbortController()
  const seen = { text: '' }
  void read(`${await app.listen()}${client.path}`, {
    method: 'POST',
    headers: { 'x-api-key': app.key.secret },
    body: JSON.stringify(client.body(speaker.model, 'hello', more)),
    signal: leaving.signal,
  }).catch(() => undefined) // it ends with the client's own leaving

  async function read(url: string, init: RequestInit): Promise<void> {
    const response = await fetch(url, init)
    for await (const piece of response.body ?? []) seen.text += Buffer.from(piece).toString()
  }
  return { text: () => seen.text, leave: () => leaving.abort() }
}

/** The same over a bare socket: the runtime's own client holds 256 requests at most while it tests. */
async function visitBare(url: string, secret: string): Promise<Visitor> {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(MESSAGES.body(ANTHROPIC.model, 'hello', { stream: true }))
  const head = `POST /v1/messages HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${secret}\r\ncontent-length: ${body.length}\r\n\r\n`
  let text = ''
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (opened) => void opened.write(head + body),
      data: (_, bytes) => void (text += bytes.toString()),
    },
  })
  return { text: () => text, leave: () => socket.terminate() }
}

describe('a client leaves a stream', () => {
  for (const [name, client, speaker] of ROUTES) {
    const events = speaker.stream(['One ', 'two '])
    const firstContent = events.findIndex((event) => event.includes('One '))
    const end = events.findIndex((event) => /message_stop|"completed".*usage|\[DONE\]/.test(event))

    test(`${name}: at every event, and each time the provider is let go and one record closed`, async () => {
      await using app = await makeApp()
      const { played } = app.upstream(speaker.provider)
      for (let count = 0; count < end; count++) {
        played.play(stream([...events.slice(0, count), 'silence']))
        const visitor = await visit(app, client, speaker)
        const { hungUp } = await played.request(count)
        if (count > firstContent) await until(() => visitor.text().includes('One '), 'the first content')
        if (count > firstContent + 1) await until(() => visitor.text().includes('two '), 'the second content')
        const leftAtMs = performance.now()
        visitor.leave()
        expect((await hungUp) - leftAtMs).toBeLessThan(GONE_MS_MAX)
        const row = (await app.rows()).at(-1)
        expect(row).toMatchObject({ status: 'cancelled', error_class: 'cancelled', http: 499 })
        expect(row?.attempts).toMatchObject([
          { class: 'cancelled', state: expect.stringMatching(/^(estimated|settled)$/) },
        ])
        expect(row?.['tokens']).toMatchObject(tokensOf(row?.attempts[0]))
        expect(row?.['tokens'].input_tokens).toBeGreaterThan(0)
        app.clock.advance(1_000)
      }
      expect(await app.rows()).toHaveLength(end)
      expect(played.open).toBe(0)
      expect(await app.account(app.upstream(speaker.provider))).toMatchObject({ last_error: null })
    })

    test(`${name}: after the last event, and the record says that all went well`, async () => {
      await using app = await makeApp()
      const { played } = app.upstream(speaker.provider)
      played.play(stream([...events, 'silence']))
      const visitor = await visit(app, client, speaker)
      await until(() => /message_stop|response\.completed|\[DONE\]/.test(visitor.text()), 'the end')
      visitor.leave()
      expect((await app.rows())[0]).toMatchObject({ status: 'ok', tokens: { input_uncached: 10, output: 5 } })
      await until(() => played.open === 0, 'the end of the provider’s connection')
    })
  }

  test('that has only begun with comments', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(silence)
    const visitor = await visit(app, MESSAGES, ANTHROPIC)
    const { hungUp } = await played.request(0)
    app.clock.advance(15_100)
    await until(() => visitor.text() === ': keepalive\n\n', 'the comment')
    const leftAtMs = performance.now()
    visitor.leave()
    expect((await hungUp) - leftAtMs).toBeLessThan(GONE_MS_MAX)
    expect((await app.rows())[0]).toMatchObject({ status: 'cancelled', attempts: [{ class: 'cancelled' }] })
  })

  test('while the next account is being asked', async () => {
    await using app = await makeApp({ accounts: { anthropic: 3 } })
    app.upstream('anthropic', 0).played.play(json({}, 500))
    app.upstream('anthropic', 1).played.play(silence)
    const visitor = await visit(app, MESSAGES, ANTHROPIC)
    const { hungUp } = await app.upstream('anthropic', 1).played.request(0)
    visitor.leave()
    await hungUp
    expect((await app.rows())[0]).toMatchObject({
      status: 'cancelled',
      attempts: [{ class: 'server' }, { class: 'cancelled' }],
    })
    expect(app.upstream('anthropic', 2).played.requests).toHaveLength(0)
  })
})

test('a client leaves before its plain answer has come', async () => {
  await using app = await makeApp({ clock: systemClock })
  for (const [index, [, client, speaker]] of ROUTES.entries()) {
    const { played } = app.upstream(speaker.provider)
    const asked = played.requests.length
    played.play(silence)
    const visitor = await visit(app, client, speaker, {})
    const { hungUp } = await played.request(asked)
    const leftAtMs = performance.now()
    visitor.leave()
    expect((await hungUp) - leftAtMs).toBeLessThan(GONE_MS_MAX)
    expect((await app.rows())[index]).toMatchObject({ status: 'cancelled', http: 499, cost_source: 'estimated' })
  }
})

test('300 clients leave at once: every provider’s connection closes, every record is closed, nothing is left over', async () => {
  await using app = await makeApp({ clock: systemClock })
  const { played } = app.upstream('anthropic')
  played.otherwise(stream([...ANTHROPIC.stream(['One ']).slice(0, 4), 'silence']))
  const url = await app.listen()
  const visitors = await Promise.all(Array.from({ length: 300 }, () => visitBare(url, app.key.secret)))
  await until(() => visitors.every((visitor) => visitor.text().includes('One ')), 'the first content for all')
  expect(app.app.inFlight()).toBe(300)
  for (const visitor of visitors) visitor.leave()
  await until(() => played.open === 0, 'the end of all connections')
  await app.rows()
  const summary = (await app.owner('GET', '/v1/usage?range=24h')).body.data
  expect(summary).toMatchObject({ requests: 300, cancelled: 300, failed: 0, cut: 0 })
  expect(app.log.filter((line) => line.startsWith('error'))).toEqual([])
})

function tokensOf(attempt: unknown): object {
  return (attempt as { tokens: object }).tokens
}
