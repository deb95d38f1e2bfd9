import { afterEach, describe, expect, test } from 'bun:test'
import type { Failure } from '../../src/core/failure.ts'
import type { Result } from '../../src/core/result.ts'
import { makeSend, type SendDeps } from '../../src/outbound/connector.ts'
import type { OutboundReply, OutboundRequest, Send } from '../../src/outbound/transport.ts'
import { HandClock } from '../support/clock.ts'
import { after, cut, json, raw, reset, silence, stream, text, type Step } from '../support/plays.ts'
import { closedPort, playProvider, type Play, type Provider } from '../support/provider.ts'
import { longFrame } from '../support/provider-bodies.ts'

/** A client that leaves must be felt by the provider this soon. */
const HANG_UP_MS = 250

const TLS = {
  key: await fixture('key.pem'),
  cert: await fixture('certificate.pem'),
}
const AUTHORITY = await fixture('authority.pem')

function fixture(name: string): Promise<string> {
  return Bun.file(new URL(`../fixtures/tls/${name}`, import.meta.url)).text()
}

const providers: Provider[] = []
afterEach(() => providers.splice(0).forEach((provider) => provider.stop()))

function play(...script: readonly Play[]): Provider {
  const provider = playProvider(script)
  providers.push(provider)
  return provider
}

function sender(deps: Partial<SendDeps> = {}): Send {
  return makeSend({
    clock: new HandClock(),
    lookup: async () => ['127.0.0.1'],
    proxy: undefined,
    isOwnListener: () => false,
    portsAllowed: new Set(),
    ...deps,
  })
}

function post(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"model":"m"}',
    signal: new AbortController().signal,
    policy: { kind: 'owner', allowPrivateNetwork: true },
    connectMs: 5000,
    ...more,
  }
}

/** The reply, or the test fails saying why there was none. */
function reached(reply: Result<OutboundReply, Failure>): OutboundReply {
  if (!reply.ok) throw new Error(`expected a reply, got ${reply.error.kind}: ${reply.error.detail}`)
  return reply.value
}

function bodyText(reply: OutboundReply): Promise<string> {
  return new Response(reply.body).text()
}

function gate() {
  return Promise.withResolvers<void>()
}

