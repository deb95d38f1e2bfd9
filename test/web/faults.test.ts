/** What can happen to a server, a session and a network while a page is open: the page says so, keeps what is there, goes on. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, OWNER, type Stage, type Tab } from '../support/browser.ts'
import { ask, newKey } from '../support/gateway-calls.ts'

setDefaultTimeout(20_000)

const CLICK_MS_MAX = 1_000
const OFFLINE = /^Offline\. As of /

const logRows = ({ page }: Tab) => page.getByRole('table', { name: 'Requests, newest first' }).getByRole('row')

describeInBrowser('a server that restarts', (stage) => {
  test('is missed by the form that is sent meanwhile, which keeps its text and is taken afterwards', async () => {
    const tab = await typedKey(stage, 'written before the restart')
    await stage.server.restart(async () => {
      await tab.page.getByRole('button', { name: 'Create key' }).click()
      await tab.page.getByText(OFFLINE).waitFor()
      expect(await axeFindings(tab)).toEqual([])
    })
    await comesBack(tab)
    await createsKey(tab, 'written before the restart')
    await closeCleanly(tab)
  })

  test('leaves the log on screen with its date, and the log goes on by itself', async () => {
    const key = await newKey(stage.server, 'laptop')
    await ask(stage.server, key, 'demo/echo')
    const tab = await stage.openAs('/requests')
    await logRows(tab).nth(1).waitFor()
    await stage.server.restart(async () => {
      await tab.page.getByText(OFFLINE).waitFor()
      expect(await logRows(tab).count()).toBe(2)
    })
    await tab.page.getByText(OFFLINE).waitFor({ state: 'detached' })
    await ask(stage.server, key, 'demo/echo')
    await logRows(tab).nth(2).waitFor()
    await closeCleanly(tab)
  })
})

describeInBrowser('a network that goes', (stage) => {
  test('is said over a form of settings, which keeps what was changed and saves it when it is back', async () => {
    const tab = await stage.openAs('/settings?open=server')
    const { page, context } = tab
    const largest = page.getByRole('textbox', { name: 'Largest request' })
    await largest.fill('64')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText(OFFLINE).waitFor()
    expect(await largest.inputValue()).toBe('64')
    await context.setOffline(false)
    await comesBack(tab)
    expect(await largest.inputValue()).toBe('64')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    expect(await stage.server.call<object>('GET', '/v1/settings')).toMatchObject({ server: { max_body_mib: 64 } })
    await closeCleanly(tab)
  })

  test('leaves the log as it was, and what came meanwhile is there when it is back', async () => {
    const key = await newKey(stage.server, 'laptop')
    await ask(stage.server, key, 'demo/echo')
    const tab = await stage.openAs('/requests')
    await logRows(tab).nth(1).waitFor()
    await tab.context.setOffline(true)
    await tab.page.getByText(OFFLINE).waitFor()
    await ask(stage.server, key, 'demo/echo')
    expect(await logRows(tab).count()).toBe(2)
    await tab.context.setOffline(false)
    await comesBack(tab)
    await logRows(tab).nth(2).waitFor()
    await closeCleanly(tab)
  })
})

describeInBrowser('a session that ends', (stage) => {
  test('asks over the form of a new key, keeps its text and makes the key once somebody has signed in', async () => {
    const tab = await typedKey(stage, 'written before the session ended')
    await endSessions(stage)
    await tab.page.getByRole('button', { name: 'Create key' }).click()
    await signInAgain(tab)
    await tab.page.getByText('Shown once').waitFor()
    await tab.page.getByRole('heading', { name: 'written before the session ended' }).waitFor()
    await tab.page.getByRole('button', { name: 'Copy', exact: true }).click()
    await closeCleanly(tab)
  })

  test('asks over the log without being touched, and the log goes on', async () => {
    const tab = await stage.openAs('/requests')
    await tab.page.getByText('No requests yet').waitFor()
    await endSessions(stage)
    await signInAgain(tab)
    await tab.page.getByText('No requests yet').waitFor()
    await closeCleanly(tab)
  })
})

/** A form with text in it that nobody has sent. */
async function typedKey(stage: Stage, name: string): Promise<Tab> {
  const tab = await stage.openAs('/keys/new')
  await tab.page.getByRole('textbox', { name: 'Name' }).fill(name)
  return tab
}

async function createsKey({ page }: Tab, name: string): Promise<void> {
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Shown once').waitFor()
  await page.getByRole('heading', { name }).waitFor()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
}

/** By itself within half a minute; a reader who is in a hurry asks at once. */
async function comesBack({ page }: Tab): Promise<void> {
  const now = page.getByRole('button', { name: 'Now' })
  await now.click({ timeout: CLICK_MS_MAX }).catch(() => undefined) // gone when it has come back already
  await page.getByText(OFFLINE).waitFor({ state: 'detached' })
}

async function signInAgain(tab: Tab): Promise<void> {
  const dialog = tab.page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.waitFor()
  expect(await axeFindings(tab)).toEqual([])
  await dialog.getByLabel('E-mail').fill(OWNER.email)
  await dialog.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** As from another browser: access tokens are refused from now on, and so is every refresh. */
async function endSessions({ server }: Stage): Promise<void> {
  const session = await server.call<{ access_token: string }>('POST', '/v1/auth/sign-in', OWNER)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${session.access_token}` }
  await fetch(`${server.url}/v1/auth/sign-out`, { method: 'POST', headers, body: '{}' })
}
