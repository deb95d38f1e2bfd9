import { afterEach, describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import type { Failure } from '../../../src/core/failure.ts'
import type { Result } from '../../../src/core/result.ts'
import { TRANSFER_HEADERS } from '../../../src/outbound/client.ts'
import { makeSend, type SendDeps } from '../../../src/outbound/connector.ts'
import type { BodySource, OutboundReply, OutboundRequest, Send } from '../../../src/outbound/transport.ts'
import { HandClock } from '../../support/clock.ts'
import { json, raw, reset, silence, stream, text } from '../../support/plays.ts'
import { playProvider, type Play, type Provider } from '../../support/provider.ts'

const providers: Provider[] = []
afterEach(() => providers.splice(0).forEach((provider) => provider.stop()))

function play(...script: readonly Play[]): Provider {
  const provider = playProvider(script)
  providers.push(provider)
  return provider
}

function sender(clock = new HandClock(), lookup: SendDeps['lookup'] = async (h) => [h]): Send {
  return makeSend({ clock, lookup, proxy: undefined, isOwnListener: () => false, portsAllowed: new Set() })
}

function post(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
    policy: { kind: 'owner', allowPrivateNetwork: true },
    connectMs: 5000,
    ...more,
  }
}

function reached(reply: Result<OutboundReply, Failure>): OutboundReply {
  if (!reply.ok) throw new Error(`expected a reply, got ${reply.error.kind}: ${reply.error.detail}`)
  return reply.value
}

/** Status and body, or what went wrong, in a form that can be compared. */
async function outcome(send: Send, url: string): Promise<string> {
  const reply = await send(post(url))
  return reply.ok ? await told(reply.value) : reply.error.kind
}

async function told({ status, body }: Pick<OutboundReply, 'status' | 'body'>): Promise<string> {
  return await new Response(body).text().then(
    (text) => `${status} ${text}`,
    () => `${status} broken`,
  )
}

/** What the platform makes of the same request. */
function byPlatform(url: string): Promise<Response> {
  return fetch(url, { method: 'POST', body: '{}', redirect: 'manual' })
}

/** Waits for what only the event loop can bring about. */
async function until(claim: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !claim(); turn++) await Bun.sleep(1)
  expect(claim()).toBe(true)
}

