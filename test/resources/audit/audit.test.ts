import { beforeEach, describe, expect, test } from 'bun:test'
import type { AuditRecord } from '../../../src/resources/audit/entry.ts'
import { type Dashboard, makeDashboard } from '../../support/dashboard.ts'

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