describe('the client', () => {
  const send = sender()

  test('sends method, path, headers and body, and hands back status, headers and body', async () => {
    const provider = play(json({ id: 1 }, 201, { 'x-request-id': 'abc', 'content-language': 'en' }))
    const reply = reached(await send(post(`${provider.url}/v1/messages?beta=true`, { headers: { 'X-Api-Key': 'k' } })))
    expect(provider.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages?beta=true' })
    expect(provider.requests[0]?.text()).toBe('{"model":"m"}')
    expect(provider.requests[0]?.headers).toMatchObject({ 'x-api-key': 'k', host: new URL(provider.url).host })
    expect(reply.status).toBe(201)
    expect(Object.fromEntries(reply.headers)).toEqual({
      'content-type': 'application/json',
      'x-request-id': 'abc',
      'content-language': 'en',
    })
    expect(await bodyText(reply)).toBe('{"id":1}')
  })

  test.each<[string, Partial<OutboundRequest>, string]>([
    ['a GET without a body', { method: 'GET', body: undefined as never }, ''],
    ['a DELETE without a body', { method: 'DELETE', body: undefined as never }, ''],
    ['a POST without a body', { body: undefined as never }, ''],
    ['bytes', { body: Buffer.from('bytes é') }, 'bytes é'],
    ['text beyond ASCII', { body: 'text é 🚂' }, 'text é 🚂'],
    ['an empty text', { body: '' }, ''],
  ])('sends %s', async (_, { body, ...more }, expected) => {
    const provider = play(json({}))
    const { body: __, ...plain } = post(provider.url)
    reached(await send({ ...plain, ...more, ...(body === undefined ? {} : { body }) }))
    expect(provider.requests[0]?.text()).toBe(expected)
  })

  test('sends a large body whole', async () => {
    const provider = play(json({}))
    const body = Buffer.alloc(8 * 1024 * 1024, 'abcdefgh')
    reached(await send(post(provider.url, { body })))
    expect(Buffer.compare(provider.requests[0]?.body ?? Buffer.alloc(0), body)).toBe(0)
  })

  test('hands on each piece as soon as it is there', async () => {
    const second = gate()
    const provider = play(stream(['data: 1\n\n', second.promise, 'data: 2\n\n']))
    const reader = reached(await send(post(provider.url))).body?.getReader()
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('data: 1\n\n')
    second.resolve()
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('data: 2\n\n')
    expect((await reader?.read())?.done).toBe(true)
  })

  test('a line of 5 MB arrives whole', async () => {
    const frame = longFrame(5_000_000)
    const provider = play(stream([frame]))
    expect(await bodyText(reached(await send(post(provider.url))))).toBe(frame)
  })

  test.each([204, 304])('a %i has no body', async (status) => {
    const provider = play(raw(`HTTP/1.1 ${status} Empty\r\n\r\n`))
    const reply = reached(await send(post(provider.url)))
    expect(reply.status).toBe(status)
    expect(await bodyText(reply)).toBe('')
  })

  test.each([301, 302, 303, 307, 308])('a %i is handed back, and nobody is sent the credentials', async (status) => {
    const elsewhere = play(json({}))
    const provider = play(text('', status, { location: `${elsewhere.url}/steal` }))
    const reply = reached(await send(post(provider.url, { headers: { 'x-api-key': 'k' } })))
    expect(reply.status).toBe(status)
    expect(elsewhere.requests).toHaveLength(0)
  })

  test('a compressed body is decoded, and its headers are dropped', async () => {
    const zipped = Bun.gzipSync(Buffer.from('{"text":"hello"}'))
    const provider = play(text(zipped, 200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }))
    const reply = reached(await send(post(provider.url)))
    expect(reply.headers.get('content-encoding')).toBeNull()
    expect(reply.headers.get('content-length')).toBeNull()
    expect(await bodyText(reply)).toBe('{"text":"hello"}')
  })

  const GARBAGE = 'SSH-2.0-OpenSSH_9.6\r\n\r\n'
  test.each<[string, Play, string]>([
    ['a reset before the reply', reset, 'closed the connection'],
    ['a close before the reply', cut, 'closed the connection'],
    [
      'a reset inside the head',
      (stage) => (stage.raw('HTTP/1.1 200 OK\r\nx-'), stage.reset()),
      'closed the connection',
    ],
    ['a reply that is not HTTP', raw(GARBAGE), 'did not answer in HTTP'],
  ])('%s may have been billed: a server failure', async (_, answer, message) => {
    const provider = play(answer)
    const reply = await send(post(`${provider.url}/secret-path?key=hidden`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'server', message: expect.stringContaining(message) } })
    expect(JSON.stringify(reply)).not.toMatch(/secret-path|hidden/)
  })

  test('nobody listening is a connect failure', async () => {
    const reply = await send(post(`http://127.0.0.1:${closedPort()}/secret-path`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'connect', message: expect.stringContaining('refused') } })
    expect(JSON.stringify(reply)).not.toContain('secret-path')
  })

  test.each<[string, readonly Step[]]>([
    ['a reset', ['data: 1\n\n', 'reset']],
    ['an end without the last chunk', ['data: 1\n\n', 'cut']],
  ])('%s inside the body is an error of the stream', async (_, steps) => {
    const provider = play(stream(steps))
    const reply = reached(await send(post(provider.url)))
    await expect(bodyText(reply)).rejects.toBeDefined()
    await reply.discard()
  })

  test('fewer bytes than promised are an error of the stream', async () => {
    const provider = play((stage) => (stage.raw('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello'), stage.cut()))
    const reply = await send(post(provider.url))
    if (reply.ok) await expect(bodyText(reply.value)).rejects.toBeDefined()
    else expect(reply.error.kind).toBe('server')
  })

  test('a signal that is aborted already sends nothing', async () => {
    const provider = play(json({}))
    const reply = await send(post(provider.url, { signal: AbortSignal.abort() }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    expect(provider.requests).toHaveLength(0)
  })

  test('an abort before the head closes the connection at once', async () => {
    const provider = play(silence)
    const gone = new AbortController()
    const reply = send(post(provider.url, { signal: gone.signal }))
    const request = await provider.request(0)
    const leftAtMs = performance.now()
    gone.abort()
    expect(await reply).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    expect((await request.hungUp) - leftAtMs).toBeLessThan(HANG_UP_MS)
  })

  const LEAVING: readonly [string, (reply: OutboundReply, gone: AbortController) => Promise<unknown>][] = [
    ['an abort while nobody reads', async (_, gone) => gone.abort()],
    ['an abort while somebody waits for bytes', abortWhileReading],
    ['discard', (reply) => reply.discard()],
    ['discard, twice', (reply) => Promise.all([reply.discard(), reply.discard()])],
    ['an abort and discard together', (reply, gone) => (gone.abort(), reply.discard())],
    ['discard and an abort together', (reply, gone) => (void reply.discard(), gone.abort(), reply.discard())],
    [
      'an abort while a reader holds the body, and discard',
      async (reply, gone) => {
        const reader = reply.body?.getReader()
        gone.abort()
        await reply.discard()
        await reader?.read().catch(() => {})
      },
    ],
    [
      'the cancel of a reader',
      async (reply) => {
        const reader = reply.body?.getReader()
        await reader?.read()
        await reader?.cancel()
      },
    ],
  ]

  async function abortWhileReading(reply: OutboundReply, gone: AbortController): Promise<void> {
    const reader = reply.body?.getReader()
    await reader?.read()
    const waiting = reader?.read().then(
      () => 'a piece',
      () => 'an error',
    )
    gone.abort()
    expect(await waiting).toBe('an error')
  }

  test.each(LEAVING)('%s inside the body closes the connection at once', async (_, leave) => {
    const provider = play(stream(['data: 1\n\n', 'silence']))
    const gone = new AbortController()
    const reply = reached(await send(post(provider.url, { signal: gone.signal })))
    const leftAtMs = performance.now()
    await leave(reply, gone)
    expect((await provider.requests[0]?.hungUp) ?? Infinity).toBeLessThan(leftAtMs + HANG_UP_MS)
  })

  test('discard after the whole body was read does nothing', async () => {
    const provider = play(json({}))
    const reply = reached(await send(post(provider.url)))
    await bodyText(reply)
    await reply.discard()
  })

  test('an abort after the reply ended disturbs nobody', async () => {
    const provider = play(json({}), json({}))
    const gone = new AbortController()
    await bodyText(reached(await send(post(provider.url, { signal: gone.signal }))))
    gone.abort()
    expect(await bodyText(reached(await send(post(provider.url))))).toBe('{}')
  })

  test('300 streams flow at once, beyond the ceiling of 256 that fetch has by default', async () => {
    const env = {
      ...process.env,
      HTTP_PROXY: `http://127.0.0.1:${closedPort()}`, // which must not be read
    }
    const script = new URL('../support/many-streams.ts', import.meta.url).pathname
    const child = Bun.spawn([process.execPath, script, '300'], { env, stdout: 'pipe' })
    const { streams, slowestCloseMs } = JSON.parse(await new Response(child.stdout).text())
    expect(streams).toBe(300)
    expect(slowestCloseMs).toBeLessThan(1000)
  })

  test('a reader that stops holds the provider back', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const pieces = 64
    let sent = 0
    const provider = play(async (stage) => {
      stage.head(200)
      for (; sent < pieces; sent++) {
        stage.write(piece)
        await stage.drained()
      }
      stage.end()
    })
    const reply = reached(await send(post(provider.url)))
    const reader = reply.body?.getReader()
    let read = (await reader?.read())?.value?.length ?? 0
    await Bun.sleep(100) // nothing tells when a kernel's buffers are full
    expect(sent).toBeLessThan(pieces)
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) read += next.value.length
    expect(read).toBe(pieces * piece.length)
  })

  test('connections are used again', async () => {
    const provider = play(json({}), json({}), stream(['a', 'b']), json({}))
    for (let round = 0; round < 4; round++) await bodyText(reached(await send(post(provider.url))))
    expect(provider.accepted).toBe(1)
  })

  describe('over TLS', () => {
    function secure(): Provider {
      const provider = playProvider([json({ fine: true })], { tls: TLS })
      providers.push(provider)
      return provider
    }

    test('a name that the certificate binds is called, at the address that was checked', async () => {
      const provider = secure()
      const reply = reached(await sender({ ca: [AUTHORITY] })(post(`https://models.example:${provider.port}/v1?x=1`)))
      expect(await bodyText(reply)).toBe('{"fine":true}')
      expect(provider.requests[0]?.headers['host']).toBe(`models.example:${provider.port}`)
    })

    test.each<[string, string, Partial<SendDeps>]>([
      ['another name', 'other.example', { ca: [AUTHORITY] }],
      ['an address', '127.0.0.1', { ca: [AUTHORITY] }],
      ['an unknown authority', 'models.example', {}],
    ])('%s is refused before anything is sent', async (_, host, deps) => {
      const provider = secure()
      const reply = await sender(deps)(post(`https://${host}:${provider.port}/`))
      expect(reply).toMatchObject({
        ok: false,
        error: { kind: 'connect', message: expect.stringContaining('identity') },
      })
      expect(provider.requests).toHaveLength(0)
    })

    test('a trusted host is called by its name alone', async () => {
      const provider = secure()
      const trusting = sender({ ca: [AUTHORITY], lookup: () => Promise.reject(new Error('not asked')) })
      const request = post(`https://localhost:${provider.port}/`, { policy: { kind: 'trusted' } })
      expect(await bodyText(reached(await trusting(request)))).toBe('{"fine":true}')
      expect(await sender()(request)).toMatchObject({ error: { kind: 'connect' } })
    })

    test('a provider that does not speak TLS is a connect failure', async () => {
      const provider = playProvider()
      const listener = Bun.listen({
        hostname: '127.0.0.1',
        port: 0,
        socket: { data: (socket) => void socket.end(GARBAGE) },
      })
      const reply = await send(post(`https://models.example:${listener.port}/`))
      expect(reply).toMatchObject({ ok: false, error: { kind: 'connect', message: expect.stringContaining('TLS') } })
      listener.stop(true)
      provider.stop()
    })

    test('an abort inside the body closes the connection at once', async () => {
      const provider = playProvider([stream(['data: 1\n\n', 'silence'])], { tls: TLS })
      providers.push(provider)
      const gone = new AbortController()
      const trusting = sender({ ca: [AUTHORITY] })
      reached(await trusting(post(`https://models.example:${provider.port}/`, { signal: gone.signal })))
      const leftAtMs = performance.now()
      gone.abort()
      expect((await provider.requests[0]?.hungUp) ?? Infinity).toBeLessThan(leftAtMs + HANG_UP_MS)
    })
  })

  test('a slow first byte is waited for', async () => {
    const moment = gate()
    const provider = play(after(moment.promise, json({ late: true })))
    const reply = send(post(provider.url))
    await provider.request(0)
    moment.resolve()
    expect(await bodyText(reached(await reply))).toBe('{"late":true}')
  })
})
