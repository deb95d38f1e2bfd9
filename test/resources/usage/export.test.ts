import { describe, expect, test } from 'bun:test'
import { err, ok } from '../../../src/core/result.ts'
import { refusal } from '../../../src/http/refusal.ts'
import { EXPORTS_MAX, ROWS_AT_ONCE, UsageExport } from '../../../src/resources/usage/export.ts'
import { exportRoutes } from '../../../src/resources/usage/export-routes.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../../ledger/records.ts'
import { bareApp, type Call, callerOf, makeDashboard, signInOwner } from '../../support/dashboard.ts'
import type { RequestClosed, RequestOpened } from '../../../src/ledger/record.ts'
import { watchedLedger } from './stage.ts'

async function stage() {
  const dashboard = await makeDashboard()
  const { clock, plugin, audit } = dashboard
  const { ledger, store, reads } = watchedLedger(dashboard)
  const state = { auditIsBroken: false }
  const usageExport = new UsageExport({
    store,
    clock,
    audit: { record: (record) => (state.auditIsBroken ? Promise.resolve(NO_AUDIT) : audit.record(record)) },
  })
  const app = bareApp().use(exportRoutes({ usageExport, authenticated: plugin, takesLong: () => undefined }))
  const token = await signInOwner(dashboard)
  const call: Call = callerOf(app, token)
  const open = (query: string): Promise<Response> =>
    Promise.resolve(
      app.handle(
        new Request(`http://gateway.test/v1/usage/export?${query}`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    )
  const logged = (
    id: string,
    agoMs: number,
    closed: Partial<RequestClosed> = {},
    opened: Partial<RequestOpened> = {},
  ): void => {
    ledger.openRequest(requestOpened({ id, atMs: clock.nowMs() - agoMs, ...opened }))
    ledger.openAttempt(attemptOpened({ id: `att_${id}`, requestId: id }))
    ledger.closeAttempt(attemptClosed({ id: `att_${id}`, requestId: id }))
    ledger.closeRequest(requestClosed({ id, ...closed }))
    ledger.flush()
  }
  return { call, open, logged, reads, state, ledger, clock, audit }
}

const NO_AUDIT = err(refusal('unavailable', 'the audit log cannot be written'))

describe('an export', () => {
  test('as lines of JSON holds every row as the log shows it, oldest first', async () => {
    const { call, logged } = await stage()
    logged('req_2', 1_000, { status: 'error', failure: 'server' }, { keyId: null, tags: { 'a,b': '"' } })
    logged('req_1', 2_000)
    const { status, headers, body } = await call('GET', '/v1/usage/export?format=jsonl')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="signalbox-usage.jsonl"')
    const rows = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows).toMatchObject([
      {
        id: 'req_1',
        key_id: 'key_1',
        tokens: { input_uncached: 10 },
        attempts: [{ provider: 'anthropic', http: 200 }],
      },
      { id: 'req_2', key_id: null, error_class: 'server', tags: { 'a,b': '"' } },
    ])
  })

  test('as CSV names its columns as the log names its fields', async () => {
    const { call, logged } = await stage()
    logged('req_1', 2_000, {}, { tags: { team: 'a, "b"' } })
    const { headers, body } = await call('GET', '/v1/usage/export?format=csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head = '', line = '', rest] = String(body).split('\r\n')
    expect(rest).toBe('')
    expect(head.split(',').slice(0, 7)).toEqual(['id', 'at', 'key_id', 'plan_id', 'user_tag', 'tags', 'client'])
    for (const column of ['tokens.input_uncached', 'facts.tools', 'saved_usd.affinity', 'attempts'])
      expect(head.split(',')).toContain(column)
    expect(
      line.startsWith('req_1,2026-01-15T11:59:58.000Z,key_1,,,"{""team"":""a, \\""b\\""""}",claude-code,messages,'),
    ).toBe(true)
  })

  test('is nothing that a spreadsheet would run', async () => {
    const { call, logged } = await stage()
    for (const [n, text] of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'plain'].entries()) {
      logged(`req_${n}`, 10 - n, {}, { client: text, tags: {}, skills: [] })
    }
    const { body } = await call('GET', '/v1/usage/export?format=csv')
    const [, ...lines] = String(body).split('\r\n')
    const clients = lines.slice(0, -1).map((line) => /,\{\},"?(.*?)"?,messages/s.exec(line)?.[1])
    expect(clients).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", "'\rx", 'plain'])
  })

  test('can be narrowed like the log', async () => {
    const { call, logged } = await stage()
    logged('req_1', 1_000, {}, { keyId: 'key_2' })
    logged('req_2', 2_000, { status: 'error', failure: 'server' })
    logged('req_3', 40 * 86_400_000)
    const ids = async (query: string): Promise<string[]> =>
      String((await call('GET', `/v1/usage/export?format=jsonl&${query}`)).body)
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]))
    for (const [query, expected] of [
      ['key_id=key_2', ['req_1']],
      ['status=error', ['req_2']],
      ['range=24h', ['req_2', 'req_1']],
      ['to=2026-01-01T00:00:00Z', ['req_3']],
      ['q=req_3', ['req_3']],
      ['key_id=nobody', []],
    ] as const) {
      expect([query, await ids(query)]).toEqual([query, [...expected]])
    }
  })

  test('refuses what it does not know, and whoever is not signed in', async () => {
    const { call } = await stage()
    for (const [query, field] of [
      ['', 'format'],
      ['format=xml', 'format'],
      ['format=csv&status=fine', 'status'],
      ['format=csv&cursor=x', 'cursor'],
      ['format=csv&limit=5', 'limit'],
      ['format=csv&range=24h&from=2026-01-01T00:00:00Z', 'range'],
      ['format=csv&tz=Nowhere', 'tz'],
    ] as const) {
      const { status, body } = await call('GET', `/v1/usage/export?${query}`)
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [field]])
    }
    const stranger = await call('GET', '/v1/usage/export?format=csv', undefined, { authorization: 'Bearer nothing' })
    expect(stranger.status).toBe(401)
  })

  test('is in the audit log with what was asked for; without an entry there is none', async () => {
    const { call, logged, state, audit } = await stage()
    logged('req_1', 1_000)
    await call('GET', '/v1/usage/export?format=csv&key_id=key_1')
    const { items } = await audit.page(
      { action: 'usage.export' },
      { offset: 0, limit: 10, q: undefined, sort: 'at', order: 'desc' },
    )
    expect(items).toMatchObject([{ action: 'usage.export', after: { format: 'csv', key_id: 'key_1' }, outcome: 'ok' }])
    state.auditIsBroken = true
    const { status, body } = await call('GET', '/v1/usage/export?format=csv')
    expect([status, body]).toEqual([503, { message: 'the audit log cannot be written' }])
  })

  test('is read no faster than its client takes it, and no further once that has left', async () => {
    const { open, logged, reads } = await stage()
    for (let n = 0; n < 3 * ROWS_AT_ONCE; n++) logged(`req_${n}`, 3 * ROWS_AT_ONCE - n)
    const reader = (await open('format=jsonl')).body?.getReader()
    const steps = (): number => reads.filter((name) => name === 'oldest').length
    const { value = new Uint8Array() } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value).trimEnd().split('\n')).toHaveLength(ROWS_AT_ONCE)
    const read = steps()
    expect(read).toBeLessThanOrEqual(2)
    await reader?.cancel()
    expect(steps()).toBe(read)
  })

  test('goes to the end in steps, each row once, without those that came meanwhile', async () => {
    const { open, logged } = await stage()
    for (let n = 0; n < 2 * ROWS_AT_ONCE + 1; n++) logged(`req_${n}`, 1) // all in one moment
    const response = await open('format=jsonl')
    logged('req_late', -1)
    const ids = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    expect([ids.length, new Set(ids).size, ids.includes('req_late')]).toEqual([
      2 * ROWS_AT_ONCE + 1,
      2 * ROWS_AT_ONCE + 1,
      false,
    ])
  })

  test('waits its turn: only so many are under way at once, and each that ends or is left makes room', async () => {
    const { open, logged } = await stage()
    for (let n = 0; n < 2 * ROWS_AT_ONCE; n++) logged(`req_${n}`, n)
    const running = await Promise.all(Array.from({ length: EXPORTS_MAX }, () => open('format=csv')))
    const refused = await open('format=csv')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    await running[0]?.body?.cancel()
    const next = await open('format=csv')
    expect(next.status).toBe(200)
    await Promise.all([next.text(), running[1]?.text()])
    expect((await open('format=csv')).status).toBe(200)
  })

  test('breaks when the log cannot be read any more: it never seems to be whole', async () => {
    const { clock } = await stage()
    let reads = 0
    const row = { atMs: 1, id: 'req_1' }
    const rows = async () => (reads++ === 0 ? ok([row as never]) : err(refusal('unavailable', 'gone')))
    const usageExport = new UsageExport({ store: { rows }, clock, audit: { record: async () => ok(undefined) } })
    const caller = { actor: null, address: null, requestId: 'req' } as never
    const file = await usageExport.open({ format: 'jsonl' }, caller)
    if (!file.ok) throw new Error(file.error.message)
    await expect(new Response(file.value).text()).rejects.toThrow()
  })
})
