import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  axeFindings,
  closeCleanly,
  describeInBrowser,
  focused,
  launch,
  openTab,
  OWNER,
  startDashboard,
  type Tab,
  type Theme,
} from '../support/browser.ts'

const THEMES: readonly Theme[] = ['light', 'dark']

const signIn = async ({ page }: Tab, { email, password }: { email: string; password: string }): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describeInBrowser('set-up', () => {
  const parts: { server?: Awaited<ReturnType<typeof startDashboard>>; browser?: Awaited<ReturnType<typeof launch>> } =
    {}
  beforeAll(async () => {
    parts.server = await startDashboard({ owner: false })
    parts.browser = await launch()
  })
  afterAll(async () => {
    await parts.browser?.close()
    await parts.server?.stop()
  })
  const open = async (path: string, theme: Theme = 'light'): Promise<Tab> => {
    const { server, browser } = parts
    if (server === undefined || browser === undefined) throw new Error('not started')
    return openTab(browser, server, path, { theme })
  }
  const pathOfLink = (): string => {
    const { pathname, hash } = new URL(parts.server?.setUpUrl ?? '')
    return pathname + hash
  }

  for (const theme of THEMES) {
    test(`the page has nothing that axe objects to, ${theme}`, async () => {
      const tab = await open(pathOfLink(), theme)
      await tab.page.getByText('ends in 30 min').waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await closeCleanly(tab)
    })
  }

  test('a page without its token says where a link comes from', async () => {
    const tab = await open('/setup')
    await tab.page.getByRole('alert').getByText('its console shows a new one').waitFor()
    await closeCleanly(tab)
  })

  test('what the server objects to stands beside its field, and the link still works', async () => {
    const tab = await open(pathOfLink())
    await tab.page.getByLabel('E-mail').fill(OWNER.email)
    await tab.page.getByLabel('Password', { exact: true }).fill('short')
    await tab.page.getByRole('button', { name: 'Create owner and continue' }).click()
    const password = tab.page.getByLabel('Password', { exact: true })
    await tab.page
      .getByText(/at least 12/i)
      .first()
      .waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    await focused(tab, password)
    expect(await tab.page.getByLabel('E-mail').inputValue()).toBe(OWNER.email)
    await closeCleanly(tab)
  })

  test('the link makes the owner, who is signed in from then on', async () => {
    const tab = await open(pathOfLink())
    await tab.page.getByLabel('E-mail').fill(OWNER.email)
    await tab.page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await tab.page.getByRole('button', { name: 'Create owner and continue' }).click()
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    await tab.page.reload()
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    await closeCleanly(tab)
  })

  test('afterwards the page leads to sign-in', async () => {
    const tab = await open(pathOfLink())
    await tab.page.getByRole('link', { name: 'Sign in' }).click()
    await tab.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await closeCleanly(tab)
  })
})

describeInBrowser('sign-in', (stage) => {
  for (const theme of THEMES) {
    test(`the page has nothing that axe objects to, ${theme}`, async () => {
      const tab = await stage.open('/sign-in', { theme })
      await tab.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await closeCleanly(tab)
    })
  }

  test('a wrong password is said beside the field, which keeps the focus', async () => {
    const tab = await stage.open('/sign-in')
    await signIn(tab, { ...OWNER, password: 'not the password at all' })
    await tab.page.getByText('E-mail or password is wrong.').waitFor()
    const password = tab.page.getByLabel('Password', { exact: true })
    await focused(tab, password)
    expect(await axeFindings(tab)).toEqual([])
    await signIn(tab, OWNER)
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    await closeCleanly(tab)
  })

  test('whoever was on the way to a page arrives there', async () => {
    const tab = await stage.open('/profile')
    await tab.page.waitForURL('**/sign-in?next=%2Fprofile')
    await signIn(tab, OWNER)
    await tab.page.getByRole('heading', { name: 'Profile' }).waitFor()
    expect(new URL(tab.page.url()).pathname).toBe('/profile')
    await closeCleanly(tab)
  })

  test('no address of another site is followed after it', async () => {
    const tab = await stage.open('/sign-in?next=//elsewhere.example/')
    await signIn(tab, OWNER)
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    expect(tab.page.url()).toStartWith(stage.server.url)
    await closeCleanly(tab)
  })

  test('a server that does not answer is named, and what was typed stays', async () => {
    const tab = await stage.open('/sign-in')
    await tab.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await tab.context.setOffline(true)
    await signIn(tab, OWNER)
    await tab.page.getByText('The gateway does not answer.').waitFor()
    expect(await tab.page.getByLabel('E-mail').inputValue()).toBe(OWNER.email)
    await closeCleanly(tab)
  })
})
