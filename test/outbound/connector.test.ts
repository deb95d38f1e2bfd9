import { afterAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { FailureKind } from '../../src/core/failure.ts'
import { makeSend, type SendDeps } from '../../src/outbound/connector.ts'
import { makeIsOwnListener } from '../../src/outbound/own-listeners.ts'
import type { ConnectionPolicy, OutboundRequest } from '../../src/outbound/transport.ts'
import { HandClock } from '../support/clock.ts'
import { json, text } from '../support/plays.ts'
import { closedPort, playProvider } from '../support/provider.ts'

const OWNER = { kind: 'owner', allowPrivateNetwork: false } as const
const LAN = { kind: 'owner', allowPrivateNetwork: true } as const
const PUBLIC = { kind: 'public' } as const
const TRUSTED = { kind: 'trusted' } as const

const provider = playProvider()
provider.otherwise(json({ fine: true }))
afterAll(() => provider.stop())

function sender(deps: Partial<SendDeps> = {}) {
  return makeSend({
    clock: new HandClock(),
    lookup: async () => ['127.0.0.1'],
    proxy: undefined,
    isOwnListener: () => false,
    portsAllowed: new Set(),
    ...deps,
  })
}

function requestTo(url: string, policy: ConnectionPolicy, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: 'GET', url, headers: {}, signal: new AbortController().signal, policy, connectMs: 2000, ...more }
}

/** Sends and reports the failure's kind, or the status. */
async function check(
  url: string,
  policy: ConnectionPolicy,
  deps: Partial<SendDeps> = {},
): Promise<FailureKind | number> {
  const reply = await sender(deps)(requestTo(url, policy))
  if (!reply.ok) return reply.error.kind
  await reply.value.discard()
  return reply.value.status
}

const port = provider.port

test.each<[string, ConnectionPolicy, FailureKind | number]>([
  [`http://127.0.0.1:${port}/`, LAN, 200],
  [`http://localhost:${port}/`, LAN, 200],
  [`http://[::ffff:127.0.0.1]:${port}/`, LAN, 200],
  [`http://127.0.0.1:${port}/`, OWNER, 'forbidden'],
  [`http://127.0.0.1:${port}/`, PUBLIC, 'forbidden'],
  [`http://127.0.0.1:${port}/`, TRUSTED, 'forbidden'],
  ['https://127.0.0.1/', OWNER, 'forbidden'],
  ['https://10.0.0.1/', PUBLIC, 'forbidden'],
  ['https://2130706433/', PUBLIC, 'forbidden'],
  ['https://0x7f.1/', PUBLIC, 'forbidden'],
  ['https://0177.0.0.1/', PUBLIC, 'forbidden'],
  ['https://[::1]/', PUBLIC, 'forbidden'],
  ['https://[::ffff:7f00:1]/', PUBLIC, 'forbidden'],
  ['https://[64:ff9b::7f00:1]/', PUBLIC, 'forbidden'],
  ['http://8.8.8.8/', LAN, 'forbidden'],
  ['http://169.254.169.254/latest/meta-data', LAN, 'forbidden'],
  ['http://100.100.100.200/', LAN, 'forbidden'],
  ['http://[fd00:ec2::254]/', LAN, 'forbidden'],
  ['http://[fe80::1]/', LAN, 'forbidden'],
  ['http://0.0.0.0:8080/', LAN, 'forbidden'],
  ['http://[::]:8080/', LAN, 'forbidden'],
  ['http://224.0.0.1/', LAN, 'forbidden'],
  ['http://127.0.0.1:22/', LAN, 'forbidden'],
  ['http://127.0.0.1:6379/', LAN, 'forbidden'],
  [`http://user:pass@127.0.0.1:${port}/`, LAN, 'forbidden'],
  ['ftp://127.0.0.1/', LAN, 'forbidden'],
  ['file:///etc/passwd', LAN, 'forbidden'],
  ['unix:/run/docker.sock', LAN, 'forbidden'],
  ['data:text/plain,hello', PUBLIC, 'forbidden'],
  ['not a url', LAN, 'forbidden'],
])('%s under %j gives %p', async (url, policy, expected) => {
  expect(await check(url, policy)).toBe(expected)
})

