import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser } from '../../support/browser.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(20_000)

describeInBrowser('the audit log', (stage) => {
  test('says who did what, and opened, what it changed from and to', async () => {
    const { id } = await stage.server.call<{ id: string }>('POST', '/v1/keys', { name: 'ci-bot' })
    await stage.server.call('PATCH', `/v1/keys/${id}`, { models_allow: ['openai/*'] })
    const tab = await stage.openAs('/audit?object_type=key')
    const row = tab.page.getByRole('row', { name: /Changed the key/ })
    await row.filter({ hasText: /ci-bot[\s\S]*alice@example.com/ }).waitFor()
    await row.getByRole('button').click()
    await tab.page.waitForURL(/entry=evt_/)
    const change = tab.page.getByRole('row', { name: /^models_allow/ })
    await change.filter({ hasText: 'openai/*' }).waitFor()
    await tab.page.getByText('other fields stayed as before').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.reload()
    await change.waitFor()
    await row.getByRole('button').click()
    await change.waitFor({ state: 'detached' })
    await closeCleanly(tab)
  })

  test('is narrowed down by who, act, object and time, and offers the way back', async () => {
    await stage.server.call('POST', '/v1/keys', { name: 'laptop' })
    const tab = await stage.openAs('/audit', { theme: 'dark', width: 390 })
    await tab.page.getByText('Created the key').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Act' }).click()
    await tab.page.getByRole('button', { name: 'Set up the gateway as' }).click()
    await tab.page.waitForURL(/action=auth.set_up/)
    await until(async () => (await tab.page.getByText('Created the key').count()) === 0, 'the other entries to go')
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Until' }).click()
    await tab.page.getByLabel('Until').fill('2020-01-01T00:00')
    await tab.page.getByRole('button', { name: 'Set' }).click()
    await tab.page.getByText('No entries with these filters').waitFor()
    await tab.page.getByRole('button', { name: 'Clear the filters' }).click()
    await tab.page.getByText('Created the key').first().waitFor()
    await closeCleanly(tab)
  })

  test('says why it cannot be read, and tries again', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.route('**/v1/audit?*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
    await tab.page.getByRole('link', { name: 'Audit' }).click()
    await tab.page.getByText('The audit log could not be read').waitFor()
    await tab.page.unroute('**/v1/audit?*')
    await tab.page.getByRole('button', { name: 'Try again' }).click()
    await tab.page.getByText('Set up the gateway as').waitFor()
    await closeCleanly(tab)
  })
})
