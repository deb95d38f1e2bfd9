/** Quotas as providers tell them in their answers: which end first, how they went, and what an operator does about them. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { KeyWithSecret, Quota, QuotaOverview } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Tab } from '../../support/browser.ts'
import { addAccountAt } from '../../support/openai-play.ts'
import { chatReply } from '../../support/provider-bodies.ts'
import { type Play, playProvider, type Provider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

const JSON_TYPE = { 'content-type': 'application/json' }
const DAY_S = 86_400

/** Says how much of the day's requests is left, by the name of the account that asks. */
const LEFT: Readonly<Record<string, number>> = { spent: 0, scarce: 80, plenty: 900, odd: 500, kept: 500 }
const limited: Play = ({ request, reply }) => {
  const key = request.headers['authorization'] ?? ''
  const left = Object.entries(LEFT).find(([name]) => key.includes(name))?.[1] ?? 1_000
  const told = {
    ...JSON_TYPE,
    'x-ratelimit-limit-requests-day': '1000',
    'x-ratelimit-remaining-requests-day': String(left),
    'x-ratelimit-reset-requests-day': String(DAY_S / 4),
  }
  if (request.path.endsWith('/models')) return reply(200, JSON_TYPE, '{"data":[{"id":"gpt-5-mini"}]}')
  return reply(200, told, JSON.stringify(chatReply('Hello')))
}

const played: { host: Provider | undefined } = { host: undefined }
beforeAll(() => {
  played.host = playProvider()
  played.host.otherwise(limited)
})
afterAll(() => played.host?.stop())

