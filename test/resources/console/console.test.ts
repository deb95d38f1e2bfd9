import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Followers, FOLLOWERS_MAX, KEEP_ALIVE_MS } from '../../../src/resources/console/follow.ts'
import { CONSOLE_ENTRIES_MAX, ConsoleRing } from '../../../src/resources/console/ring.ts'
import { consoleRoutes } from '../../../src/resources/console/routes.ts'
import { ConsoleService } from '../../../src/resources/console/service.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'

let dashboard: Dashboard
let ring: ConsoleRing
let followers: Followers
let call: Call
let token: string
let server: Bun.Server<undefined>

beforeEach(async () => {
  dashboard = await makeDashboard()
  const { auth, audit, clock, plugin } = dashboard
  ring = new ConsoleRing(clock)
  followers = new Followers(ring, clock)
  const console = new ConsoleService({ ring, followers, audit })
  const app = bareApp().use(consoleRoutes({ authenticated: plugin, auth, console }))
  token = await signInOwner(dashboard)
  call = callerOf(app, token)
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.handle(request) })
})

afterEach(() => server.stop(true))

async function messages(query = ''): Promise<string[]> {
  const { status, body } = await call('GET', `/v1/console?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body.data.map(({ message }: { message: string }) => message)
}

describe('the list', () => {
  test('shows an event whole, with what it is about beside its fields', async () => {
    ring.write('warn', 'router', 'attempt failed', {
      request_id: 'req_1',
      account: 'acc_1',
      key_prefix: 'sk-sbx-abcd12',
      status: 503,
      last: false,
      reason: null,
      missing: undefined,
    })
    const { body } = await call('GET', '/v1/console')
    expect(body).toEqual({
      data: [
        {
          seq: 1,
          at: '2026-01-15T12:00:00.000Z',
          level: 'warn',
          source: 'router',
          message: 'attempt failed',
          request_id: 'req_1',
          key_prefix: 'sk-sbx-abcd12',
          account: 'acc_1',
          fields: { status: 503, last: false, reason: null },
        },
      ],
      metadata: { total: 1, offset: 0, limit: 10 },
    })
  })

  test('newest first, by level and above, source, text and place', async () => {
    ring.write('debug', 'http', 'one', { detail: 'Über' })
    ring.write('info', 'db', 'two')
    ring.write('warn', 'http', 'three')
    ring.write('error', 'db', 'four')
    for (const [query, expected] of [
      ['', ['four', 'three', 'two', 'one']],
      ['order=asc', ['one', 'two', 'three', 'four']],
      ['level=warn', ['four', 'three']],
      ['source=http', ['three', 'one']],
      ['q=O', ['four', 'two', 'one']],
      ['q=über', ['one']],
      ['after_seq=2', ['four', 'three']],
      ['after_seq=4', []],
      ['limit=2&offset=1', ['three', 'two']],
      ['level=info&source=db&q=t', ['two']],
    ] as const) {
      expect([query, await messages(query)]).toEqual([query, [...expected]])
    }
    expect((await call('GET', '/v1/console?level=warn&limit=1')).body.metadata.total).toBe(2)
  })

  test('what it does not know is refused by name', async () => {
    for (const [query, field] of [
      ['level=loud', 'level'],
      ['source=moon', 'source'],
      ['after_seq=x', 'after_seq'],
      ['follow=yes', 'follow'],
      ['sort=at', 'sort'],
      ['colour=red', 'colour'],
    ] as const) {
      const { status, body } = await call('GET', `/v1/console?${query}`)
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [field]])
    }
  })

  test('holds a bounded number of bounded events', async () => {
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, 'x'.repeat(10_000)]))
    for (let n = 1; n <= CONSOLE_ENTRIES_MAX + 7; n++) ring.write('info', 'http', `event ${n}`, n === 507 ? fields : {})
    const { body } = await call('GET', '/v1/console?limit=1')
    expect([body.metadata.total, body.data[0].seq]).toEqual([CONSOLE_ENTRIES_MAX, CONSOLE_ENTRIES_MAX + 7])
    expect(JSON.stringify(body).length).toBeLessThan(25_000)
    expect(await messages('order=asc&limit=1')).toEqual(['event 8'])
  })

  test('never holds a secret or a control character', async () => {
    ring.write('error', 'provider', 'sent Bearer abc123def456ghi\u001b[2J', {
      detail: 'key sk-ant-api03-AAAABBBB',
      password: 'hunter2',
      request_id: 'req\n1',
      key_prefix: 'sk-sbx-abcd12efgh34',
    })
    const text = JSON.stringify((await call('GET', '/v1/console')).body)
    expect(text).not.toMatch(/abc123|AAAABBBB|hunter2|u001b|efgh34/)
    expect(text).toContain('req\\\\n1')
  })

  test('is for those who signed in', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, '/v1/console', undefined, { authorization: 'Bearer nothing' })).status).toBe(401)
    }
  })
})

describe('clearing', () => {
  test('says how many there were, is audited, and never gives a number twice', async () => {
    for (let n = 0; n < 3; n++) ring.write('info', 'http', 'event')
    const { status, body } = await call('DELETE', '/v1/console')
    expect([status, body]).toEqual([200, { message: 'cleared 3 entries' }])
    expect(await messages()).toEqual([])
    ring.write('info', 'http', 'next')
    expect((await call('GET', '/v1/console')).body.data[0].seq).toBe(4)
    const [entry] = dashboard.db.$client.query('SELECT * FROM audit_entries ORDER BY seq DESC').all()
    expect(entry).toMatchObject({ action: 'console.clear', actor_email: 'owner@example.com', object_type: 'console' })
  })

  test('does not happen when it cannot be audited', async () => {
    ring.write('info', 'http', 'event')
    dashboard.db.$client.run('ALTER TABLE audit_entries RENAME TO audit_entries_away')
    expect((await call('DELETE', '/v1/console')).status).toBe(503)
    expect(ring.matching({})).toHaveLength(1)
  })
})

describe('following', () => {
  /** A client over a real socket: what came, and how it goes on. */
  async function follow(query = '') {
    const abort = new AbortController()
    const response = await fetch(`${server.url}v1/console?follow=true${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    })
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    const read = async (): Promise<string | undefined> => {
      const { done, value } = (await reader?.read()) ?? { done: true }
      return done ? undefined : decoder.decode(value)
    }
    return { response, read, leave: () => abort.abort() }
  }

  const seqs = (text: string | undefined) => [...(text ?? '').matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq))

  test('sends what happens from now on, as events that name their number', async () => {
    ring.write('info', 'http', 'before')
    const client = await follow()
    expect(client.response.headers.get('content-type')).toStartWith('text/event-stream')
    expect(client.response.headers.get('x-accel-buffering')).toBe('no')
    expect(client.response.headers.get('cache-control')).toContain('no-store')
    expect(client.response.headers.get('x-request-id')).toStartWith('req_')
    expect(await client.read()).toBe(': following\n\n')
    ring.write('warn', 'db', 'after', { rows: 1 })
    const text = (await client.read()) ?? ''
    expect(seqs(text)).toEqual([2])
    const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')
    expect(data).toMatchObject({ seq: 2, level: 'warn', source: 'db', message: 'after', fields: { rows: 1 } })
    client.leave()
  })

  test('goes on after an entry, and obeys the filters', async () => {
    for (const level of ['info', 'warn', 'error'] as const) ring.write(level, 'http', level)
    const client = await follow('&after_seq=1&level=warn')
    let text = ''
    while (seqs(text).length < 2) text += await client.read()
    expect(seqs(text)).toEqual([2, 3])
    ring.write('info', 'http', 'hidden')
    ring.write('error', 'http', 'shown')
    expect(seqs(await client.read())).toEqual([5])
    client.leave()
  })

  test('is kept alive while nothing happens', async () => {
    const client = await follow()
    await client.read()
    dashboard.clock.advance(KEEP_ALIVE_MS)
    expect(await client.read()).toBe(': keep-alive\n\n')
    client.leave()
  })

  test('ends with the session that opened it', async () => {
    const client = await follow()
    await client.read()
    const actor = await dashboard.auth.actorOf(token)
    if (actor !== undefined) await dashboard.auth.signOut({ actor, requestId: 'req_1', address: null })
    dashboard.clock.advance(KEEP_ALIVE_MS)
    expect(await client.read()).toBeUndefined()
    expect(followers.size).toBe(0)
  })

  test('ends when the server drains, with the last of what happened, and cannot begin then', async () => {
    const client = await follow()
    await client.read()
    ring.write('info', 'http', 'draining')
    followers.close()
    expect(seqs(await client.read())).toEqual([1])
    expect(await client.read()).toBeUndefined()
    expect((await follow()).response.status).toBe(503)
  })

  test('frees its place when the client leaves', async () => {
    const clients = await Promise.all(Array.from({ length: FOLLOWERS_MAX }, () => follow()))
    const refused = await follow()
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '5'])
    for (const client of clients) client.leave()
    while (followers.size > 0) await Bun.sleep(1)
    const again = await follow()
    expect(again.response.status).toBe(200)
    again.leave()
  })

  test('a client that reads slowly misses what the ring has forgotten, and costs no memory', async () => {
    const client = await follow()
    for (let n = 1; n <= CONSOLE_ENTRIES_MAX * 3; n++) ring.write('info', 'http', `event ${n}`)
    let seen: number[] = []
    let rest = ''
    while (seen.at(-1) !== CONSOLE_ENTRIES_MAX * 3) {
      rest += (await client.read()) ?? ''
      seen = seqs(rest)
    }
    expect(seen.length).toBeLessThanOrEqual(CONSOLE_ENTRIES_MAX + 1)
    client.leave()
  })

  test('without an access token there is nothing to follow', async () => {
    expect((await fetch(`${server.url}v1/console?follow=true`)).status).toBe(401)
  })
})
