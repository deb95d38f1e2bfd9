import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser } from '../../support/browser.ts'
import { ask, newKey, playedAccount } from '../../support/gateway-calls.ts'
import { json } from '../../support/plays.ts'
import { chatReply } from '../../support/provider-bodies.ts'
import { until } from '../../support/until.ts'
import type { Provider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

const TOO_FAST = {
  error: { message: 'Rate limit reached; try again in 41 s', type: 'requests', code: 'rate_limit_exceeded' },
}

const CACHED_MODEL = 'groq/openai/gpt-oss-120b'
/** 500 of 1,000 tokens come from the cache, at a quarter of 2 $/M: 0.00075 is saved. */
const CACHED = {
  ...chatReply('Hi'),
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 200,
    total_tokens: 1_200,
    prompt_tokens_details: { cached_tokens: 500 },
  },
}

const CACHED_PRICE = { input: 2, output: 8, cache_read: 0.5 }

describeInBrowser('a request', (stage) => {
  const keys: { laptop?: string } = {}
  const laptop = async (): Promise<string> => (keys.laptop ??= await newKey(stage.server, 'laptop'))
  const playing: Provider[] = []
  afterAll(() => playing.forEach((provider) => provider.stop()))

  test('a request shows every candidate: which failed and why, which answered, and what each cost', async () => {
    const slow = await playedAccount(stage.server, {
      provider: 'openai',
      name: 'main',
      priority: 1,
      play: json(TOO_FAST, 429),
    })
    const good = await playedAccount(stage.server, {
      provider: 'openai',
      name: 'spare',
      priority: 2,
      play: json(chatReply('Hi')),
    })
    playing.push(slow, good)
    const id = await ask(stage.server, await laptop(), 'openai/gpt-4o-mini')
    const tab = await stage.openAs(`/requests/${id}`)
    await tab.page.getByRole('heading', { name: 'Answered on the second try' }).waitFor()
    const steps = tab.page.getByRole('list', { name: 'Candidates, in the order considered' }).getByRole('listitem')
    await steps
      .nth(0)
      .filter({ hasText: /openai\/gpt-4o-mini[\s\S]*main[\s\S]*429 Rate limited/ })
      .waitFor()
    await steps
      .nth(1)
      .filter({ hasText: /spare[\s\S]*tokens/ })
      .waitFor()
    expect(await tab.page.getByRole('table', { name: 'Tokens by kind' }).innerText()).toMatch(/Cost\s+\$0\.\d{9}/)
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.getByRole('link', { name: 'laptop' }).click()
    await tab.page.waitForURL(/requests\?key_id=/)
    await closeCleanly(tab)
  })

  test('a request says on which plan and with which tags it came, by which chain, and what caches saved', async () => {
    const { server } = stage
    const cached = await playedAccount(server, { provider: 'groq', name: 'main', priority: 0, play: json(CACHED) })
    playing.push(cached)
    const plan = await server.call<{ id: string }>('POST', '/v1/plans', { name: 'Signallers' })
    const tags = { team: 'platform' }
    const { secret } = await server.call<{ secret: string }>('POST', '/v1/keys', { name: 'p', plan_id: plan.id, tags })
    await server.call('POST', '/v1/chains', { name: 'Careful', slug: 'careful', steps: [{ model: CACHED_MODEL }] })
    await server.call('POST', '/v1/model-pricing-overrides', { model: CACHED_MODEL, ...CACHED_PRICE })
    const tab = await stage.openAs(`/requests/${await ask(server, secret, 'chain/careful')}`)
    const { page } = tab
    await page.getByText('team=platform').waitFor()
    await page.getByRole('link', { name: 'Careful' }).waitFor()
    await page.getByText('By prompt caches').waitFor()
    await page.getByText('$0.000750000').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('link', { name: 'Signallers' }).click()
    await page.waitForURL(`**/plans/${plan.id}`)
    await closeCleanly(tab)
  })

  test('a request says what affinity saved, and then nothing of caches', async () => {
    const { server } = stage
    const model = 'fireworks/own-model'
    for (const name of ['one', 'two'])
      playing.push(await playedAccount(server, { provider: 'fireworks', name, priority: 0, play: json(CACHED) }))
    await server.call('POST', '/v1/model-pricing-overrides', { model, ...CACHED_PRICE })
    await server.call('PATCH', '/v1/settings', { routing: { account_strategy: 'round_robin', affinity: 'key' } })
    const key = await newKey(server, 'kept')
    await ask(server, key, model)
    const tab = await stage.openAs(`/requests/${await ask(server, key, model)}`)
    await tab.page.getByText('By affinity').waitFor()
    await tab.page.getByText('$0.000750000').waitFor()
    expect(await tab.page.getByText('By prompt caches').count()).toBe(0)
    await closeCleanly(tab)
  })

  test('a request that failed says why in words, and an unknown one that the log does not hold it', async () => {
    const id = await ask(stage.server, await laptop(), 'no-such-model')
    const tab = await stage.openAs(`/requests/${id}`, { theme: 'dark', width: 390 })
    await tab.page.getByRole('heading', { name: 'Failed before any try' }).waitFor()
    await tab.page.getByText('No provider, alias or chain has this name.').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await tab.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await tab.page.goto('/requests/req_unknown')
    await tab.page.getByText('The log does not hold this request').waitFor()
    await closeCleanly(tab)
  })

  test('next and previous keep the filters of the list', async () => {
    const key = await laptop()
    const older = await ask(stage.server, key, 'no-such-model')
    await ask(stage.server, key, 'demo/echo')
    await ask(stage.server, key, 'no-such-model')
    const tab = await stage.openAs('/requests?status=error')
    await tab.page.getByRole('table').getByRole('link').first().click()
    await tab.page.getByRole('heading', { name: 'Failed before any try' }).waitFor()
    await tab.page.getByRole('button', { name: 'Older request' }).click()
    await tab.page.waitForURL(new RegExp(`/requests/${older}\\?status=error`))
    await tab.page.getByRole('button', { name: 'Newer request' }).click()
    await tab.page.waitForURL((url) => !url.pathname.endsWith(older) && url.search === '?status=error')
    await closeCleanly(tab)
  })

  test('a request shows what was said where that is kept, and how to keep it where it is not', async () => {
    const unkept = await ask(stage.server, await laptop(), 'demo/echo', 'not to be kept')
    const tab = await stage.openAs(`/requests/${unkept}`)
    await tab.page.getByText('Nothing of what it said is kept.').waitFor()
    await stage.server.call('PATCH', '/v1/settings', { logging: { log_content: 'always' } })
    const kept = await ask(stage.server, await laptop(), 'demo/echo', 'a memorable question')
    const log = '/v1/usage/requests?limit=1'
    await until(
      async () => (await stage.server.call<{ id: string }[]>('GET', log))[0]?.id === kept,
      'its row in the log',
    )
    const bodies = async () =>
      (await stage.server.call<{ bodies: unknown }>('GET', `/v1/usage/requests/${kept}`)).bodies
    await until(async () => (await bodies()) !== null, 'the keeping of its words')
    const { page, ...rest } = await stage.openAs(`/requests/${kept}`)
    const sent = page.getByRole('region', { name: 'The client sent' })
    await sent.getByText('a memorable question').waitFor()
    await page.getByRole('region', { name: 'The client got' }).getByText('a memorable question').waitFor()
    expect(await axeFindings({ page, ...rest })).toEqual([])
    await closeCleanly(tab)
    await closeCleanly({ page, ...rest })
  })
})
