/** The first minutes of somebody who has read nothing: from the link on the console to a streamed answer, by hand of either kind. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import {
  closeCleanly,
  describeInBrowser,
  launch,
  openTab,
  OWNER,
  startDashboard,
  type Tab,
} from '../support/browser.ts'

setDefaultTimeout(30_000)

/** No control on these pages is further from the last one. */
const TABS_MAX = 60

describeInBrowser('from the set-up link to a streamed answer', () => {
  test('by clicks', async () => {
    await asNewcomer(async ({ page }) => {
      await page.getByLabel('E-mail').fill(OWNER.email)
      await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
      await page.getByRole('button', { name: 'Create owner and continue' }).click()
      await page.getByRole('button', { name: 'Skip, use the demo' }).click()
      await page.getByText('skipped, the demo needs none').waitFor()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Shown once').waitFor()
      await page.getByRole('textbox', { name: 'Message' }).fill('Are you there?')
      await page.getByRole('button', { name: 'Send' }).click()
    })
  })

  test('by keys alone', async () => {
    await asNewcomer(async (tab) => {
      const { page } = tab
      const { keyboard } = page
      await tabTo(tab, page.getByLabel('E-mail'))
      await keyboard.type(OWNER.email)
      await tabTo(tab, page.getByLabel('Password', { exact: true }))
      await keyboard.type(OWNER.password)
      await keyboard.press('Enter')
      await tabTo(tab, page.getByRole('button', { name: 'Skip, use the demo' }))
      await keyboard.press('Enter')
      await page.getByText('skipped, the demo needs none').waitFor()
      await tabTo(tab, page.getByRole('button', { name: 'Create key' }))
      await keyboard.press('Enter')
      await page.getByText('Shown once').waitFor()
      await tabTo(tab, page.getByRole('textbox', { name: 'Message' }))
      await keyboard.press('ControlOrMeta+a')
      await keyboard.type('Are you there?')
      await keyboard.press('Enter')
    })
  })
})

/** `ask` leads from the link to a question that is sent; its answer has to come as a stream, be free, and be in the log. */
async function asNewcomer(ask: (tab: Tab) => Promise<void>): Promise<void> {
  const server = await startDashboard({ owner: false })
  const browser = await launch()
  try {
    const { pathname, hash } = new URL(server.setUpUrl)
    const tab = await openTab(browser, server, pathname + hash)
    const { page } = tab
    const answered = page.waitForResponse((response) => isAsked(response.url(), response.request().method()))
    await ask(tab)
    expect((await answered).headers()['content-type']).toStartWith('text/event-stream')
    await page.getByText('first token').waitFor()
    await page.getByText('free').first().waitFor()
    await page.getByText('Are you there?').nth(1).waitFor()
    await page.getByRole('link', { name: 'See the route' }).waitFor()
    await closeCleanly(tab)
  } finally {
    await browser.close()
    await server.stop()
  }
}

function isAsked(url: string, method: string): boolean {
  return method === 'POST' && new URL(url).pathname === '/v1/messages'
}

/** As a keyboard does it, once the element is there. */
async function tabTo({ page }: Tab, element: Locator): Promise<void> {
  await element.waitFor()
  const focused = element.and(page.locator(':focus'))
  for (let tabs = 0; (await focused.count()) === 0; tabs++) {
    if (tabs === TABS_MAX) throw new Error(`no way by keyboard to ${element}`)
    await page.keyboard.press('Tab')
  }
}
