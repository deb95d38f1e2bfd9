import { afterEach, describe, expect, test } from 'bun:test'
import type { Log } from '../../src/core/log.ts'
import type { AddressClass } from '../../src/outbound/address.ts'
import { makeSend, type SendDeps } from '../../src/outbound/connector.ts'
import { ExitPool, type ExitPoolRules } from '../../src/outbound/exits/exit-pool.ts'
import { parseExit, type Exit } from '../../src/outbound/exits/exit.ts'
import { ObservedExits } from '../../src/outbound/exits/observed.ts'
import type { ConnectionPolicy, OutboundRequest } from '../../src/outbound/transport.ts'
import { HandClock } from '../support/clock.ts'
import { addressOf, INTERNET, playInternet } from '../support/internet.ts'
import { json, stream, text } from '../support/plays.ts'
import { playProxy, type PlayedProxy, type ProxyFault, type ProxyOptions } from '../support/proxy.ts'
import { closedPort, playProvider, type Play, type Provider } from '../support/provider.ts'
import { seededRandom } from '../support/random.ts'
import { until } from '../support/until.ts'

const LAN = { kind: 'owner', allowPrivateNetwork: true } as const
const TRUSTED = { kind: 'trusted' } as const
const PUBLIC = { kind: 'public' } as const
const PASSWORD = 'hunter2-is-not-a-password'
const LOGIN = { user: 'ann', password: PASSWORD }

const ended: { stop(): void }[] = []
afterEach(() => ended.splice(0).forEach((one) => one.stop()))

function internet(...script: readonly Play[]): Provider {
  const provider = playInternet(script)
  provider.otherwise(json({ fine: true }))
  ended.push(provider)
  return provider
}

async function proxy(options: ProxyOptions): Promise<PlayedProxy> {
  const played = await playProxy(options)
  ended.push(played)
  return played
}

function exitAt(url: string): Exit {
  const exit = parseExit(url)
  if (!exit.ok) throw new Error(exit.error)
  return exit.value
}

interface World {
  readonly clock: HandClock
  readonly observed: ObservedExits
  readonly lines: string[]
}

function world(): World {
  const clock = new HandClock()
  const observed = new ObservedExits(clock)
  return { clock, observed, lines: [] }
}

function poolOf(
  urls: readonly string[],
  { clock, observed, lines }: World,
  rules: Partial<ExitPoolRules> = {},
): ExitPool {
  const log: Log = { write: (...event) => void lines.push(JSON.stringify(event)) }
  const exits = urls.map((url) => ({ exit: exitAt(url), weight: 1 }))
  const by = 'The proxy pool "EU"'
  const usual = { by, strategy: 'sticky_account', strict: true, bypass: [], exits } as const
  return new ExitPool({ ...usual, ...rules }, { observed, clock, random: seededRandom(1), log })
}

function sender(pool: ExitPool, { clock }: World, deps: Partial<SendDeps> = {}, isNamed = true) {
  return makeSend({
    ...INTERNET,
    clock,
    proxy: undefined,
    exitsFor: () => ({ exits: pool, isNamed }),
    isOwnListener: () => false,
    portsAllowed: new Set(),
    ...deps,
  })
}

function get(url: string, policy: ConnectionPolicy = TRUSTED, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: 'GET', url, headers: {}, signal: new AbortController().signal, policy, connectMs: 5_000, ...more }
}

/** Status and body, or kind and message. */
async function check(
  urls: readonly string[],
  request: OutboundRequest,
  {
    rules = {},
    deps = {},
    of = world(),
  }: { rules?: Partial<ExitPoolRules>; deps?: Partial<SendDeps>; of?: World } = {},
): Promise<string> {
  const reply = await sender(poolOf(urls, of, rules), of, deps)(request)
  if (!reply.ok) {
    expect(JSON.stringify(reply.error)).not.toContain(PASSWORD)
    return `${reply.error.kind}: ${reply.error.message}`
  }
  return `${reply.value.status} ${await new Response(reply.value.body).text()}`
}