describe('connections are used again only while they are sound', () => {
  test('after a reply with a length, with chunks and without a body', async () => {
    const provider = play(text('a'), stream(['b']), raw('HTTP/1.1 204 No\r\n\r\n'), text('c'))
    const send = sender()
    for (const expected of ['200 a', '200 b', '204 ', '200 c']) expect(await outcome(send, provider.url)).toBe(expected)
    expect(provider.accepted).toBe(1)
  })

  test.each<[string, Play]>([
    ['connection: close', text('a', 200, { connection: 'close' })],
    ['HTTP/1.0', raw('HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na')],
    ['bytes after the reply', raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\n\r\nevil')],
    [
      'a length beside chunks',
      raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
    ],
    ['an end with the connection', (stage) => (stage.raw('HTTP/1.1 200 OK\r\n\r\na'), stage.cut())],
    ['a keep-alive of one second', text('a', 200, { 'keep-alive': 'timeout=1' })],
  ])('not after %s', async (_, first) => {
    const provider = play(first, text('second'))
    const send = sender()
    await outcome(send, provider.url)
    expect(await outcome(send, provider.url)).toBe('200 second')
    expect(provider.accepted).toBe(2)
  })

  test('not after a reply that was given up', async () => {
    const provider = play(stream(['a', 'silence']), text('second'))
    const send = sender()
    await reached(await send(post(provider.url))).discard()
    expect(await outcome(send, provider.url)).toBe('200 second')
    expect(provider.accepted).toBe(2)
  })

  test('not when the provider spoke unasked in between', async () => {
    const provider = play((stage) => {
      stage.reply(200, {}, 'a')
      setImmediate(() => stage.raw('HTTP/1.1 408 Timeout\r\ncontent-length: 0\r\n\r\n'))
    }, text('second'))
    const send = sender()
    expect(await outcome(send, provider.url)).toBe('200 a')
    await until(() => provider.open === 0)
    expect(await outcome(send, provider.url)).toBe('200 second')
  })

  test('not after the provider closed them', async () => {
    const provider = play((stage) => (stage.reply(200, {}, 'a'), void setImmediate(() => stage.cut())), text('second'))
    const send = sender()
    expect(await outcome(send, provider.url)).toBe('200 a')
    await until(() => provider.open === 0)
    expect(await outcome(send, provider.url)).toBe('200 second')
  })

  test('not after a minute of idleness: they are closed', async () => {
    const provider = play(text('a'), text('second'))
    const clock = new HandClock()
    const send = sender(clock)
    await outcome(send, provider.url)
    expect(provider.open).toBe(1)
    clock.advance(120_000)
    await until(() => provider.open === 0)
    expect(await outcome(send, provider.url)).toBe('200 second')
  })

  test('not beyond the time that the provider named', async () => {
    const provider = play(text('a', 200, { 'keep-alive': 'timeout=5' }), text('second'))
    const clock = new HandClock()
    const send = sender(clock)
    await outcome(send, provider.url)
    clock.advance(4500)
    expect(await outcome(send, provider.url)).toBe('200 second')
    expect(provider.accepted).toBe(2)
  })

  test('not for another name at the same address', async () => {
    const provider = play(text('a'), text('b'))
    const send = sender(new HandClock(), async () => ['127.0.0.1'])
    await outcome(send, `http://one.example:${provider.port}`)
    await outcome(send, `http://two.example:${provider.port}`)
    expect(provider.accepted).toBe(2)
  })

  test('and at most 256 wait idle for one origin', async () => {
    const everybody = Promise.withResolvers<void>()
    const provider = play()
    provider.otherwise(async (stage) => {
      if (provider.requests.length === 300) everybody.resolve()
      await everybody.promise
      stage.reply(200, {}, 'a')
    })
    const send = sender()
    await Promise.all(Array.from({ length: 300 }, () => outcome(send, provider.url)))
    await until(() => provider.open === 256)
  })
})

describe('a request on a connection that had gone stale', () => {
  test('is sent again, once, on a new one', async () => {
    const provider = play(text('a'), reset, text('second'))
    const send = sender()
    await outcome(send, provider.url)
    expect(await outcome(send, provider.url)).toBe('200 second')
    expect(provider.requests.map((request) => request.connection)).toEqual([0, 0, 1])
  })

  test('is not sent a third time', async () => {
    const provider = play(text('a'), reset, reset)
    const send = sender()
    await outcome(send, provider.url)
    expect(await outcome(send, provider.url)).toBe('server')
    expect(provider.requests).toHaveLength(3)
  })

  test('is not sent again once a byte of a reply came', async () => {
    const provider = play(text('a'), (stage) => (stage.raw('H'), void setImmediate(() => stage.reset())))
    const send = sender()
    await outcome(send, provider.url)
    expect(await outcome(send, provider.url)).toBe('server')
    expect(provider.requests).toHaveLength(2)
  })

  test('is not sent again when the provider had worked on it for a while', async () => {
    const dies = Promise.withResolvers<void>()
    const provider = play(text('a'), async (stage) => (await dies.promise, stage.reset()))
    const clock = new HandClock()
    const send = sender(clock)
    await outcome(send, provider.url)
    const second = outcome(send, provider.url)
    await provider.request(1)
    clock.advance(3000)
    dies.resolve()
    expect(await second).toBe('server')
    expect(provider.requests).toHaveLength(2)
  })

  test('is not sent again on a connection that was new', async () => {
    const provider = play(reset)
    expect(await outcome(sender(), provider.url)).toBe('server')
    expect(provider.requests).toHaveLength(1)
  })
})

describe('connecting', () => {
  function swallower() {
    const opened = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { open: () => opened.resolve(), close: () => closed.resolve(), data() {} },
    })
    return { url: `https://127.0.0.1:${listener.port}`, opened: opened.promise, closed: closed.promise, listener }
  }

  test('ends at its deadline when a provider never finishes the TLS handshake', async () => {
    const clock = new HandClock()
    const { url, opened, closed, listener } = swallower()
    const reply = sender(clock)(post(url, { connectMs: 3000 }))
    await opened
    clock.advance(2999)
    clock.advance(1)
    expect(await reply).toMatchObject({ ok: false, error: { kind: 'timeout' } })
    await closed
    listener.stop(true)
  })

  test('ends at once when the caller leaves', async () => {
    const gone = new AbortController()
    const { url, opened, closed, listener } = swallower()
    const reply = sender()(post(url, { signal: gone.signal }))
    await opened
    gone.abort()
    expect(await reply).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    await closed
    listener.stop(true)
  })

  test('a provider that hangs up inside the handshake has seen nothing: a connect failure', async () => {
    const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: (socket) => socket.terminate() } })
    const reply = await sender()(post(`https://127.0.0.1:${listener.port}`))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'connect' } })
    listener.stop(true)
  })
})

