/** What the overview tells of traffic, and what it says when there is none or nobody answers. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { LedgerStatements } from '../../../src/ledger/statements.ts'
import { changes, requestClosed, requestOpened } from '../../ledger/records.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Theme } from '../../support/browser.ts'
import { ask, newKey, playedAccount } from '../../support/gateway-calls.ts'
import { json } from '../../support/plays.ts'
import { playProvider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
]

const YESTERDAY_MS = 25 * 3_600_000

/** 1,000 tokens in, 500 of them from the cache, and 200 out. Of gpt-4.1 the cached ones cost a quarter of 2 $/M: 0.00075 is saved. */
const ANSWER = json({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 200,
    total_tokens: 1_200,
    prompt_tokens_details: { cached_tokens: 500 },
  },
})

describeInBrowser('overview', (stage) => {
  const refusing = playProvider()
  refusing.otherwise(json({ error: { message: 'no', code: 'invalid_api_key' } }, 401))
  afterAll(() => refusing.stop())

  test('without a request leads to Connect', async () => {
    const tab = await stage.openAs('/overview')
    await tab.page.getByText('No requests yet').waitFor()
    await tab.page.getByRole('link', { name: 'Connect a tool' }).click()
    await tab.page.waitForURL('**/connect')
    await closeCleanly(tab)
  })

  test('shows traffic, failures and accounts that need somebody, each leading on', async () => {
    await stage.server.call('POST', '/v1/accounts', {
      provider: 'vllm',
      name: 'basement',
      credentials: { api_key: 'wrong' },
      base_url_override: refusing.url,
      allow_private_network: true,
    })
    await askEach(stage, ['demo/echo', 'demo/echo', 'vllm/qwen3'])
    const tab = await stage.openAs('/overview')
    const { page } = tab
    await page.getByText('Sign-in refused').waitFor()
    await page.getByRole('link', { name: 'Replace its key' }).waitFor()
    await page.getByText('67 % answered').waitFor()
    await page.getByRole('list', { name: 'Failures by kind' }).getByText('auth').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByText('7 d', { exact: true }).click()
    await page.waitForURL('**range=7d')
    await page.getByText('last 7 d').waitFor()
    await page.getByRole('radiogroup', { name: 'By', exact: true }).getByText('Provider').click()
    await page.waitForURL('**by=provider')
    await page.getByRole('table', { name: 'Usage by provider' }).getByRole('link', { name: 'demo' }).click()
    await page.waitForURL('**/requests?provider=demo&range=7d')
    await closeCleanly(tab)
  })

  test('breaks usage down by what keys are tagged with, in any order, and says when it was', async () => {
    const { secret } = await stage.server.call<{ secret: string }>('POST', '/v1/keys', {
      name: 'tagged',
      tags: { team: 'signals' },
    })
    await ask(stage.server, secret, 'demo/echo')
    const tab = await stage.openAs('/overview?by=tag')
    const { page } = tab
    const table = page.getByRole('table', { name: 'Usage by tag' })
    await table.getByRole('link', { name: 'team=signals' }).waitFor()
    await table.getByRole('button', { name: 'Requests' }).click()
    await page.waitForURL('**sort=requests**')
    const picture = page.getByRole('img', { name: /^Most on / })
    expect(await picture.getAttribute('aria-label')).toMatch(
      /^Most on (Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d\d:00: \d+ requests?\.$/,
    )
    const week = page.getByRole('region', { name: 'The week as a table' })
    await page.getByRole('button', { name: 'Show as table' }).last().click()
    expect(await week.getByRole('row').count()).toBe(25)
    expect(await axeFindings(tab)).toEqual([])
    await table.getByRole('link', { name: 'team=signals' }).click()
    await page.waitForURL('**/requests?tag=team%3Dsignals&range=24h')
    await page.getByText('1 request', { exact: true }).waitFor()
    await closeCleanly(tab)
  })

  test('says what a finding follows from, and leads to where something is done about it', async () => {
    const played = await playedAccount(stage.server, { provider: 'openai', name: 'main', priority: 0, play: ANSWER })
    await askEach(stage, ['openai/own-model', 'openai/gpt-4.1'])
    const tab = await stage.openAs('/overview')
    const { page } = tab
    const finding = page.getByRole('listitem').filter({ hasText: 'requests to openai/own-model cost is not known' })
    await finding.getByText('What this follows from').click()
    await finding.getByText('Input tokens').waitFor()
    await page.getByText('For each attempt: what all of its input tokens would have cost').waitFor()
    await page.getByTitle('$0.000750000').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await finding.getByRole('link', { name: 'Say what it costs' }).click()
    await page.waitForURL('**/models/prices/new?model=openai%2Fown-model')
    await page.getByText('No price of this model is known').waitFor()
    await closeCleanly(tab)
    played.stop()
  })

  test('shows the course of the budget of which least is left, and says so where nothing stops spending', async () => {
    const tab = await stage.openAs('/overview')
    const { page } = tab
    await page.getByText('Nothing stops spending.').waitFor()
    const make = (budget: object) =>
      stage.server.call<{ id: string }>('POST', '/v1/budgets', { scope: 'global', period: 'month', ...budget })
    await make({ name: 'Roomy', amount_usd: 1_000 })
    const { id } = await make({ name: 'Narrow', amount_usd: 0.01 })
    await page.reload()
    await page.getByRole('img', { name: /^Narrow: / }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('link', { name: 'Budget “Narrow”' }).click()
    await page.waitForURL(`**/budgets/${id}`)
    await closeCleanly(tab)
    await stage.server.call('DELETE', `/v1/budgets/${id}`)
  })

  test('hands the range out as a file', async () => {
    const tab = await stage.openAs('/overview?range=7d')
    const { page } = tab
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON lines' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('signalbox-usage.jsonl')
    const lines = (await Bun.file(await download.path()).text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).model_asked)).toContain('demo/echo')
    await closeCleanly(tab)
  })

  for (const [theme, width] of LOOKS) {
    test(`nothing that axe objects to, and nothing scrolls sideways at ${width} px, ${theme}`, async () => {
      const tab = await stage.openAs('/overview?by=key', { theme, width })
      await tab.page.getByRole('table', { name: 'Usage by key' }).waitFor()
      await tab.page.getByText(/^For each attempt/).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await tab.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await closeCleanly(tab)
    })
  }

  test('asks again without being sent what it has, and shows what is new', async () => {
    const tab = await stage.openAs('/overview', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByRole('list', { name: 'Providers' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const again = await page.waitForRequest((request) => request.url().includes('/v1/usage/telemetry'))
    expect(again.headers()['if-none-match']).toBeString()
    await askEach(stage, ['demo/echo'])
    await page.getByText('86 % answered').waitFor()
    await closeCleanly(tab)
  })

  test('that cannot be read says why, and is read again', async () => {
    const tab = await stage.openAs('/connect')
    const { page } = tab
    await page.route('**/v1/usage/telemetry*', (route) =>
      route.fulfill({
        status: 500,
        json: { message: 'something went wrong here' },
        headers: { 'x-request-id': 'req_1' },
      }),
    )
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('The usage could not be read').waitFor()
    await page.getByText('req_1').waitFor()
    await page.unroute('**/v1/usage/telemetry*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Gateway adds, p50').waitFor()
    await closeCleanly(tab)
  })

  test('whose server has gone keeps its numbers, and goes on when it is back', async () => {
    const tab = await stage.openAs('/overview')
    const { page } = tab
    await page.getByText('Gateway adds, p50').waitFor()
    await tab.context.setOffline(true)
    await page
      .getByText(/Offline/)
      .first()
      .waitFor()
    expect(await page.getByText('Gateway adds, p50').count()).toBe(1)
    await tab.context.setOffline(false)
    await page
      .getByText(/Offline/)
      .first()
      .waitFor({ state: 'detached' })
    await closeCleanly(tab)
  })

  test('lays the range before behind the course, and says it in the table', async () => {
    await stage.server.restart(() => logBefore(stage))
    const tab = await stage.openAs('/overview')
    const { page } = tab
    await page.getByRole('img', { name: /The range before: \$\d+\.\d+ for 1 request, 0 failed\.$/ }).waitFor()
    await page.getByText('The range before', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show as table' }).first().click()
    const table = page.getByRole('region', { name: / over time: / })
    await table.getByRole('columnheader', { name: 'The range before' }).waitFor()
    const before = await table.locator('tbody td:last-child').allInnerTexts()
    expect(before.filter((text) => text !== '$0')).toHaveLength(1)
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })
})

/** A request of yesterday, which only the clock of the machine could bring about by itself. */
async function logBefore({ server }: Stage): Promise<void> {
  const opened = requestOpened({ id: 'req_before', atMs: Date.now() - YESTERDAY_MS })
  const database = new Database(join(server.dataDir, 'telemetry.sqlite'), { strict: true })
  new LedgerStatements(database).write(
    changes([['req_before', { opened, closed: requestClosed({ id: 'req_before' }) }]]),
  )
  database.close()
}

/** Each model is asked once, whatever comes of it. */
async function askEach({ server }: Stage, models: readonly string[]): Promise<void> {
  const key = await newKey(server, 'asker')
  for (const model of models) await ask(server, key, model)
}
