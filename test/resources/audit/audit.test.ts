import { beforeEach, describe, expect, test } from 'bun:test'
import type { AuditRecord } from '../../../src/resources/audit/entry.ts'
import { auditRoutes } from '../../../src/resources/audit/routes.ts'
import { HEAD_EVERY_MS } from '../../../src/resources/audit/service.ts'
import { makeApp } from '../../support/app.ts'
import { bareApp, type Call, callerOf, type Dashboard, makeDashboard, signInOwner } from '../../support/dashboard.ts'
import { until } from '../../support/until.ts'

let dashboard: Dashboard

beforeEach(async () => {
  dashboard = await makeDashboard()
  for (const action of ['a', 'b', 'c', 'd']) await dashboard.audit.record(entry(action))
})

function entry(action: string): AuditRecord {
  return {
    actor: { id: 'usr_a', email: 'a@example.com', ip: '203.0.113.1' },
    action,
    object: { type: 'key', id: 'key_a', name: 'a' },
    before: { limit: 1 },
    after: { limit: null, nested: { list: [1, 'x'] } },
    requestId: 'req_a',
    outcome: 'ok',
  }
}

const change = (sql: string) => dashboard.db.$client.run(sql)

describe('the chain', () => {
  test('holds when nothing was touched, over more entries than one batch', async () => {
    for (let more = 0; more < 1_200; more++) await dashboard.audit.record(entry(`more ${more}`))
    expect(await dashboard.audit.firstBroken()).toBeNull()
  })

  test('numbers its entries without a gap, each naming the one before', () => {
    const rows = dashboard.db.$client.query('SELECT seq, prev_hash, hash FROM audit_entries ORDER BY seq').all()
    const entries = rows as { seq: number; prev_hash: string; hash: string }[]
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(entries.slice(1).map(({ prev_hash }) => prev_hash)).toEqual(entries.slice(0, -1).map(({ hash }) => hash))
  })

  const swap = 'UPDATE audit_entries SET seq = CASE seq WHEN 2 THEN -3 WHEN 3 THEN -2 END WHERE seq IN (2, 3)'
  const harms: readonly [name: string, broken: number, ...sql: string[]][] = [
    ['a changed actor', 2, "UPDATE audit_entries SET actor_email = 'b@example.com' WHERE seq = 2"],
    ['a changed value', 3, "UPDATE audit_entries SET after = '{}' WHERE seq = 3"],
    ['a changed time', 1, 'UPDATE audit_entries SET at = at + 1 WHERE seq = 1'],
    ['a removed entry', 3, 'DELETE FROM audit_entries WHERE seq = 2'],
    ['a swapped pair', 2, swap, 'UPDATE audit_entries SET seq = -seq WHERE seq < 0'],
    ['a made-up hash', 4, "UPDATE audit_entries SET hash = 'x' WHERE seq = 4"],
  ]
  for (const [name, broken, ...sql] of harms) {
    test(`shows ${name}`, async () => {
      for (const statement of sql) change(statement)
      expect(await dashboard.audit.firstBroken()).toBe(broken)
    })
  }
})

test('an entry that cannot be written is an answer, not an exception', async () => {
  change('ALTER TABLE audit_entries RENAME TO audit_entries_away')
  const outcome = await dashboard.audit.record(entry('e'))
  expect(outcome.ok ? 'written' : outcome.error.kind).toBe('unavailable')
  expect(dashboard.lines.at(-1)).toContain('could not be written')
})

describe('the list', () => {
  let call: Call

  beforeEach(async () => {
    const { audit, clock, db, plugin } = dashboard
    const token = await signInOwner(dashboard)
    call = callerOf(bareApp().use(auditRoutes({ authenticated: plugin, audit })), token)
    db.$client.run('DELETE FROM audit_entries')
    clock.advance(60_000)
    await audit.record(entry('key.create'))
    clock.advance(60_000)
    await audit.record({ ...entry('key.reveal'), outcome: 'refused', before: undefined, after: undefined })
    clock.advance(60_000)
    const actor = { id: 'usr_b', email: 'b@example.com', ip: null }
    await audit.record({ ...entry('skill.delete'), actor, object: { type: 'skill', id: 'skl_1', name: 'po_et' } })
  })

  async function listed(query: string): Promise<string[]> {
    const { status, body } = await call('GET', `/v1/audit?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ action }: { action: string }) => action)
  }

  test('shows an entry whole, the newest first', async () => {
    const { body } = await call('GET', '/v1/audit')
    expect(body.metadata).toEqual({ total: 3, offset: 0, limit: 10 })
    expect(body.data.map(({ seq }: { seq: number }) => seq)).toEqual([3, 2, 1])
    expect(body.data[2]).toEqual({
      id: expect.stringMatching(/^evt_/),
      seq: 1,
      at: '2026-01-15T12:01:00.000Z',
      actor: { id: 'usr_a', email: 'a@example.com', ip: '203.0.113.1' },
      action: 'key.create',
      object: { type: 'key', id: 'key_a', name: 'a' },
      before: { limit: 1 },
      after: { limit: null, nested: { list: [1, 'x'] } },
      request_id: 'req_a',
      outcome: 'ok',
      prev_hash: '0'.repeat(64),
      hash: body.data[1].prev_hash,
    })
    expect(body.data[1]).toMatchObject({ before: null, after: null, outcome: 'refused' })
  })

  const filters: readonly [query: string, actions: readonly string[]][] = [
    ['action=key.reveal', ['key.reveal']],
    ['actor=usr_b', ['skill.delete']],
    ['actor=a@example.com', ['key.reveal', 'key.create']],
    ['object_type=key&order=asc', ['key.create', 'key.reveal']],
    ['from=2026-01-15T12:02:00Z&to=2026-01-15T12:02:00Z', ['key.reveal']],
    ['q=_et', ['skill.delete']],
    ['q=%25', []],
    ['q=REQ_A&limit=1&offset=1', ['key.reveal']],
    ['action=nothing', []],
  ]
  for (const [query, actions] of filters) {
    test(`by ${query}`, async () => {
      expect(await listed(query)).toEqual([...actions])
    })
  }

  const bad = ['limit=0', 'sort=seq', 'from=yesterday', 'to=1', 'action=', 'object=key']
  for (const query of bad) {
    test(`${query} is refused by name`, async () => {
      const { status, body } = await call('GET', `/v1/audit?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0] ?? '']])
    })
  }

  test('is for those who signed in', async () => {
    expect((await call('GET', '/v1/audit', undefined, { authorization: 'Bearer nothing' })).status).toBe(401)
  })
})

test('the journal knows where the chain ends, every hour and at the stop, so that a shortened one is found out', async () => {
  const app = await makeApp()
  const told = () => app.log.filter((line) => line.includes('the audit log ends here'))
  const { total } = (await app.owner('GET', '/v1/audit?limit=1')).body.metadata
  expect(told()).toEqual([])
  app.clock.advance(HEAD_EVERY_MS)
  await until(() => told().length === 1, 'the first hour')
  expect(told()[0]).toContain(`"seq":${total},"hash":"`)
  await app[Symbol.asyncDispose]()
  expect(told()).toHaveLength(2)
})
