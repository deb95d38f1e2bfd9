/** Streams whose clients have gone, where the settings say that they are read on for their exact usage. */
import { describe, expect, test } from 'bun:test'
import { Drains, DRAINS_MAX } from '../../../src/gateway/streaming/drains.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { type Step, stream } from '../../support/plays.ts'
import { CHAT, type Client, MESSAGES, question } from '../clients.ts'
import { ANTHROPIC } from '../upstreams.ts'

const DRAIN_S = 20
const DRAINED = { streaming: { drain_for_usage_s: DRAIN_S } }
const EVENTS = ANTHROPIC.stream(['One ', 'two '], { outputTokens: 77 })
const HEAD = EVENTS.slice(0, 4)
const REST = EVENTS.slice(4)

/** A client that leaves after the first words; `rest` follows when `go` is called. */
async function left(app: TestApp, rest: readonly Step[], client: Client = MESSAGES) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { played } = app.upstream('anthropic')
  played.play(stream([...HEAD, promise, ...rest]))
  const leaving = new AbortController()
  const asked = { ...question(client, ANTHROPIC.model, { stream: true }), signal: leaving.signal }
  const response = await app.request(client.path, asked)
  const reader = response.body?.getReader()
  for (let text = ''; !text.includes('One ');) text += Buffer.from((await reader?.read())?.value ?? []).toString()
  leaving.abort()
  return { go: resolve, request: await played.request(played.requests.length - 1) }
}

describe('a stream whose client has gone', () => {
  test.each([MESSAGES, CHAT].map((client) => [client.name, client] as const))(
    'tells in its row what it cost to the token (%s)',
    async (_, client) => {
      await using app = await makeApp({ settings: DRAINED })
      const { go } = await left(app, REST, client)
      go()
      const [row] = await app.rows()
      expect(row).toMatchObject({ status: 'cancelled', error_class: 'cancelled', http: 499, tokens_estimated: false })
      expect(row?.['tokens']).toMatchObject({ input_tokens: 10, output: 77 })
      expect(row?.attempts).toMatchObject([{ class: null, state: 'settled' }])
    },
  )

  test('is let go when the time is over, and its usage is estimated', async () => {
    await using app = await makeApp({ settings: DRAINED })
    const { request } = await left(app, ['silence'])
    app.clock.advance(DRAIN_S * 1_000 - 1_000)
    expect(app.app.inFlight()).toBe(1)
    app.clock.advance(2_000)
    await request.hungUp
    const [row] = await app.rows()
    expect(row).toMatchObject({ status: 'cancelled', tokens_estimated: true })
    expect(row?.attempts).toMatchObject([{ class: 'cancelled', state: 'estimated' }])
  })

  test('holds its place at its account until it ends', async () => {
    await using app = await makeApp({ accounts: { anthropic: 1 }, settings: DRAINED })
    await app.owner('PATCH', `/v1/accounts/${app.upstream('anthropic').accountId}`, { max_concurrency: 1 })
    const { go } = await left(app, REST)
    const refused = await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
    expect(refused.status).toBe(429)
    expect(app.upstream('anthropic').played.requests).toHaveLength(1)
    go()
    await app.rows()
  })

  test('is not gone on with when it is cut', async () => {
    await using app = await makeApp({ settings: { streaming: { ...DRAINED.streaming, on_cut: 'continue' } } })
    const { go } = await left(app, ['cut'])
    go()
    const [row] = await app.rows()
    expect(row?.attempts).toMatchObject([{ class: 'cancelled', state: 'estimated' }])
    expect(app.upstream('anthropic').played.requests).toHaveLength(1)
  })

  test('is let go when the process goes down', async () => {
    await using app = await makeApp({ settings: DRAINED })
    const { request } = await left(app, ['silence'])
    app.app.drain()
    await request.hungUp
    expect((await app.rows())[0]).toMatchObject({ status: 'cancelled', tokens_estimated: true })
  })

  test('is let go at once where the settings say nothing', async () => {
    await using app = await makeApp()
    const { request } = await left(app, ['silence'])
    await request.hungUp
    expect((await app.rows())[0]?.status).toBe('cancelled')
  })
})

test('only so many are read on at a time, and each that ends makes room', () => {
  const drains = new Drains()
  const leave = Array.from({ length: DRAINS_MAX }, () => drains.enter(() => undefined))
  expect(drains.enter(() => undefined)).toBeUndefined()
  leave[0]?.()
  expect(drains.enter(() => undefined)).toBeDefined()
})