const GOOD = '93.184.216.34'
test.each<[string, readonly string[], ConnectionPolicy]>([
  ['one private address among good ones', [GOOD, '10.0.0.1', '1.1.1.1'], PUBLIC],
  ['one private address among good ones', [GOOD, '10.0.0.1'], OWNER],
  ['a metadata address after a LAN one', ['192.168.1.2', '169.254.169.254'], LAN],
  ['a wrapped loopback address', ['::ffff:127.0.0.1'], OWNER],
  ['text that is no address', ['fe80::1%eth0'], LAN],
])('a name that resolves to %s is refused as a whole', async (_, addresses, policy) => {
  expect(await check('https://example.com/', policy, { lookup: async () => addresses })).toBe('forbidden')
})

test('a name on the internet is not called over plain http, even with the LAN opt-in', async () => {
  expect(await check('http://example.com/', LAN, { lookup: async () => [GOOD] })).toBe('forbidden')
})

test('the address that was checked is dialled, and the provider sees the name', async () => {
  const send = sender({ lookup: async () => ['127.0.0.1'] })
  const reply = await send(requestTo(`http://models.example:${port}/v1`, LAN, { headers: { Host: 'evil.example' } }))
  expect(reply.ok && reply.value.status).toBe(200)
  expect(provider.requests.at(-1)?.headers['host']).toBe(`models.example:${port}`)
})

test('a name that is bound to another address later is checked again', async () => {
  const clock = new HandClock()
  let answer = ['127.0.0.1']
  const send = sender({ clock, lookup: async () => answer })
  const request = requestTo(`http://rebound.example:${port}/`, LAN)
  expect((await send(request)).ok).toBe(true)
  answer = ['169.254.169.254']
  expect((await send(request)).ok).toBe(true) // the remembered answer, which was checked, is what is dialled
  clock.advance(60_000)
  expect(await send(request)).toMatchObject({ ok: false, error: { kind: 'forbidden' } })
})

test('withdrawing the LAN opt-in counts from the next request', async () => {
  const send = sender()
  expect((await send(requestTo(`http://box.example:${port}/`, LAN))).ok).toBe(true)
  expect(await send(requestTo(`http://box.example:${port}/`, OWNER))).toMatchObject({ error: { kind: 'forbidden' } })
})

test('an address that refuses gives way to the next one of the same name', async () => {
  const reply = await check(`http://box.example:${port}/`, LAN, {
    lookup: async () => ['127.9.9.9', '::1', '127.0.0.1'],
  })
  expect(reply).toBe(200)
})

test('own listeners are refused under every spelling of this machine', async () => {
  const isOwnListener = makeIsOwnListener(
    () => [port],
    () => ['192.168.7.7'],
  )
  for (const host of ['127.0.0.1', '127.5.5.5', '[::1]', '192.168.7.7', '[::ffff:192.168.7.7]', '[::ffff:127.0.0.1]']) {
    expect(await check(`http://${host}:${port}/`, LAN, { isOwnListener })).toBe('forbidden')
  }
  expect(isOwnListener('192.168.7.8', port)).toBe(false)
  expect(isOwnListener('127.0.0.1', port + 1)).toBe(false)
})

test('a blocked port that the owner lists is called', async () => {
  const blocked = await check('http://127.0.0.1:6000/', LAN, { portsAllowed: new Set([6000]) })
  expect(blocked).toBe('connect')
})

test('an unknown name is a connect failure that says so', async () => {
  const reply = await sender({ lookup: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })) })(
    requestTo('https://nowhere.example/v1/secret-path?key=abc', OWNER),
  )
  expect(reply).toMatchObject({ ok: false, error: { kind: 'connect', message: expect.stringContaining('unknown') } })
  expect(JSON.stringify(reply)).not.toContain('secret-path')
  expect(JSON.stringify(reply)).not.toContain('abc')
})

test('a name server that does not answer is a timeout', async () => {
  const clock = new HandClock()
  const reply = sender({ clock, lookup: () => new Promise(() => {}) })(requestTo('https://slow.example/', OWNER))
  clock.advance(2000)
  expect(await reply).toMatchObject({ ok: false, error: { kind: 'timeout' } })
})

test('a caller that leaves during the look-up is heard', async () => {
  const gone = new AbortController()
  const reply = sender({ lookup: () => new Promise(() => {}) })(
    requestTo('https://slow.example/', OWNER, { signal: gone.signal }),
  )
  gone.abort()
  expect(await reply).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
})

