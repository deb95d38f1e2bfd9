/** What a request holds while it runs, and that all of it is given back: connections, memory, its place among the live ones. */
import { describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { clientRequest, makeApp, type TestApp } from '../support/app.ts'
import { json, silence, stream, text } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { CHAT, CLIENTS, errorOf, MESSAGES, question, readStream } from './clients.ts'
import { ANTHROPIC, SPEAKERS } from './upstreams.ts'

const STREAM = question(MESSAGES, ANTHROPIC.model, { stream: true })

/** So many turns of the event loop without a megabyte more count as a standstill. */
const LOOKS_MIN = 2_000

/** A client on a bare socket that says `lines` and then nothing. */
async function visit(app: TestApp, lines: readonly string[], body: string): Promise<Socket> {
  const { hostname, port } = new URL(await app.listen())
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined) // some are made to break
  const head = [`POST ${MESSAGES.path} HTTP/1.1`, 'host: gateway.test', `x-api-key: ${app.key.secret}`, ...lines]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

describe('the timer of the connection', () => {
  for (const speaker of SPEAKERS) {
    for (const isStream of [false, true]) {
      test(`${speaker.client.name}, ${isStream ? 'streamed' : 'plain'}: rests while the request is answered, and only then`, async () => {
        await using app = await makeApp()
        const { played } = app.upstream(speaker.provider)
        const calls: string[] = []
        const answer = isStream ? stream(speaker.stream(['hi'])) : json(speaker.reply('hi'))
        played.play((stage) => (calls.push('asked'), answer(stage)))
        const ask = question(speaker.client, speaker.model, isStream ? { stream: true } : {})
        const request = clientRequest(`http://gateway.test${speaker.client.path}`, app.key.secret, ask)
        const peer = { bodyRead: () => void calls.push('body read'), answered: () => void calls.push('answered') }
        const response = await app.app.handle(request, { address: '127.0.0.1', ...peer })
        await response.text()
        expect(calls).toEqual(['body read', 'asked', 'answered'])
      })
    }
  }
})

describe('a client that leaves', () => {
  test('before it has read anything of its stream leaves nothing behind', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(stream([...ANTHROPIC.stream(['Hi']).slice(0, 4), 'silence']))
    const leaving = new AbortController()
    await app.request(MESSAGES.path, { ...STREAM, signal: leaving.signal })
    const { hungUp } = await played.request(0)
    leaving.abort()
    await hungUp
    expect((await app.rows())[0]).toMatchObject({
      status: 'cancelled',
      attempts: [{ class: 'cancelled', state: 'estimated' }],
    })
  })

  test('before it has sent its whole request is on record as gone', async () => {
    await using app = await makeApp()
    const socket = await visit(app, ['content-length: 1000'], '{"model":"anth')
    await until(() => app.app.inFlight() === 1, 'the request')
    socket.destroy()
    expect((await app.rows())[0]).toMatchObject({
      status: 'cancelled',
      error_class: 'cancelled',
      http: 499,
      attempts: [],
    })
    const chunked = await visit(app, ['transfer-encoding: chunked'], '5\r\n{"mod\r\n')
    await until(() => app.app.inFlight() === 1, 'the request')
    chunked.destroy()
    expect((await app.rows()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })
})

test('a client that does not read holds the provider back', async () => {
  await using app = await makeApp()
  const sent = { megabytes: 0, ended: false }
  const [start = '', block = '', , delta = ''] = ANTHROPIC.stream(['x'.repeat(1024 * 1024)])
  app.upstream('anthropic').played.play(async (stage) => {
    stage.head(200, { 'content-type': 'text/event-stream' })
    for (const event of [start, block]) stage.write(event)
    for (; sent.megabytes < 200; sent.megabytes++) {
      stage.write(delta)
      await stage.drained()
    }
    sent.ended = true
  })
  const body = JSON.stringify(STREAM.body)
  const socket = await visit(app, [`content-length: ${body.length}`], body)
  socket.pause()
  await app.upstream('anthropic').played.request(0)
  let still = { megabytes: 0, looks: 0 }
  await until(() => {
    still = still.megabytes === sent.megabytes ? { ...still, looks: still.looks + 1 } : { ...sent, looks: 0 }
    return sent.megabytes > 0 && still.looks > LOOKS_MIN
  }, 'the end of the flow')
  expect(sent.ended).toBe(false)
  expect(sent.megabytes).toBeLessThan(60)
  socket.destroy()
  await app.rows()
})

test('more requests at once than there is room for are told to come back', async () => {
  await using app = await makeApp({ liveRequestsMax: 2 })
  const { played } = app.upstream('anthropic')
  played.play(silence, silence)
  const leaving = new AbortController()
  const first = [0, 1].map(() => app.request(MESSAGES.path, { ...STREAM, signal: leaving.signal }))
  await played.request(1)
  for (const client of CLIENTS) {
    const { status, headers, body } = await app.ask(client.path, question(client, ANTHROPIC.model))
    expect({ status, after: headers.get('retry-after') }).toEqual({
      status: client === MESSAGES ? 529 : 503,
      after: '2',
    })
    expect(errorOf(body).type).toBe(client === MESSAGES ? 'overloaded_error' : 'server_error')
  }
  leaving.abort()
  await Promise.all(first)
  played.play(json(ANTHROPIC.reply('hi')))
  expect((await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))).status).toBe(200)
})

test('connections to a provider are used again, and one that was closed meanwhile costs the client nothing', async () => {
  await using app = await makeApp()
  const { played } = app.upstream('anthropic')
  const ask = async (): Promise<number> => (await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))).status
  played.otherwise(json(ANTHROPIC.reply('hi')))
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])
  expect(played.accepted).toBe(1)
  played.play((stage) => {
    stage.reply(200, { 'content-type': 'application/json' }, JSON.stringify(ANTHROPIC.reply('hi')))
    stage.cut()
  })
  expect([await ask(), await ask()]).toEqual([200, 200])
  expect(played.accepted).toBe(2)
  expect((await app.rows()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1, 1])
})

test('a provider that compresses unasked is understood, and its client gets plain bytes', async () => {
  await using app = await makeApp()
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const reply = JSON.stringify(ANTHROPIC.reply('hi'))
  app.upstream('anthropic').played.otherwise(text(gzipSync(reply), 200, headers))
  const passed = await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
  expect(JSON.stringify(passed.body)).toBe(reply)
  expect(passed.headers.has('content-encoding')).toBe(false)
  expect(CHAT.textOf((await app.ask(CHAT.path, question(CHAT, ANTHROPIC.model))).body)).toBe('hi')
  const events = gzipSync(ANTHROPIC.stream(['hi']).join(''))
  const streaming = { ...headers, 'content-type': 'text/event-stream' }
  app.upstream('anthropic').played.otherwise(text(events, 200, streaming))
  expect(readStream((await app.ask(MESSAGES.path, STREAM)).body)).toMatchObject({ text: 'hi', ended: true })
})