test('a caller that leaves in the moment between connecting and sending sends nothing', async () => {
  for (let turns = 0; turns < 12; turns++) {
    const provider = play(text('a'))
    const gone = new AbortController()
    const reply = sender()(post(provider.url, { signal: gone.signal }))
    await until(() => provider.accepted > 0)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    gone.abort()
    const answer = await reply
    if (!answer.ok) expect(answer.error.kind).toBe('cancelled')
    await until(() => provider.open === 0 || answer.ok)
  }
})

test('a body that the provider sent whole before it hung up is read whole, however late', async () => {
  const body = Buffer.alloc(300_000, 'x')
  const provider = play((stage) => (stage.raw(`HTTP/1.1 200 OK\r\n\r\n`), stage.raw(body), stage.cut()))
  const reply = reached(await sender()(post(provider.url)))
  await Bun.sleep(20)
  expect((await new Response(reply.body).text()).length).toBe(body.length)
})

test('a reply that comes before the request was sent whole is read, and the connection given up', async () => {
  let closed = false
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno')
      },
      close: () => void (closed = true),
    },
  })
  const request = post(`http://127.0.0.1:${listener.port}`, { body: Buffer.alloc(32 * 1024 * 1024) })
  const reply = reached(await sender()(request))
  expect(reply.status).toBe(413)
  expect(await new Response(reply.body).text()).toBe('no')
  await until(() => closed)
  listener.stop(true)
})

