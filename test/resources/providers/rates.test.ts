/** What models cost, as it is listed, and as it is fetched anew from a host of the internet. */
import { afterEach, describe, expect, test } from 'bun:test'
import { PriceBook } from '../../../src/catalog/pricing.ts'
import { anthropic } from '../../../src/catalog/providers/anthropic.ts'
import { HOUR_MS } from '../../../src/core/duration.ts'
import { err, ok } from '../../../src/core/result.ts'
import { failure } from '../../../src/core/failure.ts'
import { FetchedPriceStore } from '../../../src/resources/providers/rates-store.ts'
import { type PriceSync, RatesSync } from '../../../src/resources/providers/rates-sync.ts'
import { makeApp, type TestApp } from '../../support/app.ts'
import { makeDashboard } from '../../support/dashboard.ts'
import { addressOf, INTERNET, playInternet } from '../../support/internet.ts'
import { json, text } from '../../support/plays.ts'
import type { Play, Provider } from '../../support/provider.ts'
import { turn, until } from '../../support/until.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Bench {
  readonly app: TestApp
  readonly host: Provider
}

async function makeBench(...script: readonly Play[]): Promise<Bench> {
  const host = playInternet(script)
  const app = await makeApp({
    accounts: {},
    internet: INTERNET,
    settings: { pricing: { sync_url: addressOf(host, '/data.json') } },
  })
  closing.push(
    () => app[Symbol.asyncDispose](),
    () => host.stop(),
  )
  return { app, host }
}

const SYNC = '/v1/providers/rates/sync'
const OPUS = {
  id: 'claude-opus-5',
  match: { equals: 'Claude-Opus-5' },
  prices: { input_mtok: 5, output_mtok: 25 },
}
const NEWEST = { id: 'claude-newest', match: { equals: 'claude-newest' }, prices: { input_mtok: 2, output_mtok: 10 } }
const fileOf = (...models: readonly object[]) => [
  { id: 'anthropic', name: 'Anthropic', models },
  { id: 'avian', models: [] },
]

const sync = (app: TestApp, dryRun: boolean) => app.owner('POST', SYNC, { dry_run: dryRun })
async function rateOf(app: TestApp, model: string, provider = 'anthropic') {
  const { body } = await app.owner('GET', `/v1/providers/rates?provider=${provider}&model=${model}`)
  return body.data[0]
}

describe('the list of prices', () => {
  test('has every figure of a model, and where it comes from', async () => {
    const { app } = await makeBench()
    expect(await rateOf(app, 'claude-sonnet-4-5')).toEqual({
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      input: 3,
      output: 15,
      cache_read: 0.3,
      cache_write_5m: 3.75,
      cache_write_1h: 6,
      reasoning: null,
      audio_in: 3,
      audio_out: 15,
      image_in: 3,
      per_request: 0,
      per_search: 0.01,
      tiers: [
        {
          above_input_tokens: 200_000,
          input: 6,
          output: 22.5,
          cache_read: 0.6,
          cache_write_5m: 7.5,
          cache_write_1h: 12,
          reasoning: null,
          audio_in: 6,
          audio_out: 22.5,
          image_in: 6,
        },
      ],
      batch_factor: 0.5,
      flex_factor: null,
      priority_factor: null,
      source: 'builtin',
      effective_from: null,
      overridden_by: null,
    })
  })

  test('shows an override that counts for everybody, with its id', async () => {
    const { app } = await makeBench()
    const override = { model: 'anthropic/claude-sonnet-4-5', input: 1 }
    const { id } = (await app.owner('POST', '/v1/model-pricing-overrides', override)).body.data
    expect(await rateOf(app, 'claude-sonnet-4-5')).toMatchObject({
      input: 1,
      output: 15,
      source: 'override',
      overridden_by: id,
      effective_from: '2026-01-15T12:00:00.000Z',
    })
    const { metadata } = (await app.owner('GET', '/v1/providers/rates?source=override')).body
    expect(metadata.total).toBe(1)
  })

  test('is paged, filtered, searched and sorted', async () => {
    const { app } = await makeBench()
    const page = async (query: string) => (await app.owner('GET', `/v1/providers/rates?${query}`)).body
    const all = await page('provider=anthropic&limit=100')
    expect(all.metadata.total).toBe(all.data.length)
    const halves = [await page('provider=anthropic&limit=5'), await page('provider=anthropic&limit=100&offset=5')]
    expect(halves.flatMap(({ data }) => data)).toEqual(all.data)
    const dear = await page('provider=anthropic&sort=input&order=desc&limit=100')
    const inputs = dear.data.map(({ input }: { input: number }) => input)
    expect(inputs).toEqual(inputs.toSorted((a: number, b: number) => b - a))
    const found = await page('q=SONNET-4&limit=100')
    expect(found.data.every(({ model }: { model: string }) => model.includes('sonnet-4'))).toBe(true)
    expect(found.metadata.total).toBeGreaterThan(1)
    expect((await page('source=sync')).metadata.total).toBe(0)
    expect((await app.owner('GET', '/v1/providers/rates?source=rumour')).status).toBe(422)
    expect((await app.owner('GET', '/v1/providers/rates?sort=price')).body.errors).toHaveProperty('sort')
  })

  test('leaves out what is free and what nobody knows', async () => {
    const { app } = await makeBench()
    expect(await rateOf(app, 'llama3.2', 'ollama')).toBeUndefined()
    expect(await rateOf(app, 'echo', 'demo')).toBeUndefined()
  })
})