describe.each<[string, ProxyOptions, string]>([
  ['an HTTP proxy', { kind: 'http' }, 'http'],
  ['an HTTP proxy with a login', { kind: 'http', login: LOGIN }, 'http'],
  ['an HTTPS proxy', { kind: 'https' }, 'https'],
  ['an HTTPS proxy with a login', { kind: 'https', login: LOGIN }, 'https'],
  ['a SOCKS5 proxy', { kind: 'socks5' }, 'socks5h'],
  ['a SOCKS5 proxy with a login', { kind: 'socks5', login: LOGIN }, 'socks5h'],
])('through %s', (_, options, scheme) => {
  const urlOf = (played: PlayedProxy) => played.url(scheme, scheme === 'https' ? 'models.example' : '127.0.0.1')

  test('the provider is reached, proves its identity, and the proxy is handed its name', async () => {
    const [provider, played] = [internet(), await proxy(options)]
    expect(await check([urlOf(played)], get(addressOf(provider, '/v1?a=b')))).toBe('200 {"fine":true}')
    expect(played.asked).toEqual([`models.example:${provider.port}`])
    expect(provider.requests[0]).toMatchObject({
      path: '/v1?a=b',
      headers: { host: `models.example:${provider.port}` },
    })
    expect(Object.keys(provider.requests[0]?.headers ?? {})).not.toContain('proxy-authorization')
  })

  test('a large body arrives whole, and a large answer comes back whole', async () => {
    const [body, answer] = ['a'.repeat(3_000_000), 'b'.repeat(3_000_000)]
    const [provider, played] = [internet(text(answer)), await proxy(options)]
    const request = get(addressOf(provider, '/'), TRUSTED, { method: 'POST', body })
    expect(await check([urlOf(played)], request)).toBe(`200 ${answer}`)
    expect(provider.requests[0]?.body.length).toBe(body.length)
  })

  test('a connection is used again by the same exit', async () => {
    const [provider, played, of] = [internet(), await proxy(options), world()]
    const send = sender(poolOf([urlOf(played)], of), of)
    for (let call = 0; call < 3; call++) {
      const reply = await send(get(addressOf(provider, '/')))
      expect(reply.ok && (await new Response(reply.value.body).text())).toBe('{"fine":true}')
    }
    expect([played.accepted, provider.accepted, provider.requests.length]).toEqual([1, 1, 3])
  })

  test('a stream comes piece by piece, and giving it up closes every connection', async () => {
    const [provider, played, of] = [internet(stream(['one', 'silence'])), await proxy(options), world()]
    const reply = await sender(poolOf([urlOf(played)], of), of)(get(addressOf(provider, '/')))
    if (!reply.ok) throw new Error(reply.error.message)
    const piece = await reply.value.body?.getReader().read()
    expect(Buffer.from(piece?.value ?? []).toString()).toBe('one')
    await reply.value.discard()
    await until(() => played.open === 0 && provider.open === 0)
  })

  test('somebody else who answers for the provider is not believed', async () => {
    const [provider, played] = [internet(), await proxy(options)]
    const other = addressOf(provider, '/').replace('models.example', 'other.example')
    expect(await check([urlOf(played)], get(other))).toContain('led to a host that could not prove to be the provider')
    expect(provider.requests).toEqual([])
  })

  test('a proxy that hangs is given up when time is up, and its connection closed', async () => {
    const [provider, played, of] = [internet(), await proxy({ ...options, fault: { at: 'connect' } }), world()]
    const outcome = check([urlOf(played)], get(addressOf(provider, '/')), { of })
    await until(() => played.failed === 1)
    of.clock.advance(5_000)
    expect(await outcome).toBe(
      'connect: The proxy pool "EU" did not reach the provider: an exit did not answer in time.',
    )
    await until(() => played.open === 0)
  })

  test('a client that leaves during the handshake closes its connection', async () => {
    const [provider, played] = [internet(), await proxy({ ...options, fault: { at: 'connect' } })]
    const abort = new AbortController()
    const outcome = check([urlOf(played)], get(addressOf(provider, '/'), TRUSTED, { signal: abort.signal }))
    await until(() => played.failed === 1)
    abort.abort()
    expect(await outcome).toStartWith('cancelled')
    await until(() => played.open === 0)
  })
})

