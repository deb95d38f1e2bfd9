/** Calls that leave through pools, and checks of their exits. The internet is played on loopback, the proxies are real. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../../support/app.ts'
import { addressOf, INTERNET, playInternet } from '../../support/internet.ts'
import { json, text } from '../../support/plays.ts'
import { playProxy, type PlayedProxy, type ProxyOptions } from '../../support/proxy.ts'
import { closedPort, type Provider } from '../../support/provider.ts'
import { chatReply } from '../../support/provider-bodies.ts'
import { turn, until } from '../../support/until.ts'

const PASSWORD = 'correct-horse-battery-staple'
const POOLS = '/v1/proxy-pools'
const KEY = 'sk-0123456789abcdefghij'

let bench: TestApp
let host: Provider
let proxies: PlayedProxy[]
beforeEach(async () => {
  bench = await makeApp({ internet: INTERNET, accounts: {} })
  host = playInternet()
  host.otherwise(json(chatReply('Hello')))
  proxies = []
})
afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  host.stop()
  for (const proxy of proxies) proxy.stop()
})

async function play(options: ProxyOptions = { kind: 'http' }): Promise<PlayedProxy> {
  const proxy = await playProxy(options)
  proxies.push(proxy)
  return proxy
}

let names = 0
async function pool(urls: readonly string[], more: object = {}): Promise<string> {
  const endpoints = urls.map((url) => ({ url }))
  const answer = await bench.owner('POST', POOLS, { name: `pool ${++names}`, endpoints, ...more })
  expect(answer.status).toBe(201)
  return answer.body.data.id
}

async function account(more: object = {}): Promise<string> {
  const base_url_override = addressOf(host, '/v1')
  const body = { provider: 'openai', credentials: { api_key: KEY }, base_url_override, ...more }
  const answer = await bench.owner('POST', '/v1/accounts', body)
  expect(answer.status).toBe(201)
  return answer.body.data.id
}

const ask = () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  return bench.ask('/v1/chat/completions', { body: { model: 'openai/gpt-5-mini', messages } })
}

async function statusOf(id: string) {
  return (await bench.owner('GET', `${POOLS}/${id}`)).body.data.status
}

describe('a request', () => {
  test('leaves through the pool of its account, and says nothing of the exit', async () => {
    const proxy = await play({ kind: 'http', login: { user: 'ann', password: PASSWORD } })
    await account({ proxy_pool_id: await pool([proxy.url()]) })
    expect((await ask()).status).toBe(200)
    expect(proxy.asked).toEqual([`models.example:${host.port}`])
    expect(JSON.stringify(host.requests[0]?.headers)).not.toContain('proxy')
  })

  test('that no exit lets out fails as one to connect: the account is not touched, and no login is written down', async () => {
    const proxy = await play({ kind: 'http', login: { user: 'ann', password: 'other' } })
    const url = `http://ann:${PASSWORD}@127.0.0.1:${proxy.port}`
    const id = await account({ proxy_pool_id: await pool([url], { name: 'EU' }) })
    const answer = await ask()
    expect([answer.status, answer.body.error.code]).toEqual([502, 'upstream_unreachable'])
    expect(answer.body.error.message).toContain('The proxy pool "EU" did not reach the provider')
    const [row] = await bench.rows()
    expect(row?.attempts).toMatchObject([{ class: 'connect', account: id }])
    const shown = (await bench.owner('GET', `/v1/accounts/${id}`)).body.data
    expect([shown.status, shown.cooldowns]).toEqual(['untested', []])
    expect(host.accepted).toBe(0)
    const console = await bench.owner('GET', '/v1/console?limit=100')
    expect(JSON.stringify([answer.body, row, shown, bench.log, console.body])).not.toContain(PASSWORD)
  })

  test('by dead exits, however often, is not held against the provider', async () => {
    const alive = await play()
    const dead = `http://127.0.0.1:${closedPort()}`
    const id = await account({ proxy_pool_id: await pool([dead]) })
    for (let call = 0; call < 12; call++) expect((await ask()).status).toBe(502)
    await bench.owner('PATCH', `/v1/accounts/${id}`, { proxy_pool_id: await pool([alive.url()]) })
    expect((await ask()).status).toBe(200)
    expect((await bench.owner('GET', '/v1/system/stats')).body.data.circuit_open).toEqual([])
  })

  test('goes by the account before the provider before all', async () => {
    const [own, ofProvider, ofAll] = [await play(), await play(), await play()]
    const asked = () => [own.asked.length, ofProvider.asked.length, ofAll.asked.length]
    const ownPool = await pool([own.url()])
    const id = await account({ proxy_pool_id: ownPool })
    await pool([ofAll.url()], { scope: 'global' })
    await ask()
    expect(asked()).toEqual([1, 0, 0])
    await bench.owner('PATCH', `/v1/accounts/${id}`, { proxy_pool_id: null })
    await ask()
    expect(asked()).toEqual([1, 0, 1])
    await pool([ofProvider.url()], { scope: 'provider:openai' })
    await ask()
    expect(asked()).toEqual([1, 1, 1])
    await bench.owner('PATCH', `/v1/accounts/${id}`, { proxy_pool_id: 'direct' })
    expect((await ask()).status).toBe(200)
    expect(asked()).toEqual([1, 1, 1])
  })

  test('to a custom provider leaves through the pool that the provider names', async () => {
    const proxy = await play()
    const dialects = [{ dialect: 'openai_chat', base_url: addressOf(host, '/v1') }]
    const provider = { slug: 'mine', dialects, proxy_pool_id: await pool([proxy.url()]) }
    expect((await bench.owner('POST', '/v1/custom-providers', provider)).status).toBe(201)
    await account({ provider: 'mine', base_url_override: null })
    const messages = [{ role: 'user', content: 'Hi' }]
    expect((await bench.ask('/v1/chat/completions', { body: { model: 'mine/m', messages } })).status).toBe(200)
    expect(proxy.asked).toHaveLength(1)
  })

  test.each([
    ['fails by a strict pool', true, 502],
    ['goes direct by one that is not', false, 200],
  ])('for a pool that is switched off %s', async (_, strict, status) => {
    const proxy = await play()
    await account({ proxy_pool_id: await pool([proxy.url()], { strict, enabled: false }) })
    expect((await ask()).status).toBe(status)
    expect(proxy.accepted).toBe(0)
  })

  test('counts a change of the pool at once', async () => {
    const [before, after] = [await play(), await play({ kind: 'socks5' })]
    const id = await pool([before.url()])
    await account({ proxy_pool_id: id })
    await ask()
    await bench.owner('PATCH', `${POOLS}/${id}`, { endpoints: [{ url: after.url('socks5h') }] })
    await ask()
    expect([before.asked.length, after.asked.length]).toEqual([1, 1])
  })

  test('for a file by address leaves through the pool for all', async () => {
    const proxy = await play()
    await pool([proxy.url()], { scope: 'global' })
    await account({ proxy_pool_id: 'direct' })
    host.play(text('%PDF-1.7', 200, { 'content-type': 'application/pdf' }))
    const document = { type: 'document', source: { type: 'url', url: addressOf(host, '/a.pdf') } }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What?' }, document] }]
    const body = { model: 'openai/gpt-5-mini', max_tokens: 10, messages }
    expect((await bench.ask('/v1/messages', { body })).status).toBe(200)
    expect(host.requests.map(({ path }) => path)).toEqual(['/a.pdf', '/v1/chat/completions'])
    expect(proxy.asked).toHaveLength(1)
  })
})

test('credentials are tried through the pool that they are tried with', async () => {
  const proxy = await play()
  host.play(json({ data: [{ id: 'gpt-5-mini' }] }))
  const place = { base_url_override: addressOf(host, '/v1'), proxy_pool_id: await pool([proxy.url()]) }
  const answer = await bench.owner('POST', '/v1/validate-key', {
    provider: 'openai',
    credentials: { api_key: KEY },
    ...place,
  })
  expect(answer.body.data).toMatchObject({ ok: true, models_found: 1 })
  expect(proxy.asked).toHaveLength(1)
})

describe('a test', () => {
  test.each<[string, string, object]>([
    ['JSON', '{"ip":"93.184.216.34","country":"DE"}', { exit_ip: '93.184.216.34', country: 'DE' }],
    [
      'another JSON',
      '{"query":"2a00::1","countryCode":"FR","country":"France"}',
      { exit_ip: '2a00::1', country: 'FR' },
    ],
    ['lines', 'fl=1\nip=93.184.216.34\nloc=SE\n', { exit_ip: '93.184.216.34', country: 'SE' }],
    ['the address alone', '93.184.216.34\n', { exit_ip: '93.184.216.34', country: null }],
    ['something else', '<html>', { exit_ip: null, country: null }],
    ['markup in its fields', '{"ip":"<b>","country":"<script>"}', { exit_ip: null, country: null }],
  ])('reads where an exit is from %s', async (_, body, expected) => {
    const proxy = await play()
    host.play(text(body))
    const id = await pool([proxy.url()], { check: { url: addressOf(host, '/ip') } })
    const answer = await bench.owner('POST', `${POOLS}/${id}/test`, {})
    expect(answer.body.data).toMatchObject({
      id,
      ok: true,
      endpoints: [{ state: 'up', last_error: null, ...expected }],
    })
    expect(await statusOf(id)).toMatchObject([{ state: 'up', ...expected }])
  })

  test('says of each exit what it did, in words without its login', async () => {
    const [good, wrong, bad] = [
      await play(),
      await play({ kind: 'http', login: { user: 'ann', password: 'other' } }),
      await play({ kind: 'socks5', fault: { at: 'connect', says: Uint8Array.of(5, 5) } }),
    ]
    const urls = [
      good.url(),
      `http://ann:${PASSWORD}@127.0.0.1:${wrong.port}`,
      bad.url('socks5h'),
      `http://127.0.0.1:${closedPort()}`,
    ]
    const id = await pool(urls, { check: { url: addressOf(host, '/ip') } })
    const { body } = await bench.owner('POST', `${POOLS}/${id}/test`, {})
    expect(body.data.ok).toBe(false)
    expect(body.data.endpoints.map(({ state, last_error }: Record<string, unknown>) => [state, last_error])).toEqual([
      ['up', null],
      ['down', 'the exit does not accept the credentials that the pool has for it'],
      ['down', 'the exit was refused by the provider'],
      ['down', 'the exit refused the connection'],
    ])
    expect(JSON.stringify([body, bench.log])).not.toContain(PASSWORD)
    // One failed check is not enough to take an exit out.
    const states = (await statusOf(id)).map(({ state }: { state: string }) => state)
    expect(states).toEqual(['up', 'unknown', 'unknown', 'unknown'])
  })

  test('without an address connects to a provider that uses the pool, and asks nothing of it', async () => {
    const proxy = await play()
    const id = await pool([proxy.url()])
    const nobody = await bench.owner('POST', `${POOLS}/${id}/test`, {})
    expect(nobody.body.data.endpoints).toMatchObject([
      { state: 'unknown', last_error: 'no provider uses this pool yet; give its check an address' },
    ])
    await account({ proxy_pool_id: id })
    const answer = await bench.owner('POST', `${POOLS}/${id}/test`, {})
    expect(answer.body.data.endpoints).toMatchObject([{ state: 'up', last_error: null }])
    expect([proxy.asked, host.requests]).toEqual([[`models.example:${host.port}`], []])
  })

  test('that hangs ends with its own time', async () => {
    const proxy = await play({ kind: 'http', fault: { at: 'connect' } })
    const id = await pool([proxy.url()], { check: { url: addressOf(host, '/ip'), timeout_ms: 700 } })
    const answer = bench.owner('POST', `${POOLS}/${id}/test`, {})
    await until(() => proxy.failed === 1)
    bench.clock.advance(700)
    expect((await answer).body.data.endpoints).toMatchObject([
      { state: 'down', last_error: 'the exit did not answer in time' },
    ])
  })

  test('of many exits asks a few at once', async () => {
    const proxy = await play({ kind: 'http', fault: { at: 'connect' } })
    const urls = Array.from({ length: 40 }, (_, user) => `http://user-${user}:p@127.0.0.1:${proxy.port}`)
    const id = await pool(urls, { check: { url: addressOf(host, '/ip'), timeout_ms: 900 }, enabled: false })
    const answer = bench.owner('POST', `${POOLS}/${id}/test`, {})
    await until(() => proxy.failed === 32)
    for (let again = 0; again < 20; again++) await turn()
    expect(proxy.accepted).toBe(32)
    bench.clock.advance(900)
    await until(() => proxy.failed === 40)
    bench.clock.advance(900)
    expect((await answer).body.data.endpoints).toHaveLength(40)
  })

  test('of all pools names each', async () => {
    const proxy = await play()
    const check = { url: addressOf(host, '/ip') }
    const first = await pool([proxy.url()], { check })
    const second = await pool([`http://127.0.0.1:${closedPort()}`], { check })
    const answer = await bench.owner('POST', `${POOLS}/health-check`, {})
    expect(answer.body.data.pools).toMatchObject([
      { id: first, ok: true },
      { id: second, ok: false },
    ])
  })

  test('of a pool that is not there is a 404', async () => {
    expect((await bench.owner('POST', `${POOLS}/ppl_none/test`, {})).status).toBe(404)
  })
})

describe('checks', () => {
  /** Moves the clock, second by second, and lets sockets do their work in between. */
  async function pass(seconds: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      bench.clock.advance(1_000)
      await turn()
    }
    await until(isSo)
  }

  test('take an exit out after so many failures, and bring it back after so many successes', async () => {
    const proxy = await play({ kind: 'http', fault: { at: 'connect', closes: true } })
    const check = { url: addressOf(host, '/ip'), every_s: 60, fail_after: 2, ok_after: 2 }
    const id = await pool([proxy.url()], { check })
    await account({ proxy_pool_id: id })
    const exit = async () => (await statusOf(id))[0]
    const nextCheck = async (seconds: number) => {
      const before = (await exit()).checked_at
      await pass(seconds, async () => (await exit()).checked_at !== before)
      return (await exit()).state
    }
    expect(await nextCheck(1)).toBe('unknown')
    expect(await nextCheck(60)).toBe('down')
    const before = proxy.accepted
    expect((await ask()).status).toBe(502)
    expect(proxy.accepted).toBe(before) // it rests: nobody waits for it
    proxy.become(undefined)
    expect(await nextCheck(60)).toBe('down')
    expect(await nextCheck(60)).toBe('up')
    expect((await ask()).status).toBe(200)
  })

  test('look after an exit that requests found dead as soon as its rest is over', async () => {
    const proxy = await play()
    const id = await pool([proxy.url()], { check: { url: addressOf(host, '/ip'), every_s: 3_600 } })
    await account({ proxy_pool_id: id })
    await pass(1, async () => (await statusOf(id))[0].state === 'up')
    proxy.become({ at: 'connect', closes: true })
    bench.clock.advance(60_000) // past the life of idle connections
    expect((await ask()).status).toBe(502)
    expect(await statusOf(id)).toMatchObject([{ state: 'down', last_error: 'the exit closed the connection' }])
    proxy.become(undefined)
    await pass(6, async () => (await statusOf(id))[0].state === 'up')
  })

  test('are not made for what is switched off', async () => {
    const proxy = await play()
    const check = { url: addressOf(host, '/ip'), every_s: 10 }
    await pool([proxy.url()], { check, enabled: false })
    const endpoints = [{ url: proxy.url('socks5h'), enabled: false }, { url: `http://127.0.0.1:${closedPort()}` }]
    await bench.owner('POST', POOLS, { name: 'half', endpoints, check })
    await pass(30, () => true)
    expect(proxy.accepted).toBe(0)
  })
})
