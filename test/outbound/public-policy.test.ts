/** What a stranger may have the gateway call: names and addresses of the public internet over https, and nothing else. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { FailureKind } from '../../src/core/failure.ts'
import { classify } from '../../src/outbound/address.ts'
import { makeSend, type SendDeps } from '../../src/outbound/connector.ts'
import { makeIsOwnListener } from '../../src/outbound/own-listeners.ts'
import type { OutboundRequest, Send } from '../../src/outbound/transport.ts'
import { HandClock } from '../support/clock.ts'
import { INTERNET, playInternet } from '../support/internet.ts'
import { text } from '../support/plays.ts'
import { closedPort } from '../support/provider.ts'

const host = playInternet()
host.otherwise(text('fine'))
afterAll(() => host.stop())

function sender(deps: Partial<SendDeps> = {}): Send {
  return makeSend({
    clock: new HandClock(),
    ...INTERNET,
    proxy: undefined,
    isOwnListener: () => false,
    portsAllowed: new Set(),
    ...deps,
  })
}

function get(url: string): OutboundRequest {
  const signal = new AbortController().signal
  return { method: 'GET', url, headers: {}, signal, policy: { kind: 'public' }, connectMs: 2_000 }
}

/** Sends and reports the failure's kind, or the status. */
async function check(url: string, deps: Partial<SendDeps> = {}): Promise<FailureKind | number> {
  const reply = await sender(deps)(get(url))
  if (!reply.ok) return reply.error.kind
  await reply.value.discard()
  return reply.value.status
}