const http = (says: string): ProxyFault => ({ at: 'connect', says })
const socks = (at: ProxyFault['at'], ...says: readonly number[]): ProxyFault => ({ at, says: Uint8Array.from(says) })

test.each<[string, ProxyOptions, string]>([
  [
    'status 502',
    { kind: 'http', fault: http('HTTP/1.1 502 Bad\r\n\r\n') },
    'could not connect to the provider (status 502)',
  ],
  [
    'status 403',
    { kind: 'http', fault: http('HTTP/1.1 403 No\r\n\r\n') },
    'does not allow connections to the provider (status 403)',
  ],
  [
    'a redirect',
    { kind: 'http', fault: http('HTTP/1.1 302 See\r\n\r\n') },
    'refused to connect to the provider (status 302)',
  ],
  [
    'a change of protocol without end',
    { kind: 'http', fault: http('HTTP/1.1 100 \r\n\r\nSSH-2.0') },
    'did not answer as an HTTP proxy does',
  ],
  ['another protocol', { kind: 'http', fault: http('SSH-2.0-x\r\n') }, 'did not answer as an HTTP proxy does'],
  [
    'a head without end',
    { kind: 'http', fault: http(`HTTP/1.1 200 ok\r\nx: ${'y'.repeat(20_000)}`) },
    'did not answer as an HTTP proxy does',
  ],
  [
    '200 and then garbage',
    { kind: 'http', fault: http('HTTP/1.1 200 ok\r\n\r\nnobody asked') },
    'sent something that nobody asked for',
  ],
  ['a close', { kind: 'http', fault: { at: 'connect', closes: true } }, 'closed the connection'],
  [
    '200 and then a close',
    { kind: 'http', fault: { ...http('HTTP/1.1 200 ok\r\n\r\n'), closes: true } },
    'closed the connection to the provider',
  ],
  [
    'HTTP',
    { kind: 'socks5', fault: { at: 'greeting', says: 'HTTP/1.1 400 Bad\r\n\r\n' } },
    'did not answer as a SOCKS5 proxy does',
  ],
  ['no method', { kind: 'socks5', fault: socks('greeting', 5, 255) }, 'does not accept the credentials'],
  ['surplus', { kind: 'socks5', fault: socks('greeting', 5, 0, 7) }, 'sent something that nobody asked for'],
  ['reply 1', { kind: 'socks5', fault: socks('connect', 5, 1, 0, 1, 0, 0, 0, 0, 0, 0) }, 'failed without a reason'],
  ['reply 2', { kind: 'socks5', fault: socks('connect', 5, 2, 0, 1) }, 'does not allow connections to the provider'],
  ['reply 3', { kind: 'socks5', fault: socks('connect', 5, 3) }, 'has no route to the network of the provider'],
  ['reply 4', { kind: 'socks5', fault: socks('connect', 5, 4) }, 'has no route to the provider'],
  ['reply 5', { kind: 'socks5', fault: socks('connect', 5, 5) }, 'was refused by the provider'],
  ['reply 6', { kind: 'socks5', fault: socks('connect', 5, 6) }, 'did not reach the provider in time'],
  ['reply 7', { kind: 'socks5', fault: socks('connect', 5, 7) }, 'does not connect to anything'],
  ['reply 8', { kind: 'socks5', fault: socks('connect', 5, 8) }, 'does not take addresses of this kind'],
  ['reply 99', { kind: 'socks5', fault: socks('connect', 5, 99) }, 'failed in a way of its own'],
  [
    'an address of no kind',
    { kind: 'socks5', fault: socks('connect', 5, 0, 0, 9, 9) },
    'did not answer as a SOCKS5 proxy does',
  ],
])('a proxy that answers with %s (%#) is a failure to connect that names the pool', async (_, options, words) => {
  const [provider, played] = [internet(), await proxy(options)]
  const outcome = await check([played.url(options.kind === 'http' ? 'http' : 'socks5h')], get(addressOf(provider, '/')))
  expect(outcome).toStartWith('connect: The proxy pool "EU" did not reach the provider: an exit ')
  expect(outcome).toContain(words)
  expect(provider.accepted).toBe(0)
  await until(() => played.open === 0, 'the end of every connection')
})