test('callers that come together ask the name server once', async () => {
  let asked = 0
  const send = sender({ lookup: async () => (asked++, ['127.0.0.1']) })
  const replies = await Promise.all([1, 2, 3].map(() => send(requestTo(`http://box.example:${port}/`, LAN))))
  expect(replies.map((reply) => reply.ok)).toEqual([true, true, true])
  expect(asked).toBe(1)
})

test('a provider with a private address gives a stranger no detail of the network in the message', async () => {
  const reply = await sender({ lookup: async () => ['10.1.2.3'] })(requestTo('https://inside.example/', PUBLIC))
  expect(reply).toMatchObject({ error: { message: 'The address is not one of the public internet.' } })
})

test.each([
  ['x-bad', 'a\r\nhost: evil'],
  ['x-bad', 'nul\0'],
  ['bad name', 'a'],
  ['', 'a'],
])('the header %j: %j is not sent', async (name, value) => {
  const reply = await sender()(requestTo(`${provider.url}/`, LAN, { headers: { [name]: value } }))
  expect(reply).toMatchObject({ ok: false, error: { kind: 'connect' } })
})

test('no URL makes it throw', async () => {
  const send = sender({ lookup: () => Promise.reject(new Error('no names here')) })
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.webUrl(), fc.string()), async (url) => {
      expect((await send(requestTo(url, PUBLIC))).ok).toBe(false)
    }),
  )
})

test('through a proxy the whole URL goes to it, and nothing is dialled directly', async () => {
  const proxy = playProvider([(stage) => stage.cut()])
  const config = { https: proxy.url, no: [] }
  const reply = await sender({ proxy: config })(requestTo('https://api.example.com/v1?secret=1', TRUSTED))
  expect(reply.ok).toBe(false)
  expect(proxy.requests[0]).toMatchObject({ method: 'CONNECT', path: 'api.example.com:443' })
  proxy.stop()
})

test.each<[string, ConnectionPolicy, FailureKind]>([
  ['https://intranet/', LAN, 'forbidden'],
  ['https://box.local/', LAN, 'forbidden'],
  ['https://metadata.google.internal/', OWNER, 'forbidden'],
  ['https://10.0.0.1.nip.example/', PUBLIC, 'connect'],
  ['https://10.0.0.1/', PUBLIC, 'forbidden'],
  ['http://api.example.com/', LAN, 'forbidden'],
])('through a proxy, %s under %j gives %p', async (url, policy, expected) => {
  const proxy = `http://127.0.0.1:${closedPort()}`
  expect(await check(url, policy, { proxy: { all: proxy, no: [] } })).toBe(expected)
})

test('with a proxy set, a local provider with the LAN opt-in is still called directly', async () => {
  const proxy = { all: `http://127.0.0.1:${closedPort()}`, no: [] }
  expect(await check(`http://127.0.0.1:${port}/`, LAN, { proxy })).toBe(200)
  expect(await check(`http://localhost:${port}/`, LAN, { proxy })).toBe(200)
})

test('a proxy at a metadata address is refused', async () => {
  const proxy = { all: 'http://169.254.169.254:3128', no: [] }
  const reply = await sender({ proxy })(requestTo('https://api.example.com/', TRUSTED))
  expect(reply).toMatchObject({ error: { kind: 'connect', message: expect.stringContaining('never called') } })
})

test.each<[string, boolean]>([
  ['*', true],
  ['models.example', true],
  ['.models.example', true],
  ['*.models.example', true],
  ['example', true],
  [`models.example:${port}`, true],
  ['models.example:1', false],
  ['odels.example', false],
  ['10.0.0.0/8', false],
  ['', false],
])('NO_PROXY %j lets models.example go direct: %p', async (entry, direct) => {
  const proxy = { all: `http://127.0.0.1:${closedPort()}`, no: [entry] }
  const outcome = await check(`http://models.example:${port}/`, LAN, { proxy })
  expect(outcome).toBe(direct ? 200 : 'forbidden')
})

test('a redirect comes back as it is, and nobody follows it with the credentials', async () => {
  const elsewhere = playProvider()
  provider.play(text('', 307, { location: `${elsewhere.url}/steal` }))
  const reply = await sender()(requestTo(`${provider.url}/`, LAN, { headers: { 'x-api-key': 'secret' } }))
  expect(reply.ok && reply.value.status).toBe(307)
  expect(elsewhere.requests).toHaveLength(0)
  elsewhere.stop()
})
