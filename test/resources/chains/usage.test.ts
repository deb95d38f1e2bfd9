/** What a chain's steps are said to have done, from rows of the ledger. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../src/core/duration.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { AttemptClosed, AttemptOpened } from '../../../src/ledger/record.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../../ledger/records.ts'
import { makeRules, type Rules } from './stage.ts'

let stage: Rules
let ledger: LedgerWriter
let chainId: string
beforeEach(async () => {
  stage = await makeRules()
  const { clock, log, databases } = stage
  ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint: () => undefined })
  const steps = [
    { id: 'a', model: 'openai/gpt-4o' },
    { id: 'b', model: 'anthropic/claude-sonnet-4-5' },
  ]
  chainId = (await stage.call('POST', '/v1/chains', { name: 'Work', steps })).body.data.id
})
afterEach(() => {
  ledger.close()
  stage.played.stop()
})

interface Tried {
  readonly step: string
  readonly agoMs?: number
  readonly opened?: Partial<AttemptOpened>
  readonly closed?: Partial<AttemptClosed>
}

let count = 0

/** A finished request whose attempts the chain led to, each by one step. */
function logged(...tries: readonly Tried[]): void {
  const id = `req_${++count}`
  const atMs = stage.clock.nowMs() - (tries[0]?.agoMs ?? 0)
  ledger.openRequest(requestOpened({ id, atMs }))
  for (const [position, { step, opened, closed }] of tries.entries()) {
    const about = { id: `${id}_${position}`, requestId: id }
    ledger.openAttempt(attemptOpened({ ...about, position, atMs, via: [{ rule: chainId, target: step }], ...opened }))
    ledger.closeAttempt(attemptClosed({ ...about, ...closed }))
  }
  ledger.closeRequest(requestClosed({ id }))
  ledger.flush()
}

const usage = async (query = '') => (await stage.call('GET', `/v1/chains/${chainId}/usage${query}`)).body

describe('the usage of a chain', () => {
  test('is nothing at first, for every step that there is', async () => {
    const { data, metadata } = await usage()
    expect(metadata).toEqual({ range: '24h', from: '2026-01-14T12:00:00.000Z', to: '2026-01-15T12:00:00.000Z' })
    const nothing = { requests: 0, attempts: 0, ok: 0, failed: {}, cost_usd: 0, cost_unknown_attempts: 0, share: null }
    const never = { p50: null, p95: null }
    expect(data).toMatchObject([
      { id: 'a', model: 'openai/gpt-4o', ...nothing, latency: never, first_token: never },
      { id: 'b', model: 'anthropic/claude-sonnet-4-5', ...nothing },
    ])
  })

  test('counts requests and attempts, sums tokens and money, and names failures', async () => {
    const spent = {
      usage: { ...NO_USAGE, inputUncached: 7, cacheRead: 3, output: 5, reasoning: 2 },
      costNano: 2_000_000,
    }
    const failed = { failure: 'server', costNano: 0, costSource: 'unknown', usage: NO_USAGE } as const
    logged({ step: 'a', closed: failed }, { step: 'a', closed: failed }, { step: 'b', closed: spent })
    logged({ step: 'a', closed: { ...failed, failure: 'timeout' } }, { step: 'b', closed: spent })
    logged({ step: 'b', closed: spent })
    const { data } = await usage()
    expect(data[0]).toMatchObject({ requests: 2, attempts: 3, ok: 0, failed: { server: 2, timeout: 1 }, share: 0 })
    expect(data[0].cost_unknown_attempts).toBe(3)
    expect(data[1]).toMatchObject({
      requests: 3,
      ok: 3,
      failed: {},
      tokens: { input_tokens: 30, cache_read: 9, output: 15, reasoning: 6 },
      cost_usd: 0.006,
      share: 1,
    })
  })

  test('has the times of answers alone, by nearest rank and within one per cent', async () => {
    for (let n = 1; n <= 20; n++) logged({ step: 'a', closed: { msTotal: n * 1_000, msFirstToken: n * 100 } })
    logged({ step: 'a', closed: { failure: 'timeout', msTotal: 99_999, msFirstToken: null } })
    const [{ latency, first_token }] = (await usage()).data
    const off = [latency.p50 / 10_000, latency.p95 / 19_000, first_token.p50 / 1_000, first_token.p95 / 1_900]
    for (const ratio of off) expect(Math.abs(ratio - 1)).toBeLessThan(0.01)
  })

  test('counts a request once for each step, however often and by whatever way it came there', async () => {
    const by = (outer: string) => ({
      via: [
        { rule: 'chn_outer', target: outer },
        { rule: chainId, target: 'a' },
      ],
    })
    const failed = { failure: 'server' } as const
    logged(
      { step: 'a', opened: by('x'), closed: failed },
      { step: 'a', opened: by('x') },
      { step: 'a', opened: by('y') },
    )
    expect((await usage()).data[0]).toMatchObject({ requests: 1, attempts: 3, ok: 2, failed: { server: 1 } })
  })

  test('keeps a step that the chain no longer has, behind those that it has', async () => {
    logged({ step: 'gone' })
    const { data } = await usage()
    expect(data.map(({ id, model, ok }: Record<string, unknown>) => [id, model, ok])).toEqual([
      ['a', 'openai/gpt-4o', 0],
      ['b', 'anthropic/claude-sonnet-4-5', 0],
      ['gone', null, 1],
    ])
  })

  test('counts what another rule led through it, and nothing of other chains or of none', async () => {
    logged({
      step: 'a',
      opened: {
        via: [
          { rule: 'ali_1', target: 'work' },
          { rule: chainId, target: 'b' },
        ],
      },
    })
    logged({ step: 'a', opened: { via: [{ rule: 'chn_other', target: 'a' }] } })
    logged({ step: 'a', opened: { via: [] } })
    const { data } = await usage()
    expect(data.map(({ ok }: Record<string, unknown>) => ok)).toEqual([0, 1])
  })

  test('is of the range that is asked for', async () => {
    logged({ step: 'a', agoMs: 30 * HOUR_MS })
    logged({ step: 'a', agoMs: 13 * HOUR_MS })
    const answers = async (range: string) => (await usage(`?range=${range}`)).data[0].ok
    expect([await answers('today'), await answers('24h'), await answers('7d')]).toEqual([0, 1, 2])
  })

  test('is there only for a chain, a range and a caller that are known', async () => {
    const path = '/v1/chains/chn_1/usage'
    expect((await stage.stranger('GET', path)).status).toBe(401)
    expect((await stage.call('GET', path)).status).toBe(404)
    const { status, body } = await stage.call('GET', `/v1/chains/${chainId}/usage?range=1y`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['range']])
  })
})