test.each<[string, ProxyOptions, string]>([
  ['http', { kind: 'http', login: { user: 'ann', password: 'other' } }, 'http'],
  ['socks5', { kind: 'socks5', login: { user: 'ann', password: 'other' } }, 'socks5h'],
])('a wrong login at a proxy of kind %s names the pool and never the login', async (_, options, scheme) => {
  const [provider, played] = [internet(), await proxy(options)]
  const outcome = await check([`${scheme}://ann:${PASSWORD}@127.0.0.1:${played.port}`], get(addressOf(provider, '/')))
  expect(outcome).toContain('"EU" did not reach the provider: an exit does not accept the credentials')
})

test('a proxy at which nothing listens, and one with an unknown name', async () => {
  const refused = await check([`http://127.0.0.1:${closedPort()}`], get('https://models.example/'))
  expect(refused).toBe('connect: The proxy pool "EU" did not reach the provider: an exit refused the connection.')
  const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  const unknown = await check(['http://exit.example:3128'], get('https://models.example/'), { deps: { lookup } })
  expect(unknown).toContain('an exit has a host name that is unknown')
})

test('a proxy that does not speak TLS, where TLS is expected, is at fault when time is up', async () => {
  const [played, of] = [await proxy({ kind: 'http' }), world()]
  const url = played.url('https')
  const outcome = check([url], get('https://models.example/'), { of })
  await until(() => played.accepted === 1)
  of.clock.advance(5_000)
  expect(await outcome).toContain('an exit did not answer in time')
  expect(of.observed.of(exitAt(url)).state).toBe('down')
  await until(() => played.open === 0)
})

test('an HTTPS proxy that cannot prove its own identity is not told anything', async () => {
  const [provider, played] = [internet(), await proxy({ kind: 'https', login: LOGIN })]
  const outcome = await check([played.url('https', 'other.example')], get(addressOf(provider, '/')))
  expect(outcome).toContain('an exit could not prove its identity')
  expect(played.asked).toEqual([])
})