/** An account whose provider has just told what it has left. */
async function tell(stage: Stage, name: string): Promise<string> {
  if (played.host === undefined) throw new Error('the provider plays before the first test')
  const { id } = await addAccountAt(played.host, stage.server, name)
  await stage.server.call('PATCH', `/v1/accounts/${id}`, { models_allow: [`openai/gpt-${name}`] })
  const { secret } = await stage.server.call<KeyWithSecret>('POST', '/v1/keys', { name: `asks ${name}` })
  const messages = [{ role: 'user', content: 'Hi' }]
  const answer = await fetch(`${stage.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...JSON_TYPE, authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: `openai/gpt-${name}`, messages }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  return id
}

const all = (stage: Stage): Promise<Quota[]> => stage.server.call('GET', '/v1/quota?limit=100')
const quotaOf = async (stage: Stage, accountId: string): Promise<Quota | undefined> =>
  (await all(stage)).find(({ account_id }) => account_id === accountId)
const fitsIn = ({ page }: Tab): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
const table = ({ page }: Tab) => page.getByRole('table', { name: 'Quotas' })

describeInBrowser('quotas', (stage) => {
  test('none yet says where they come from', async () => {
    const tab = await stage.openAs('/quotas')
    await tab.page.getByText('No quotas known yet').waitFor()
    await tab.page.getByText('with the first request', { exact: false }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('what is used up comes first, then what nearly is; the figures above count accounts', async () => {
    for (const name of ['plenty', 'scarce', 'spent']) await tell(stage, name)
    const tab = await stage.openAs('/quotas')
    await table(tab).getByText('1,000 of 1,000 used').filter({ visible: true }).waitFor()
    const rows = await table(tab).getByRole('row').allTextContents()
    expect(rows.slice(1).map((row) => /spent|scarce|plenty/.exec(row)?.[0])).toEqual(['spent', 'scarce', 'plenty'])
    await table(tab).getByRole('row', { name: /spent/ }).getByText('Used up').filter({ visible: true }).waitFor()
    await table(tab)
      .getByRole('row', { name: /scarce/ })
      .getByText('Nearly used up')
      .filter({ visible: true })
      .waitFor()
    await table(tab)
      .getByRole('row', { name: /plenty/ })
      .getByText('in 5 h')
      .filter({ visible: true })
      .waitFor()
    const overview = await stage.server.call<QuotaOverview>('GET', '/v1/quota/overview')
    expect(overview).toMatchObject({ accounts: 3, exhausted: 1, near: 1 })
    await tab.page.getByText('3 accounts', { exact: true }).waitFor()
    await closeCleanly(tab)
  })

  test('a filter by account is in the address, and an empty one can be cleared', async () => {
    const id = await tell(stage, 'odd')
    const tab = await stage.openAs(`/quotas?account_id=${id}`)
    await table(tab).getByRole('row', { name: /odd/ }).waitFor()
    expect(await table(tab).getByRole('row').count()).toBe(2)
    await tab.page.goto('/quotas?provider=nobody')
    await tab.page.getByText('No quota matches').waitFor()
    await tab.page.getByRole('button', { name: 'Clear search and filters' }).click()
    await table(tab)
      .getByRole('row', { name: /plenty/ })
      .waitFor()
    await closeCleanly(tab)
  })

  test('routing ignores a quota at a click, heeds it again by Undo, and forgets it when asked', async () => {
    const [first] = await all(stage)
    const tab = await stage.openAs('/quotas')
    const { page } = tab
    const act = async (name: string): Promise<void> => {
      await table(tab)
        .getByRole('button', { name: /^Acts on .* of spent/ })
        .click()
      await page.getByRole('button', { name }).click()
    }
    await act('Have routing ignore it')
    await table(tab).getByText('Ignored by routing').filter({ visible: true }).waitFor()
    expect((await quotaOf(stage, first?.account_id ?? ''))?.paused).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await table(tab).getByText('Ignored by routing').filter({ visible: true }).waitFor({ state: 'detached' })
    expect((await quotaOf(stage, first?.account_id ?? ''))?.paused).toBe(false)
    await act('Forget it…')
    await page.getByRole('dialog').getByText('back as soon as it is reported again').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await page.getByText('Requests a day of “spent” is forgotten').waitFor()
    await table(tab).getByRole('row', { name: /spent/ }).waitFor({ state: 'detached' })
    expect(await quotaOf(stage, first?.account_id ?? '')).toBeUndefined()
    await closeCleanly(tab)
  })

  test('a share is kept back for keys of a higher priority, in percent that the server takes', async () => {
    const id = await tell(stage, 'kept')
    const tab = await stage.openAs('/quotas', { theme: 'dark', width: 390 })
    const { page } = tab
    const row = table(tab).getByRole('row', { name: /kept/ })
    await row.getByRole('button', { name: /^Acts on/ }).click()
    await page.getByRole('button', { name: 'Keep a share back…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Keep a share of requests a day back' })
    await dialog.getByLabel('Kept back, percent').fill('101')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('One field needs a change').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await dialog.getByLabel('Kept back, percent').fill('60')
    await dialog.getByRole('button', { name: 'Keep it back' }).click()
    await row.getByText('60 % kept for keys of a higher priority').filter({ visible: true }).waitFor()
    await row.getByText('The rest is kept back').filter({ visible: true }).waitFor()
    expect((await quotaOf(stage, id))?.reserve_pct).toBe(60)
    expect(await fitsIn(tab)).toBe(true)
    await closeCleanly(tab)
  })

  test('a reset forgets what was told of the account and tests it', async () => {
    const before = (await all(stage)).find(({ used_pct }) => used_pct === 92)
    const tab = await stage.openAs('/quotas')
    await table(tab)
      .getByRole('button', { name: /^Acts on .* of scarce/ })
      .click()
    await tab.page.getByRole('button', { name: 'Reset the account’s limits…' }).click()
    await tab.page.getByRole('dialog').getByText('The account is tested at once').waitFor()
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await tab.page.getByText('The limits of “scarce” are reset').waitFor()
    await table(tab)
      .getByRole('row', { name: /scarce/ })
      .waitFor({ state: 'detached' })
    const account = await stage.server.call<{ last_tested_at: string | null }>(
      'GET',
      `/v1/accounts/${before?.account_id}`,
    )
    expect(account.last_tested_at).not.toBeNull()
    await closeCleanly(tab)
  })

  test('a course of hours is drawn and said, and with it when it runs out', async () => {
    const tab = await stage.openAs('/overview')
    await withCourse(tab)
    await tab.page.goto('/quotas')
    const row = table(tab).getByRole('row', { name: /plenty/ })
    await row.getByRole('img', { name: /^1,000 left at .*, 940 at the end$/ }).waitFor()
    await row.getByText('in 2 h').filter({ visible: true }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('the account’s own page shows its quotas, and its row how much is used', async () => {
    const id = await tell(stage, 'near-empty')
    const tab = await stage.openAs('/providers/openai')
    const meter = tab.page.getByRole('meter', { name: 'Quota of plenty, percent used' })
    expect(await meter.getAttribute('aria-valuenow')).toBe('10')
    await tab.page.getByText('Healthy').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.goto(`/providers/openai/accounts/${id}`)
    await table(tab).getByText('Requests a day').waitFor()
    await tab.page.getByRole('link', { name: 'Course and acts' }).click()
    await tab.page.getByRole('heading', { name: 'Quotas', level: 1 }).waitFor()
    await closeCleanly(tab)
  })

  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    test(`axe finds nothing, and nothing scrolls sideways at ${width} px, ${theme}`, async () => {
      const tab = await stage.openAs('/quotas', { theme, width })
      await table(tab)
        .getByRole('row', { name: /plenty/ })
        .waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await fitsIn(tab)).toBe(true)
      await closeCleanly(tab)
    })
  }
})

/** The server's own answer with three hours of history, which no test waits for: what is under test is how it is shown. */
async function withCourse({ page }: Tab): Promise<void> {
  await page.route(/\/v1\/quota\?/, async (route) => {
    const response = await route.fetch()
    const body = JSON.parse(await response.text())
    const nowMs = Date.now()
    const ago = (minutes: number): string => new Date(nowMs - minutes * 60_000).toISOString()
    const history = [1_000, 990, 960, 940].map((remaining, at) => ({ at: ago(180 - 60 * at), used: null, remaining }))
    const forecast_exhausted_at = new Date(nowMs + 2.5 * 3_600_000).toISOString()
    const data = body.data.map((quota: Quota) => ({ ...quota, history, forecast_exhausted_at }))
    await route.fulfill({ response, json: { ...body, data } })
  })
}