describe('newer prices', () => {
  const newer = fileOf({ ...OPUS, prices: { input_mtok: 4, output_mtok: 20, cache_read_mtok: 0.4 } }, NEWEST)

  test('are only looked at with dry_run', async () => {
    const { app, host } = await makeBench(json(newer))
    const { status, body } = await sync(app, true)
    expect(status).toBe(200)
    expect(body).toMatchObject({ message: 'nothing was changed', metadata: { changed: 1, held: 0 } })
    expect(body.data).toMatchObject({ added: 1, held: [], fetched_at: '2026-01-15T12:00:00.000Z' })
    expect(body.data.changed).toMatchObject([
      { model: 'anthropic/claude-opus-5', before: { input: 5, output: 25 }, after: { input: 4, output: 20 } },
    ])
    expect(body.data.removed).toBeGreaterThan(10)
    expect(await rateOf(app, 'claude-opus-5')).toMatchObject({ input: 5, source: 'builtin' })
    expect(host.requests).toHaveLength(1)
  })

  test('count from the next request on, beside what the file does not know, and are audited', async () => {
    const { app, host } = await makeBench(json(newer))
    expect((await sync(app, false)).body.message).toBe('synced')
    expect(await rateOf(app, 'claude-opus-5')).toMatchObject({ input: 4, cache_read: 0.4, source: 'sync' })
    expect(await rateOf(app, 'claude-sonnet-4-5')).toMatchObject({ input: 3, source: 'builtin' })
    const { data } = (await app.owner('GET', '/v1/audit?action=rates.sync')).body
    expect(data[0]).toMatchObject({
      object: { type: 'rates', name: addressOf(host, '/data.json') },
      after: { added: 1 },
    })
  })

  test('that would change more than tenfold stay as they are, and are named', async () => {
    const cheap = { ...OPUS, prices: { input_mtok: 0.4, output_mtok: 20 } }
    const { app } = await makeBench(json(fileOf(cheap, NEWEST)), json(fileOf(cheap, NEWEST)))
    const { body } = await sync(app, false)
    expect(body.data.held).toMatchObject([
      { model: 'anthropic/claude-opus-5', before: { input: 5 }, after: { input: 0.4 } },
    ])
    expect(body.data).toMatchObject({ added: 1, changed: [] })
    expect(await rateOf(app, 'claude-opus-5')).toMatchObject({ input: 5 })
    expect((await sync(app, true)).body.data.held).toHaveLength(1)
  })

  const traps: readonly (readonly [string, object])[] = [
    [
      'a price that waits for a day to come',
      {
        ...OPUS,
        prices: [{ prices: OPUS.prices }, { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 500 } }],
      },
    ],
    [
      'a price above some length',
      { ...OPUS, prices: { input_mtok: { base: 5, tiers: [{ start: 9, price: 51 }] }, output_mtok: 25 } },
    ],
    ['a model that is free all at once', { ...OPUS, prices: {} }],
    ['an output that is not paid any more', { ...OPUS, prices: { input_mtok: 5 } }],
    [
      'another entry that takes the name',
      { id: 'all', match: { starts_with: 'claude' }, prices: { input_mtok: 0.1, output_mtok: 0.1 } },
    ],
  ]
  for (const [name, model] of traps) {
    test(`are held back for ${name}`, async () => {
      const { app } = await makeBench(json(fileOf(model, OPUS)))
      expect((await sync(app, false)).body.data.held).toContainEqual(
        expect.objectContaining({ model: 'anthropic/claude-opus-5' }),
      )
      expect(await rateOf(app, 'claude-opus-5')).toMatchObject({ input: 5, output: 25, tiers: [] })
    })
  }

  const regex = (pattern: string) => fileOf({ ...OPUS, match: { regex: pattern } })
  const broken: readonly (readonly [why: string, script: Play, said: string])[] = [
    ['is not there', text('gone', 404), 'The host answered 404.'],
    ['is no JSON', text('<html>'), 'It is not a price file'],
    ['is JSON of another kind', json({ prices: 1 }), 'It is not a price file'],
    ['knows nobody', json([{ id: 'avian', models: [] }]), 'no provider that is known here'],
    ['says a provider twice', json([...fileOf(OPUS), ...fileOf(OPUS)]), 'names a provider twice'],
    ['has a negative price', json(fileOf({ ...OPUS, prices: { input_mtok: -1 } })), 'anthropic.models.0.prices'],
    ['has a price of nothing', json(fileOf({ ...OPUS, prices: { input_mtok: 0 } })), 'anthropic.models.0.prices'],
    [
      'has an absurd price',
      json(fileOf(NEWEST, { ...OPUS, prices: { input_mtok: 1e9 } })),
      'anthropic.models.1.prices',
    ],
    ['has a price in words', json(fileOf({ ...OPUS, prices: { input_mtok: '5' } })), 'anthropic.models.0.prices'],
    [
      'has a condition that is not known',
      json(fileOf({ ...OPUS, prices: [{ constraint: { context: 'x' }, prices: {} }] })),
      'anthropic.models.0.prices',
    ],
    [
      'nests its rules deep',
      json(fileOf({ ...OPUS, match: { or: [{ or: [{ or: [{ equals: 'x' }] }] }] } })),
      'anthropic.models.0.match',
    ],
    ['has a slow expression', json(regex('^(a+)+$')), 'could take long'],
    ['has an expression of many loops', json(regex('.*.*.*x')), 'could take long'],
    ['has no expression', json(regex('(')), 'could take long'],
    ['is larger than any', text('x'.repeat(9 * 1_048_576)), 'larger than 8 MiB'],
  ]
  for (const [why, script, said] of broken) {
    test(`change nothing when the file ${why}`, async () => {
      const { app } = await makeBench(script)
      const { status, body } = await sync(app, false)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(body.message).toContain(said)
      expect(await rateOf(app, 'claude-opus-5')).toMatchObject({ input: 5, source: 'builtin' })
      expect((await app.owner('GET', '/v1/audit?action=rates.sync')).body.metadata.total).toBe(0)
    })
  }

  test('are asked for one at a time', async () => {
    const release = Promise.withResolvers<void>()
    const { app } = await makeBench(async (stage) => {
      await release.promise
      stage.reply(200, {}, JSON.stringify(newer))
    })
    const first = sync(app, true)
    await turn()
    expect((await sync(app, true)).status).toBe(409)
    release.resolve()
    expect((await first).status).toBe(200)
  })

  test('need to be told whether it is in earnest', async () => {
    const { app } = await makeBench()
    expect((await app.owner('POST', SYNC, {})).body.errors).toEqual({ dry_run: ['is required'] })
    expect((await app.owner('POST', SYNC, { dry_run: true, url: 'x' })).body.errors).toHaveProperty('url')
  })

  for (const address of ['http://models.example/x', 'https://127.0.0.1/x', 'https://a:b@models.example/x', 'prices']) {
    test(`are not fetched from ${address}`, async () => {
      const { app } = await makeBench()
      const { status, body } = await app.owner('PATCH', '/v1/settings', { pricing: { sync_url: address } })
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['pricing.sync_url'])
    })
  }
})

