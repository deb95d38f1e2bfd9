/** What the overview tells of traffic, and what it says when there is none or nobody answers. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, type Stage } from '../../support/browser.ts'
import { ask, newKey } from '../../support/gateway-calls.ts'
import { json } from '../../support/plays.ts'
import { playProvider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

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
    await page.getByText('Provider', { exact: true }).click()
    await page.getByRole('list', { name: 'Requests by provider' }).getByRole('link', { name: 'demo' }).click()
    await page.waitForURL('**/requests?provider=demo&range=7d')
    await closeCleanly(tab)
  })

  test('asks again without being sent what it has, and shows what is new', async () => {
    const tab = await stage.openAs('/overview', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByRole('list', { name: 'Providers' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const again = await page.waitForRequest((request) => request.url().includes('/v1/usage/telemetry'))
    expect(again.headers()['if-none-match']).toBeString()
    await askEach(stage, ['demo/echo'])
    await page.getByText('75 % answered').waitFor()
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
})

/** Each model is asked once, whatever comes of it. */
async function askEach({ server }: Stage, models: readonly string[]): Promise<void> {
  const key = await newKey(server, 'asker')
  for (const model of models) await ask(server, key, model)
}