describe('policies', () => {
  test.each<[string, ConnectionPolicy]>([
    ['https://localhost/', PUBLIC],
    ['https://10.0.0.1/', LAN],
    ['https://printer.lan/', LAN],
    ['https://metadata.internal/', PUBLIC],
    ['https://169.254.169.254/', LAN],
    ['https://[::1]/', LAN],
    ['http://models.example/', LAN],
    [`https://${'a'.repeat(250)}.example/`, TRUSTED],
  ])('a proxy that looks names up is not handed %s under %j', async (url, policy) => {
    for (const kind of ['http', 'socks5'] as const) {
      const played = await proxy({ kind })
      const exit = played.url(kind === 'http' ? 'http' : 'socks5h')
      const outcome = await check([exit], get(url, policy))
      expect(outcome).toStartWith('forbidden')
      expect(played.accepted).toBe(0)
    }
  })

  test('with socks5 the address is looked up, checked and pinned here', async () => {
    const [provider, played] = [internet(), await proxy({ kind: 'socks5' })]
    expect(await check([played.url('socks5')], get(addressOf(provider, '/')))).toBe('200 {"fine":true}')
    expect(played.asked).toEqual([`127.0.0.1:${provider.port}`])
  })

  test('with socks5 the second address of a name is tried when the exit has no way to the first', async () => {
    const [provider, played] = [internet(), await proxy({ kind: 'socks5' })]
    const lookup = async () => ['127.9.9.9', '127.0.0.1']
    const of = world()
    played.become({ at: 'connect', says: Uint8Array.of(5, 8) })
    const outcome = check([played.url('socks5')], get(addressOf(provider, '/')), { deps: { lookup }, of })
    await until(() => played.failed === 1)
    played.become(undefined)
    expect(await outcome).toBe('200 {"fine":true}')
    expect(played.asked).toEqual([`127.0.0.1:${provider.port}`])
    expect(of.observed.of(exitAt(played.url('socks5'))).state).toBe('up')
  })

  test('with socks5 a name that leads into the network is refused without the opt-in, and reached with it', async () => {
    const [provider, played] = [playProvider(), await proxy({ kind: 'socks5' })]
    provider.otherwise(json({ fine: true }))
    ended.push(provider)
    const url = `http://box.example:${provider.port}/`
    const deps = { classOf: (): AddressClass => 'private' }
    expect(await check([played.url('socks5')], get(url, LAN), { deps })).toBe('200 {"fine":true}')
    const closed = { kind: 'owner', allowPrivateNetwork: false } as const
    expect(await check([played.url('socks5')], get(url, closed), { deps })).toStartWith('forbidden')
    expect(played.accepted).toBe(1)
  })

  test.each([
    'http://169.254.169.254:3128',
    'http://0.0.0.0:3128',
    'socks5h://127.0.0.1:25',
    'http://[fd00:ec2::254]:80',
  ])('an exit at %s is never called', async (url) => {
    expect(await check([url], get('https://models.example/'))).toContain('an exit has an address that is never called')
  })

  test('an exit that is this gateway itself is never called', async () => {
    const outcome = await check(['http://127.0.0.1:4680'], get('https://models.example/'), {
      deps: { isOwnListener: (_, port) => port === 4680 },
    })
    expect(outcome).toContain('never called')
  })

  test('a local provider is called directly, unless the pool was chosen for just this account', async () => {
    const [provider, of] = [playProvider(), world()]
    provider.otherwise(json({ fine: true }))
    ended.push(provider)
    const pool = poolOf([`http://127.0.0.1:${closedPort()}`], of)
    const request = get(`${provider.url}/`, LAN)
    const deps = { classOf: (): AddressClass => 'loopback' }
    expect((await sender(pool, of, deps, false)(request)).ok).toBe(true)
    expect(await sender(pool, of, deps, true)(request)).toMatchObject({ error: { kind: 'forbidden' } })
  })
})

describe('going direct', () => {
  test('a host in no_proxy does, and leaves the exits alone', async () => {
    const [provider, played] = [internet(), await proxy({ kind: 'http' })]
    const rules = { bypass: ['models.example'] }
    expect(await check([played.url()], get(addressOf(provider, '/'), PUBLIC), { rules })).toBe('200 {"fine":true}')
    expect(played.accepted).toBe(0)
  })

  test('a strict pool whose exits are all dead never does', async () => {
    const [provider, of] = [internet(), world()]
    const urls = [`http://127.0.0.1:${closedPort()}`, `socks5h://127.0.0.1:${closedPort()}`]
    const send = sender(poolOf(urls, of), of)
    for (let call = 0; call < 4; call++) {
      expect(await send(get(addressOf(provider, '/'), PUBLIC))).toMatchObject({ error: { kind: 'connect' } })
    }
    expect(provider.accepted).toBe(0)
    expect(of.lines).toEqual([])
  })

  test('a pool that is not strict does, and says so once', async () => {
    const [provider, of] = [internet(), world()]
    const send = sender(poolOf([`http://user:${PASSWORD}@127.0.0.1:${closedPort()}`], of, { strict: false }), of)
    for (let call = 0; call < 3; call++) expect((await send(get(addressOf(provider, '/'), PUBLIC))).ok).toBe(true)
    expect(of.lines).toEqual([expect.stringContaining('has no exit that is alive: calls go direct')])
    expect(of.lines.join()).not.toContain(PASSWORD)
  })

  test('a pool that is not strict does not with a private address that no exit may be told of, dead or alive', async () => {
    const [provider, of] = [playProvider([]), world()]
    ended.push(provider)
    const dead = [`http://127.0.0.1:${closedPort()}`, `socks5h://127.0.0.1:${closedPort()}`]
    const send = sender(poolOf(dead, of, { strict: false }), of)
    for (const url of dead) of.observed.report(exitAt(url), { kind: 'failed', blame: 'exit', words: 'is down' })
    expect(await send(get(`http://127.0.0.1:${provider.port}/`, LAN))).toMatchObject({ error: { kind: 'forbidden' } })
    expect(provider.accepted).toBe(0)
  })

  test('a pool that is not strict does not when an exit works and the provider does not', async () => {
    const of = world()
    const played = await proxy({ kind: 'http', fault: http('HTTP/1.1 502 Bad\r\n\r\n') })
    const provider = internet()
    const outcome = await check([played.url()], get(addressOf(provider, '/'), PUBLIC), { of, rules: { strict: false } })
    expect(outcome).toStartWith('connect')
    expect(provider.accepted).toBe(0)
  })
})