describe('over time', () => {
  const file = JSON.stringify(fileOf({ ...OPUS, prices: { input_mtok: 4, output_mtok: 20 } }))

  async function makeSync(mode: PriceSync) {
    const dashboard = await makeDashboard()
    const asked: string[] = []
    const answers = { fails: false }
    const make = async (book: PriceBook) => {
      const ratesSync = new RatesSync({
        ...dashboard,
        book,
        store: new FetchedPriceStore(dashboard.db),
        fetchPublic: async ({ url }) => {
          asked.push(url)
          if (answers.fails) return err(failure('connect', 'The host could not be reached.'))
          return ok({ url, status: 200, contentType: '', bytes: new TextEncoder().encode(file) })
        },
        settings: () => ({ sync: mode, syncUrl: 'https://models.example/data.json' }),
        pricingIds: new Set(['anthropic']),
        nextTurn: turn,
      })
      closing.push(await ratesSync.start())
      return ratesSync
    }
    const book = await PriceBook.open()
    await make(book)
    const inputOf = (one: PriceBook) => one.priceOf(anthropic, 'claude-opus-5', dashboard.clock.nowMs())?.input
    return { ...dashboard, make, book, asked, answers, input: () => inputOf(book), inputOf }
  }

  test('what was fetched survives a restart', async () => {
    const stage = await makeSync('daily')
    stage.clock.advance(HOUR_MS)
    await until(() => stage.input() === 4_000_000)
    const again = await PriceBook.open()
    expect(stage.inputOf(again)).toBe(5_000_000)
    await stage.make(again)
    expect(stage.inputOf(again)).toBe(4_000_000)
  })

  test('the file is fetched once a day where the settings say so, and not otherwise', async () => {
    const daily = await makeSync('daily')
    const manual = await makeSync('manual')
    for (let hour = 0; hour < 50; hour++) {
      daily.clock.advance(HOUR_MS)
      manual.clock.advance(HOUR_MS)
      for (let at = 0; at < 10; at++) await turn()
    }
    expect(daily.asked).toHaveLength(3)
    expect(manual.asked).toHaveLength(0)
  })

  test('a host that cannot be reached is asked again an hour later, and the log says so', async () => {
    const stage = await makeSync('daily')
    stage.answers.fails = true
    stage.clock.advance(HOUR_MS)
    await until(() => stage.lines.some((line) => line.includes('prices could not be fetched')))
    stage.answers.fails = false
    stage.clock.advance(HOUR_MS)
    await until(() => stage.input() === 4_000_000)
    expect(stage.asked).toHaveLength(2)
  })
})