/** Hosts as a stranger may spell them; the URL parser knows many more spellings of an address than we do. */
const FORBIDDEN_HOSTS: readonly (readonly [what: string, ...hosts: string[]])[] = [
  ['loopback', '127.0.0.1', '127.0.0.1.', '127.1', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ['loopback in one number', '2130706433', '0x7f000001', '017700000001'],
  ['loopback in octal and hexadecimal', '0177.0.0.1', '0x7f.0.0.1', '0x7f.1', '0177.1'],
  ['loopback in other digits and escapes', '１２７.0.0.1', '①②⑦.0.0.1', '%31%32%37.0.0.1', '127。0。0。1'],
  ['a private block', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '[fd12:3456::1]'],
  ['the shared block', '100.64.0.1', '100.127.255.255'],
  ['link-local', '169.254.0.1', '169.254.169.254', '[fe80::1]', '[febf::1]', '[fe80::a9fe:a9fe]'],
  ['site-local, retired', '[fec0::1]', '[feff::1]'],
  ['a metadata service', '100.100.100.200', '168.63.129.16', '192.0.0.192', '[fd00:ec2::254]', '[fd20:ce::254]'],
  ['unspecified', '0.0.0.0', '0', '[::]', '0.1.2.3'],
  ['multicast', '224.0.0.1', '239.255.255.255', '[ff02::1]', '[ff0e::1]'],
  ['broadcast and reserved', '255.255.255.255', '240.0.0.1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
  ['benchmarking', '198.18.0.1', '198.19.255.255', '[2001:2::1]'],
  ['IETF assignments', '192.0.0.1', '192.0.0.170', '192.88.99.1', '[2001::1]'],
  ['mapped', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::FFFF:10.0.0.1]'],
  ['compatible and translated', '[::127.0.0.1]', '[::8.8.8.8]', '[::ffff:0:10.0.0.1]'],
  ['behind NAT64', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::a9fe:a9fe]'],
  ['behind NAT64 with the local prefix', '[64:ff9b:1::7f00:1]', '[64:ff9b:1::8.8.8.8]'],
  ['behind 6to4', '[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:808:808::1]'],
  ['behind Teredo', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:0:7f00:1::]'],
  ['behind ISATAP', '[2a00:1450::5efe:10.0.0.1]', '[2a00:1450::200:5efe:7f00:1]'],
  ['nobody’s', '[100::1]', '[100:0:0:1::1]', '[4000::1]', '[5f00::1]', '[a000::1]'],
]

describe.each(FORBIDDEN_HOSTS)('an address that is %s is not called', (_, ...hosts) => {
  test.each(hosts)('%s', async (spelling) => expect(await check(`https://${spelling}/`)).toBe('forbidden'))
})

test.each([
  'http://files.example/',
  'http://8.8.8.8/',
  'ftp://files.example/',
  'file:///etc/passwd',
  'gopher://files.example/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'blob:https://files.example/1',
  'https://user@files.example/',
  'https://user:password@files.example/',
  'https://:password@files.example/',
  'https://[fe80::1%25eth0]/',
  'https://[::1',
  'https://',
  'files.example',
  '//files.example/',
  '',
])('%p is no address that is called', async (url) => expect(await check(url)).toBe('forbidden'))

test.each([0, 1, 22, 23, 25, 53, 110, 143, 445, 465, 587, 993, 1433, 2375, 2379, 3306, 5432, 6379, 9200, 10250, 11211])(
  'port %i is not called, wherever it is',
  async (port) => expect(await check(`https://files.example:${port}/`)).toBe('forbidden'),
)

const GOOD = '93.184.216.34'
test.each<[string, readonly string[]]>([
  ['loopback', ['127.0.0.1']],
  ['a private address behind a good one', [GOOD, '10.0.0.1']],
  ['a private address between good ones', [GOOD, 'fd00::1', '1.1.1.1']],
  ['metadata behind many good ones', [...Array<string>(15).fill(GOOD), '169.254.169.254']],
  ['a mapped address', ['::ffff:192.168.0.1']],
  ['an address with a zone', ['fe80::1%eth0']],
  ['no address at all', ['not an address']],
])('a name whose answers hold %s is refused as a whole', async (_, answers) => {
  expect(await check('https://files.example/', { lookup: async () => answers, classOf: classify })).toBe('forbidden')
})

describe('behind the checks', () => {
  test('a name of the internet is called, under its own certificate and name', async () => {
    expect(await check(`https://models.example:${host.port}/a?b=c`)).toBe(200)
    expect(host.requests.at(-1)).toMatchObject({ path: '/a?b=c' })
    expect(host.requests.at(-1)?.headers['host']).toBe(`models.example:${host.port}`)
  })

  test('a host that cannot prove its name is not given the request', async () => {
    const before = host.requests.length
    expect(await check(`https://other.example:${host.port}/`)).toBe('connect')
    expect(host.requests).toHaveLength(before)
  })

  test('a name is looked up once, and what was checked is what is dialled', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.9']]
    let asked = 0
    const lookup = async () => answers[asked++] ?? []
    expect(await check(`https://models.example:${host.port}/`, { lookup })).toBe(200)
    expect(asked).toBe(1)
  })

  test('a redirect comes back as it is', async () => {
    host.play(text('', 302, { location: 'https://10.0.0.1/' }))
    expect(await check(`https://models.example:${host.port}/`)).toBe(302)
  })
})

test('a name that turns to a private address later is refused then', async () => {
  const clock = new HandClock()
  let answer = '127.0.0.1'
  const classOf = (address: string) => (address === '127.0.0.1' ? 'global' : classify(address))
  const send = sender({ clock, lookup: async () => [answer], classOf })
  const url = `https://models.example:${host.port}/`
  expect(await send(get(url))).toMatchObject({ ok: true })
  answer = '192.168.0.1'
  clock.advance(60_000)
  expect(await send(get(url))).toMatchObject({ ok: false, error: { kind: 'forbidden' } })
})

test('the gateway does not call itself, whatever its own address is', async () => {
  const isOwnListener = makeIsOwnListener(
    () => [host.port],
    () => ['127.0.0.1'],
  )
  expect(await check(`https://models.example:${host.port}/`, { isOwnListener })).toBe('forbidden')
})

test.each([
  'https://intranet/',
  'https://box.local/',
  'https://metadata.google.internal/',
  'https://localhost/',
  'https://10.0.0.1/',
  'https://[::1]/',
  'http://files.example/',
])('a proxy, which looks names up by itself, is not handed %s', async (url) => {
  const proxy = { all: `http://127.0.0.1:${closedPort()}`, no: [] }
  expect(await check(url, { proxy })).toBe('forbidden')
})

test('what is refused says nothing of our network', async () => {
  const reply = await sender({ lookup: async () => ['10.1.2.3'], classOf: classify })(get('https://inside.example/'))
  expect(reply).toMatchObject({ error: { message: 'The address is not one of the public internet.' } })
})