describe('a body that is pushed', () => {
  interface Heard {
    readonly text: string
    readonly ends: readonly (Failure | undefined)[]
  }

  /** Takes a reply's body, answering each piece with `take`; `heard` grows as it comes. */
  function listen(reply: OutboundReply, take: (source: BodySource) => boolean): { heard: Heard; source: BodySource } {
    const heard = { text: '', ends: [] as (Failure | undefined)[] }
    const source: BodySource | undefined = reply.consume?.({
      chunk(bytes): boolean {
        heard.text += Buffer.from(bytes).toString()
        return take(source as BodySource)
      },
      end: (failure) => void heard.ends.push(failure),
    })
    if (source === undefined) throw new Error('this client does not push')
    return { heard, source }
  }

  test('comes piece by piece and ends once', async () => {
    const provider = play(stream(['a', 'b', 'c']))
    const { heard } = listen(reached(await sender()(post(provider.url))), () => true)
    await until(() => heard.ends.length > 0)
    expect(heard).toEqual({ text: 'abc', ends: [undefined] })
  })

  test('waits when it is told to, its end included', async () => {
    const provider = play(stream(['a', 'b']))
    const reply = reached(await sender()(post(provider.url)))
    const { heard, source } = listen(reply, () => false)
    await until(() => heard.text !== '')
    const before = heard.text
    await Bun.sleep(5)
    expect(heard).toEqual({ text: before, ends: [] })
    while (heard.ends.length === 0) {
      source.resume()
      await Bun.sleep(1)
    }
    expect(heard).toEqual({ text: 'ab', ends: [undefined] })
  })

  test('holds the provider back while it waits', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x')
    let sent = 0
    const provider = play(async (stage) => {
      stage.head(200)
      for (; sent < 32; sent++) {
        stage.write(piece)
        await stage.drained()
      }
      stage.end()
    })
    let takes = false
    const { heard, source } = listen(reached(await sender()(post(provider.url))), () => takes)
    await Bun.sleep(100) // nothing tells when a kernel's buffers are full
    expect(sent).toBeLessThan(32)
    takes = true
    source.resume()
    await until(() => heard.ends.length > 0)
    expect(heard.text.length).toBe(32 * piece.length)
  })

  test('says so when the provider broke off', async () => {
    const provider = play(stream(['a', 'reset']))
    const reply = reached(await sender()(post(provider.url)))
    const { heard } = listen(reply, () => true)
    await until(() => heard.ends.length > 0)
    expect(heard).toMatchObject({ text: 'a', ends: [{ kind: 'cut' }] })
  })

  test('says so when the caller left', async () => {
    const provider = play(stream(['a', 'silence']))
    const gone = new AbortController()
    const { heard } = listen(reached(await sender()(post(provider.url, { signal: gone.signal }))), () => true)
    await until(() => heard.text === 'a')
    gone.abort()
    expect(heard.ends).toMatchObject([{ kind: 'cancelled' }])
  })

  test('says nothing more after it was cancelled, even from inside a piece', async () => {
    const provider = play(stream(['a', 'b', 'silence']))
    const reply = reached(await sender()(post(provider.url)))
    const { heard } = listen(reply, (source) => (source.cancel(), true))
    await until(() => provider.open === 0)
    expect(heard.ends).toEqual([])
  })

  test('is cancelled for whoever took it when the reply is discarded', async () => {
    const provider = play(stream(['a', 'silence']), stream(['a', 'silence']))
    const pushed = reached(await sender()(post(provider.url)))
    const { heard } = listen(pushed, () => true)
    await pushed.discard()
    expect(heard.ends).toMatchObject([{ kind: 'cancelled' }])
    const pulled = reached(await sender()(post(provider.url)))
    const reading = new Response(pulled.body).text()
    await pulled.discard()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await until(() => provider.open === 0)
  })

  test('is there once', async () => {
    const provider = play(text('a'))
    const reply = reached(await sender()(post(provider.url)))
    listen(reply, () => true)
    expect(() => listen(reply, () => true)).toThrow()
  })
})

const ODD: Readonly<Record<string, Play>> = {
  'a plain reply': text('hello'),
  'no reason phrase': raw('HTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello'),
  'a status without a name': raw('HTTP/1.1 529 \r\ncontent-length: 5\r\n\r\nhello'),
  'an interim reply first': raw('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'),
  'several interim replies': raw(
    'HTTP/1.1 103 E\r\nx: y\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello',
  ),
  'chunks with extensions and trailers': raw(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nx: y\r\n\r\n',
  ),
  'an end with the connection': (stage) => (stage.raw('HTTP/1.1 200 OK\r\n\r\nhello'), stage.cut()),
  'HTTP/1.0': (stage) => (stage.raw('HTTP/1.0 200 OK\r\n\r\nhello'), stage.cut()),
  'an empty body': text(''),
  'no content': raw('HTTP/1.1 204 No Content\r\n\r\n'),
  'not modified': raw('HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'),
  'a repeated length': raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nhello'),
  'bytes over 127 in a header': raw(
    Buffer.from('HTTP/1.1 200 OK\r\nx: caf\xe9\r\ncontent-length: 5\r\n\r\nhello', 'latin1'),
  ),
  'an error status with a body': json({ error: 'overloaded' }, 529),
  'gzip that was not asked for': text(Bun.gzipSync(Buffer.from('hello')), 200, { 'content-encoding': 'gzip' }),
  'deflate that was not asked for': text(deflateSync('hello'), 200, { 'content-encoding': 'deflate' }),
  'zstd that was not asked for': text(Bun.zstdCompressSync('hello'), 200, { 'content-encoding': 'zstd' }),
  'a coding that says nothing': text('hello', 200, { 'content-encoding': 'identity' }),
  'a reset inside the body': stream(['hello', 'reset']),
  'an end without the last chunk': stream(['hello', 'cut']),
}

