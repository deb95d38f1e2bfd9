import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/core/duration.ts'
import { MESSAGES, question } from '../../gateway/clients.ts'
import { COMMIT_MS } from '../../../src/ledger/writer.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { type Call, OWNER, value } from '../../support/dashboard.ts'
import { json } from '../../support/plays.ts'
import { anthropicReply } from '../../support/provider-bodies.ts'
import { until } from '../../support/until.ts'

const HAIKU = 'anthropic/claude-haiku-4-5'

function answer(usage: object = {}) {
  const reply = anthropicReply('hi', { inputTokens: 1_000, outputTokens: 100 })
  return json({ ...reply, usage: { ...reply.usage, ...usage } })
}

describe('insights', () => {
  test('are the summary, each day, the models that cost most, what was saved and how that is computed', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(answer({ cache_read_input_tokens: 10_000 }))
    await app.ask(MESSAGES.path, question(MESSAGES, HAIKU))
    await app.rows()
    const { status, body } = await app.owner('GET', '/v1/usage/insights?range=7d&tz=Europe/Vienna')
    expect(status).toBe(200)
    const { summary, tz, daily, models, savings, findings } = body.data
    expect([summary.range, summary.requests, tz]).toEqual(['7d', 1, 'Europe/Vienna'])
    expect(daily).toHaveLength(8)
    expect(daily.at(-1)).toMatchObject({ at: '2026-01-14T23:00:00.000Z', requests: 1, cost_usd: 0.0025 })
    expect(models).toMatchObject([{ model: HAIKU, requests: 1, share: 1, cost_share: 1 }])
    expect(savings.saved_usd).toEqual({ cache: 0.009, affinity: 0, routing: 0 })
    expect(Object.keys(savings.method)).toEqual(['cache', 'affinity', 'routing'])
    expect(findings).toEqual([])
  })

  test('find what has no price, and keys that rest', async () => {
    await using app = await makeApp()
    const { body: rests } = await app.owner('POST', '/v1/keys', { name: 'rests' })
    app.clock.advance(8 * DAY_MS)
    app.upstream('anthropic').played.play(answer())
    await app.ask(MESSAGES.path, question(MESSAGES, 'anthropic/claude-nobody-knows'))
    await until(() => app.app.inFlight() === 0, 'the end of the request')
    app.clock.advance(COMMIT_MS)
    const owner = await signedInAgain(app)
    expect((await owner('GET', '/v1/usage/insights?range=7d')).body.data.findings).toMatchObject([
      {
        kind: 'unpriced_model',
        severity: 'warning',
        evidence: { model: 'anthropic/claude-nobody-knows', requests: 1 },
      },
      { kind: 'idle_key', severity: 'info', evidence: { keys: 1, never_used: 1, key_ids: rests.data.id } },
    ])
  })

  test('refuse what they do not know, and whoever is not signed in', async () => {
    await using app = await makeApp()
    for (const [query, field] of [
      ['range=year', 'range'],
      ['tz=Nowhere', 'tz'],
      ['key_id=key_1', 'key_id'],
    ] as const) {
      const { status, body } = await app.owner('GET', `/v1/usage/insights?${query}`)
      expect([query, status, Object.keys(body.errors)]).toEqual([query, 422, [field]])
    }
    const stranger = await app.owner('GET', '/v1/usage/insights', undefined, { authorization: 'Bearer nothing' })
    expect(stranger.status).toBe(401)
  })
})

/** After its token has expired. */
async function signedInAgain({ app, owner }: TestApp): Promise<Call> {
  const { accessToken } = value(await app.auth.signIn(OWNER, { requestId: null, address: '127.0.0.1' }))
  return (method, path) => owner(method, path, undefined, { authorization: `Bearer ${accessToken}` })
}