describe('exits that fail', () => {
  test('another exit takes over, and the dead one rests', async () => {
    const [provider, played, of] = [internet(), await proxy({ kind: 'http' }), world()]
    const dead = `http://127.0.0.1:${closedPort()}`
    const rules = { strategy: 'least_latency' } as const
    expect(await check([dead, played.url()], get(addressOf(provider, '/')), { of, rules })).toStartWith('200')
    expect(of.observed.of(exitAt(dead))).toMatchObject({ state: 'down', lastError: 'the exit refused the connection' })
    expect(of.observed.of(exitAt(played.url()))).toMatchObject({ state: 'up', lastError: null })
  })

  test('at most three exits are tried for one call', async () => {
    const faults = await Promise.all(
      Array.from({ length: 5 }, () => proxy({ kind: 'http', fault: { at: 'connect', closes: true } })),
    )
    expect(
      await check(
        faults.map((one) => one.url()),
        get('https://models.example/'),
      ),
    ).toStartWith('connect')
    expect(faults.filter(({ accepted }) => accepted > 0)).toHaveLength(3)
  })

  test('a provider that cannot be reached is held against an exit only when it happens again and again', async () => {
    const of = world()
    const played = await proxy({ kind: 'http', fault: http('HTTP/1.1 504 Late\r\n\r\n') })
    const exit = exitAt(played.url())
    const send = sender(poolOf([played.url()], of), of)
    const states = []
    for (let call = 0; call < 4; call++) {
      await send(get('https://models.example/'))
      states.push(of.observed.of(exit).state)
    }
    expect(states).toEqual(['unknown', 'unknown', 'down', 'down'])
    expect(played.accepted).toBe(3)
  })

  test('after its rest an exit is tried by one call, and is back when that works', async () => {
    const [provider, played, of] = [internet(), await proxy({ kind: 'http' }), world()]
    played.become({ at: 'connect', closes: true })
    const send = sender(poolOf([played.url()], of), of)
    const exit = exitAt(played.url())
    expect((await send(get(addressOf(provider, '/')))).ok).toBe(false)
    expect(of.observed.isAlive(exit)).toBe(false)
    of.clock.advance(5_000)
    expect(of.observed.isAlive(exit)).toBe(true)
    of.observed.taken(exit)
    expect(of.observed.isAlive(exit)).toBe(false) // somebody else tries it
    of.clock.advance(10_000)
    played.become(undefined)
    expect((await send(get(addressOf(provider, '/')))).ok).toBe(true)
    expect(of.observed.of(exit).state).toBe('up')
  })

  test('each rest in a row is longer, up to five minutes', () => {
    const { clock, observed } = world()
    const exit = exitAt('http://exit.example:3128')
    const restsMs = Array.from({ length: 9 }, () => {
      observed.report(exit, { kind: 'failed', blame: 'exit', words: 'failed' })
      let restMs = 0
      for (; !observed.isAlive(exit); restMs += 1_000) clock.advance(1_000)
      return restMs
    })
    expect(restsMs).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300].map((seconds) => seconds * 1_000))
  })
})