test.each(Object.entries(ODD))('%s is read as fetch reads it', async (_, answer) => {
  const provider = play(answer, answer)
  const byFetch = await told(await byPlatform(provider.url))
  expect(await outcome(sender(), provider.url)).toBe(byFetch)
})

test('headers come out as fetch gives them, repeated ones joined', async () => {
  const answer = text('x', 200, { 'X-One': ' a ', 'content-type': 'text/plain', 'retry-after': '3' })
  const repeated: Play = raw(
    'HTTP/1.1 200 OK\r\nx-r: 1\r\nX-R: 2\r\nset-cookie: a\r\nset-cookie: b\r\ncontent-length: 0\r\n\r\n',
  )
  const provider = play(answer, answer, repeated, repeated)
  const ours = async () => [...reached(await sender()(post(provider.url))).headers]
  const theirs = async () =>
    [...(await byPlatform(provider.url)).headers].filter(([name]) => !TRANSFER_HEADERS.has(name))
  expect(await ours()).toEqual(await theirs())
  expect(await ours()).toEqual(await theirs())
})

test('a coding that cannot be undone is a server failure, and the connection is closed', async () => {
  const provider = play(stream(['x', 'silence'], { 'content-encoding': 'rot13' }))
  expect(await sender()(post(provider.url))).toMatchObject({ ok: false, error: { kind: 'server' } })
  await until(() => provider.open === 0)
})

test('a caller that leaves a provider in silence closes only its own connection', async () => {
  const provider = play(silence, text('second'))
  const send = sender()
  const gone = new AbortController()
  const first = send(post(provider.url, { signal: gone.signal }))
  const request = await provider.request(0)
  const second = await outcome(send, provider.url)
  gone.abort()
  expect(await first).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
  await request.hungUp
  expect(second).toBe('200 second')
  expect(provider.open).toBe(1)
})

test('among providers that misbehave and callers that leave, no reply reaches another request', async () => {
  const provider = play()
  let turn = 0
  provider.otherwise(async (stage) => {
    const id = stage.request.text()
    switch (turn++ % 7) {
      case 0:
        return stage.reset()
      case 1:
        return (stage.head(200), stage.write(id.slice(0, 3)), stage.cut())
      case 2:
        return stage.raw(`HTTP/1.1 200 OK\r\ncontent-length: ${id.length}\r\n\r\n${id}surplus`)
      case 3:
        return (stage.reply(200, {}, id), void setImmediate(() => stage.cut()))
      case 4:
        return (stage.head(200), stage.write(id.slice(0, 3))) // and then silence: its caller leaves
      case 5:
        return (stage.head(200), stage.write(id.slice(0, 3)), await Bun.sleep(1), stage.write(id.slice(3)), stage.end())
      default:
        return stage.reply(200, { 'keep-alive': 'timeout=5' }, id)
    }
  })
  const send = sender()
  async function ask(id: string): Promise<string> {
    const gone = new AbortController()
    const reply = await send(post(provider.url, { body: id, signal: gone.signal }))
    if (!reply.ok) return reply.error.kind
    const patience = setTimeout(() => gone.abort(), 100)
    const body = await new Response(reply.value.body).text().catch(() => 'broken')
    clearTimeout(patience)
    return body
  }
  const ids = Array.from({ length: 400 }, (_, index) => `request ${index} ${'x'.repeat(index)}`)
  const waiting = [...ids]
  const answers: (readonly [string, string])[] = []
  const callers = Array.from({ length: 20 }, async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) answers.push([id, await ask(id)])
  })
  await Promise.all(callers)
  expect(answers).toHaveLength(ids.length)
  for (const [id, answer] of answers) expect([id, 'broken', 'server']).toContain(answer)
  expect(answers.filter(([id, answer]) => id === answer).length).toBeGreaterThan(150)
})
