import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings, closeCleanly, describeInBrowser, type Theme } from '../../support/browser.ts'
import { ask, newKey } from '../../support/gateway-calls.ts'

setDefaultTimeout(20_000)

/** More than one page of the log. */
const MANY = 120
const LOG = 'Requests, newest first'

const rows = (page: Page) => page.getByRole('table', { name: LOG }).getByRole('row')
const bodyRow = (page: Page, at: number) => rows(page).nth(at + 1)

describeInBrowser('the request log', (stage) => {
  const keys: { laptop?: string } = {}
  const laptop = async (): Promise<string> => (keys.laptop ??= await newKey(stage.server, 'laptop'))
  let asked = 0
  /** The log has so many rows at least, whichever tests ran before. */
  const haveRows = async (count: number): Promise<void> => {
    for (; asked < count; asked++) await ask(stage.server, await laptop(), 'demo/echo')
  }

  test('says what it is for while nothing has been asked, and fills itself as requests come in', async () => {
    const tab = await stage.openAs('/requests')
    await tab.page.getByText('No requests yet').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await ask(stage.server, await laptop(), 'demo/echo')
    const answered = /Answered[\s\S]*laptop[\s\S]*openai-sdk[\s\S]*demo\/echo[\s\S]*free/
    await bodyRow(tab.page, 0).filter({ hasText: answered }).waitFor()
    await closeCleanly(tab)
  })

  test('loads page after page, and shows what is new only when asked while the reader is further down', async () => {
    await haveRows(MANY)
    const tab = await stage.openAs('/requests')
    const table = tab.page.getByRole('table', { name: LOG })
    await bodyRow(tab.page, 5).waitFor()
    const rowCount = Number(await table.getAttribute('aria-rowcount'))
    expect(rowCount).toBeGreaterThan(MANY)
    expect(await rows(tab.page).count()).toBeLessThan(60)
    await table.hover()
    await tab.page.mouse.wheel(0, 38 * MANY)
    await tab.page.locator('[aria-rowindex="102"]').waitFor()
    await tab.page.mouse.wheel(0, 38 * MANY)
    await tab.page.locator(`[aria-rowindex="${rowCount}"]`).waitFor()
    await ask(stage.server, await laptop(), 'demo/echo', 'while you look elsewhere')
    const pill = tab.page.getByRole('button', { name: '1 new' })
    await pill.waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(rowCount))
    await pill.click()
    await tab.page.locator('[aria-rowindex="2"]').waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(rowCount + 1))
    expect(await pill.count()).toBe(0)
    await closeCleanly(tab)
  })

  test('goes by keyboard from row to row, keeps the focus while it scrolls, and comes back to its place', async () => {
    await haveRows(MANY)
    const tab = await stage.openAs('/requests')
    await bodyRow(tab.page, 5).waitFor()
    await tab.page.keyboard.press('j')
    await tab.page.keyboard.press('j')
    const focused = () =>
      tab.page.evaluate<string>('document.activeElement.closest("[role=row]")?.getAttribute("aria-rowindex")')
    expect(await focused()).toBe('3')
    const table = tab.page.getByRole('table', { name: LOG })
    await table.hover()
    await tab.page.mouse.wheel(0, 3_000)
    await tab.page.locator('[aria-rowindex="80"]').waitFor()
    expect(await focused()).toBe('3')
    await tab.page.locator('[aria-rowindex="80"]').getByRole('link').click()
    await tab.page.getByRole('heading', { name: 'Answered' }).waitFor()
    await tab.page.goBack()
    await tab.page.locator('[aria-rowindex="80"]').waitFor()
    await closeCleanly(tab)
  })

  test('filters are in the address, and an empty result offers to clear them', async () => {
    await haveRows(6)
    await ask(stage.server, await laptop(), 'no-such-model')
    const tab = await stage.openAs('/requests')
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Outcome' }).click()
    await tab.page.getByRole('button', { name: 'Failed' }).click()
    await tab.page.waitForURL(/status=error/)
    await tab.page.getByText('Unknown model').waitFor()
    expect(await rows(tab.page).count()).toBe(2)
    await tab.page.getByRole('searchbox').fill('nothing like it')
    await tab.page.getByText('No requests with these filters').waitFor()
    await tab.page.getByRole('button', { name: 'Clear the filters' }).click()
    await bodyRow(tab.page, 5).waitFor()
    expect(new URL(tab.page.url()).search).toBe('')
    await closeCleanly(tab)
  })

  test('is exported with its filters, and says what went wrong where it cannot be', async () => {
    const tab = await stage.openAs('/requests?status=error')
    const { page } = tab
    await ask(stage.server, await newKey(stage.server, 'exporter'), 'no-such-model')
    await ask(stage.server, await newKey(stage.server, 'answered'), 'demo/echo')
    const exportAs = async (format: string): Promise<void> => {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('button', { name: format }).click()
    }
    const [download] = await Promise.all([page.waitForEvent('download'), exportAs('CSV')])
    expect(download.suggestedFilename()).toBe('signalbox-usage.csv')
    const [head = '', ...lines] = (await Bun.file(await download.path()).text()).trim().split('\r\n')
    expect(head).toStartWith('id,at,key_id')
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.some((line) => line.includes('demo/echo'))).toBe(false)
    await page.route('**/v1/usage/export*', (route) =>
      route.fulfill({ status: 429, json: { message: 'wait for one' } }),
    )
    await exportAs('JSON lines')
    await page
      .getByText(/^Not exported\./)
      .first()
      .waitFor()
    await closeCleanly(tab)
  })

  test('stops following when Live is switched off, and remembers it in the address', async () => {
    await haveRows(1)
    const tab = await stage.openAs('/requests')
    await bodyRow(tab.page, 0).waitFor()
    await tab.page.getByRole('button', { name: 'Live' }).click()
    await tab.page.waitForURL(/live=off/)
    await ask(stage.server, await laptop(), 'demo/echo')
    await tab.page.getByRole('button', { name: '1 new' }).waitFor()
    await closeCleanly(tab)
  })

  test('says what is wrong when it cannot be read, and tries again', async () => {
    await haveRows(1)
    const tab = await stage.openAs('/profile')
    await tab.page.route('**/v1/usage/requests?*', (route) =>
      route.fulfill({
        status: 500,
        json: { message: 'something went wrong here' },
        headers: { 'x-request-id': 'req_broken' },
      }),
    )
    await tab.page.getByRole('link', { name: 'Requests' }).first().click()
    await tab.page.getByText('The log could not be read').waitFor()
    await tab.page.getByText('req_broken').waitFor()
    await tab.page.unroute('**/v1/usage/requests?*')
    await tab.page.getByRole('button', { name: 'Try again' }).click()
    await bodyRow(tab.page, 0).waitFor()
    await closeCleanly(tab)
  })

  test('keeps its rows while the gateway cannot be reached, and goes on by itself afterwards', async () => {
    await haveRows(1)
    const tab = await stage.openAs('/requests')
    await bodyRow(tab.page, 0).waitFor()
    const before = await tab.page.getByRole('table', { name: LOG }).getAttribute('aria-rowcount')
    await tab.context.setOffline(true)
    await tab.page.getByText(/^Offline/).waitFor()
    await bodyRow(tab.page, 0).waitFor()
    await ask(stage.server, await laptop(), 'demo/echo')
    await tab.context.setOffline(false)
    await tab.page.locator(`[role=table][aria-rowcount="${Number(before) + 1}"]`).waitFor()
    await closeCleanly(tab)
  })

  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const satisfies readonly (readonly [Theme, number])[]) {
    test(`nothing stands in the way of assistive technology, ${theme} at ${width} px`, async () => {
      await haveRows(4)
      const tab = await stage.openAs('/requests', { theme, width })
      await bodyRow(tab.page, 3).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      const fits = (part: string) => `${part}.scrollWidth <= ${part}.clientWidth`
      expect(await tab.page.evaluate<boolean>(fits('document.documentElement'))).toBe(true)
      expect(await tab.page.evaluate<boolean>(fits('document.querySelector("[role=table]")'))).toBe(true)
      await closeCleanly(tab)
    })
  }
})