describe('the choice', () => {
  const exits = ['a', 'b', 'c', 'd'].map((name) => `http://${name}.example:3128`)

  function firstOf(pool: ExitPool, key: string): string {
    return pool.choose(key, 1)[0]?.host ?? 'none'
  }

  function countsOf(pool: ExitPool, calls: number): Record<string, number> {
    const counts: Record<string, number> = {}
    for (let call = 0; call < calls; call++) {
      const host = firstOf(pool, 'acc_1')
      counts[host] = (counts[host] ?? 0) + 1
    }
    return counts
  }

  test('sticky_account keeps an exit for an account, spreads accounts, and moves only those whose exit is gone', () => {
    const of = world()
    const accounts = Array.from({ length: 400 }, (_, index) => `acc_${index}`)
    const [all, fewer] = [poolOf(exits, of), poolOf(exits.slice(0, 3), of)]
    const before = accounts.map((account) => firstOf(all, account))
    expect(accounts.map((account) => firstOf(all, account))).toEqual(before)
    for (const host of ['a.example', 'b.example', 'c.example', 'd.example']) {
      expect(before.filter((one) => one === host).length).toBeGreaterThan(60)
    }
    const stayed = before.filter((host) => host !== 'd.example').length
    expect(accounts.filter((account, at) => firstOf(fewer, account) === before[at]).length).toBe(stayed)
  })

  test('round_robin gives each exit its turn by its weight', () => {
    const of = world()
    const weighted = exits.slice(0, 2).map((url, at) => ({ exit: exitAt(url), weight: at === 0 ? 3 : 1 }))
    const pool = poolOf([], of, { strategy: 'round_robin', exits: weighted })
    const turns = Array.from({ length: 8 }, () => firstOf(pool, 'x')[0])
    expect(turns.join('')).toBe('aabaaaba')
  })

  test('random takes each exit by its weight', () => {
    const weighted = exits.slice(0, 2).map((url, at) => ({ exit: exitAt(url), weight: at === 0 ? 9 : 1 }))
    const counts = countsOf(poolOf([], world(), { strategy: 'random', exits: weighted }), 2_000)
    expect(counts['a.example']).toBeGreaterThan(1_700)
    expect(counts['b.example']).toBeGreaterThan(100)
  })

  test('least_latency takes what nobody has measured, then the fastest', () => {
    const of = world()
    const pool = poolOf(exits.slice(0, 3), of, { strategy: 'least_latency' })
    for (const [host, ms] of [
      ['a', 80],
      ['b', 20],
    ] as const) {
      of.observed.report(exitAt(`http://${host}.example:3128`), { kind: 'reached', ms })
    }
    expect(firstOf(pool, 'x')).toBe('c.example')
    of.observed.report(exitAt('http://c.example:3128'), { kind: 'reached', ms: 50 })
    expect(firstOf(pool, 'x')).toBe('b.example')
  })
})

test.each([
  ['ftp://a.example', 'must be an http, https, socks5 or socks5h address'],
  ['socks4://a.example', 'must be an http, https, socks5 or socks5h address'],
  ['http://a.example/path', 'must end with its port'],
  ['http://a.example?x', 'must end with its port'],
  ['socks5://', 'must name a host'],
  [`socks5://u:${'p'.repeat(256)}@a.example`, 'has a user name or password that a proxy cannot take'],
  ['http://u%0d%0a:p@a.example', 'has a user name or password that a proxy cannot take'],
  ['http://u%3Av:p@a.example', 'has a colon in the user name'],
  ['http://%ff:p@a.example', 'has a user name or password that cannot be decoded'],
])('%s is no exit', (url, why) => {
  expect(parseExit(url)).toEqual({ ok: false, error: why })
})

test('an exit is told apart by its login, and spells its address one way', () => {
  expect(exitAt('socks5h://0177.1:1080')).toMatchObject({ host: '127.0.0.1', literal: { kind: 'loopback' } })
  expect(exitAt('socks5://[::1]')).toMatchObject({ host: '::1', where: '[::1]:1080', port: 1080 })
  expect(exitAt('http://a:1@x.example').key).not.toBe(exitAt('http://a:2@x.example').key)
  expect(Bun.inspect(exitAt(`http://a:${PASSWORD}@x.example`))).not.toContain(PASSWORD)
})
